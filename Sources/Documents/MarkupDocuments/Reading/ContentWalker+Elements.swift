// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

extension ContentWalker {
    /// Begins an element.
    ///
    /// Returns `false` if what is within is not read, or has been.
    mutating func enter(_ index: Int) throws(DocumentError) -> Bool {
        if dropped.contains(index) || notes.isSpoken(index) { return false }
        let role = role(index)
        if role == .skipped { return false }
        let hasAttributes = !tree.nodes[index].attributes.isEmpty
        if role == .inline {
            try raise(index)
            if !hasAttributes { return true }
        }
        let types = hasAttributes ? ElementHints.types(tree, index) : []
        let isPage = role == .pageBreak || types.contains("pagebreak")
        if role != .math, hasAttributes, ElementHints.isHidden(tree, index) {
            if isPage { notePage(index) }
            // A formula may be shown as a picture, and be hidden itself.
            guard role == .inline || role == .container, let formula = tree.first("math", in: tree.inside(index)) else {
                return false
            }
            try math(formula)
            return false
        }

        var frame = top
        (frame.end, frame.node, frame.role) = (tree.nodes[index].end, index, role)
        (frame.closes, frame.isPhrase, frame.start) = (false, false, nil)
        if case .inline = role {} else { try beginBlock(&frame, role, index) }
        if hasAttributes {
            if let id = tree.attribute("id", of: index) { mark(id) }
            if tree.name(index) == "a", let name = tree.attribute("name", of: index) { mark(name) }
            frame.matter = ElementHints.matter(types) ?? frame.matter
        }
        if isPage {
            notePage(index)
            return false
        }
        switch role {
        case .inline, .noteReference: return try inline(&frame, index, types)
        case .image:
            try image(index)
            return false
        case .math:
            try math(index)
            return false
        case .pause:
            try pause(index)
            return false
        case .sub, .sayAs, .phoneme:
            frame.isPhrase = true
            frame.start = assembly.mark()
        case .lineBreak, .sceneBreak: return false
        case .heading:
            if dropsEmptyHeadings, isEmptyHeading(index) { return false }
            // The number of a note.
            if isInNote, NoteIndex.isLabel(tree.plainText(index, limit: 64)) { return false }
        default: break
        }
        if let language = ElementHints.language(of: tree, index) {
            if frame.closes || !assembly.hasText { frame.language = language } else { phrase(&frame) }
        }
        if types.contains(where: { ["footnote", "endnote", "rearnote"].contains($0) }) || role == .note {
            frame.kind = .note
            notes.speak(index)
        }
        push(frame)
        return true
    }

    /// Powers are no part of the number before them.
    private mutating func raise(_ index: Int) throws(DocumentError) {
        guard tree.name(index) == "sup", let last = assembly.openText.last, (0x30...0x39).contains(last) else { return }
        let text = tree.plainText(index, limit: 16)
        let isPower = !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "-" || $0 == "\u{2212}" }
        if isPower, tree.first("a", in: tree.subtree(index)) == nil { try assembly.append("^") }
    }

    /// Begins words that are spoken in a way of their own.
    mutating func phrase(_ frame: inout Frame) {
        frame.isPhrase = true
        frame.start = assembly.mark()
    }

    /// Sets what holds within an element that is no part of a line.
    private mutating func beginBlock(_ frame: inout Frame, _ role: ElementRole, _ index: Int) throws(DocumentError) {
        let around = top
        if around.isFlat {
            switch role {
            case .lineBreak: assembly.widen(around.isLines || around.keepsLines ? .line : .space)
            case .row, .cell, .image, .math, .noteReference, .sub, .sayAs, .phoneme, .pageBreak, .pause: break
            case .block(.caption):
                try close()
                (frame.kind, frame.closes, frame.isFlat) = (.caption, true, false)
            default:
                if around.isLines { frame.role = .verseLine }
                assembly.widen(around.isLines ? .line : .space)
            }
            return
        }
        switch role {
        case .lineBreak:
            if assembly.isAtLine { try close() } else if assembly.hasText { assembly.widen(.line) }
            return
        case .image, .math, .noteReference, .sub, .sayAs, .phoneme, .pageBreak, .pause: return
        default: try close()
        }
        frame.closes = true
        switch role {
        case .block(.paragraph):
            if ![.quote, .listItem, .note, .caption, .verse].contains(around.kind) { frame.kind = .paragraph }
            try verses(&frame, index)
        case .block(let kind): frame.kind = kind
        case .container: try verses(&frame, index)
        case .section: frame.sections += 1
        case .heading(let level):
            (frame.kind, frame.isFlat, frame.isLines) = (.heading, true, true)
            frame.level = level > 0 ? level : max(1, frame.sections)
        case .list: frame.lists += 1
        case .item: (frame.kind, frame.level) = (.listItem, max(1, frame.lists))
        case .verses:
            frame.kind = .verse
            let hasLines = tree.children(index).contains { tree.isElement($0) && self.role($0) == .verseLine }
            if hasLines { (frame.isFlat, frame.isLines) = (true, true) }
        case .verseLine: frame.kind = .verse
        case .preformatted:
            (frame.kind, frame.isFlat, frame.keepsLines) = (isPoetry(index) ? .verse : .code, true, true)
        case .table:
            if TableShape.isData(tree, index, vocabulary) { (frame.kind, frame.isFlat) = (.table, true) }
        case .sceneBreak: try assembly.addEmpty(.sceneBreak, matter: frame.matter)
        default: break
        }
    }

    /// Makes a poem's parts lines of one block.
    private func verses(_ frame: inout Frame, _ index: Int) throws(DocumentError) {
        guard frame.kind == .verse || isPoetry(index) else { return }
        frame.kind = .verse
        let parts = tree.children(index).filter { tree.isElement($0) && role($0) != .inline }
        let areLines =
            parts.count >= 2
            && parts.allSatisfy { part in
                let isBlock = role(part) == .container || role(part) == .block(.paragraph)
                let inside = tree.inside(part)
                return isBlock && inside.reduce(0) { $0 + tree.nodes[$1].text.count } < 200
                    && !inside.contains { tree.isElement($0) && role($0) != .inline }
            }
        if areLines { (frame.isFlat, frame.isLines) = (true, true) }
    }

    private func isPoetry(_ index: Int) -> Bool {
        let types = ElementHints.types(tree, index)
        if types.contains(where: { $0 == "z3998:poem" || $0 == "z3998:verse" }) { return true }
        guard let name = tree.attribute("class", of: index) else { return false }
        let words = ElementHints.words(name)
        return words.contains {
            ["poem", "poetry", "verse", "stanza", "linegroup", "lg", "poetic", "canto"].contains($0)
        }
    }

    /// Returns `true` if there is nothing behind a heading but what is left out.
    private func isEmptyHeading(_ index: Int) -> Bool {
        guard case .heading(let level) = role(index) else { return false }
        var next = tree.nodes[index].end
        var hasLeftOut = false
        while next < tree.nodes.count {
            let node = tree.nodes[next]
            if node.isText {
                if tree.characters[node.text].contains(where: { $0 > 0x20 }) { return false }
                next += 1
            } else if dropped.contains(next) || notes.isSpoken(next) {
                hasLeftOut = true
                next = node.end
            } else if role(next) == .skipped {
                next = node.end
            } else if case .heading(let other) = role(next) {
                if other <= level { return hasLeftOut }
                return false
            } else {
                next += 1
            }
        }
        return hasLeftOut
    }
}
