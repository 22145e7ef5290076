// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

extension ContentWalker {
    /// Begins an element within a line.
    ///
    /// Returns `false` if what is within is not read.
    mutating func inline(_ frame: inout Frame, _ index: Int, _ types: [Substring]) throws(DocumentError) -> Bool {
        if isLineNumber(index) {
            if isPageNumber(index) { notePage(index) }
            return false
        }
        let isLink = tree.name(index) == "a" || role(index) == .noteReference
        if isLink, top.kind == .heading, Self.permanent.contains(tree.plainText(index, limit: 16)) { return false }
        if isLink, let reference = noteReference(index) {
            if isInNote || top.kind == .note {
                if NoteIndex.isBackLink(tree.plainText(index, limit: 64), types: types) { return false }
            } else if let note = note(reference, from: index) {
                refer(to: note)
                if reference.isMark || role(index) == .noteReference { return false }
            } else if reference.isDeclared, reference.isMark {
                return false
            }
        } else if isLink, isInNote, NoteIndex.isBackLink(tree.plainText(index, limit: 64), types: types) {
            return false
        }
        if let language = ElementHints.language(of: tree, index), language != frame.language {
            let hasBlocks = tree.inside(index).contains {
                guard tree.isElement($0) else { return false }
                if case .block = role($0) { return true }
                return role($0) == .container
            }
            if hasBlocks { frame.language = language } else { phrase(&frame) }
        }
        if tree.attribute("ssml:ph", of: index) != nil { phrase(&frame) }
        push(frame)
        return true
    }

    /// The signs of links from a heading to itself.
    private static let permanent: Set<String> = ["#", "¶", "§", "🔗", "[edit]", "edit", "link", "Link"]

    /// The numbers of lines and pages at the edge.
    private func isLineNumber(_ index: Int) -> Bool {
        guard let name = tree.attribute("class", of: index) else { return false }
        let isNumber = ElementHints.words(name).contains {
            ["lnum", "linenum", "linenumber", "lineno", "ln"].contains($0)
        }
        guard isNumber || isPageNumber(index) else { return false }
        let text = tree.plainText(index, limit: 64)
        return text.utf8.count <= 16
            && !text.unicodeScalars.contains {
                $0.properties.isAlphabetic && !"pgivxlcPGIVXLC".unicodeScalars.contains($0)
            }
    }

    /// Returns `true` for the number of a page by its class; those with a hyphen are of DAISY 2.02.
    private func isPageNumber(_ index: Int) -> Bool {
        guard let name = tree.attribute("class", of: index) else { return false }
        if ElementHints.words(name).contains(where: { ["pagenum", "pageno", "pagenumber"].contains($0) }) {
            return true
        }
        return name.split(whereSeparator: \.isWhitespace).contains {
            ["page-normal", "page-front", "page-special"].contains($0)
        }
    }

    /// Reads a picture's description, if it says something.
    mutating func image(_ index: Int) throws(DocumentError) {
        guard readsPictures, !["presentation", "none"].contains(tree.attribute("role", of: index)) else { return }
        let alt = tree.attribute("alt", of: index)
        if let formula = alt.flatMap(FormulaText.unwrapped) { return try assembly.appendFormula(formula) }
        guard let text = ElementHints.description(alt) else { return }
        let figure = tree.path(index).first { tree.name($0) == "figure" && tree.subtree($0).count < 1000 }
        if let figure {
            let captions = tree.all("figcaption", in: tree.inside(figure))
            if captions.contains(where: { tree.plainText($0).contains(text) }) { return }
            if !top.isFlat { try close() }
        }
        assembly.widen(.space)
        try assembly.append("(\(text))")
        assembly.widen(.space)
        if figure != nil, !top.isFlat { try close() }
    }

    mutating func math(_ index: Int) throws(DocumentError) {
        guard let text = FormulaText.of(tree, index) else { return }
        let frame = top
        let isBlock = tree.attribute("display", of: index) == "block" && !frame.isFlat && !isInNote
        guard isBlock else { return try assembly.appendFormula(text) }
        try close()
        try assembly.append(text)
        try assembly.close(.formula, matter: frame.matter, language: frame.language)
    }
}
