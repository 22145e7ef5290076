// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The notes to which a text refers, and which of them have been read.
struct NoteIndex {
    struct Target {
        var path: String
        var node: Int
        /// The file that has the note; `nil` for the current one.
        var tree: MarkupTree?
        var member: Int
    }

    /// A file with notes, which need not be the current one.
    struct File {
        var tree: MarkupTree
        var member: Int
    }

    /// The path of the current file.
    var path = ""
    /// Opens another file of the document by its path.
    var open: (String) -> File? = { _ in nil }
    private var spoken: [String: Set<Int>] = [:]
    private var identified: [String: [String: Int]] = [:]

    /// The most bytes of a note that is not declared to be one.
    static let limit = 6000

    func isSpoken(_ node: Int) -> Bool { !spoken.isEmpty && spoken[path]?.contains(node) == true }

    /// Returns `false` if the note has been read.
    mutating func speak(_ target: Target) -> Bool { spoken[target.path, default: []].insert(target.node).inserted }
    mutating func speak(_ node: Int) { spoken[path, default: []].insert(node) }

    /// The element of an identifier in a file.
    mutating func element(_ id: String, in tree: MarkupTree, path: String) -> Int? {
        if let known = identified[path] { return known[id] }
        var known: [String: Int] = [:]
        for index in tree.range where tree.isElement(index) && !tree.nodes[index].attributes.isEmpty {
            for attribute in tree.attributes[tree.nodes[index].attributes]
            where attribute.name == "id" || (attribute.name == "name" && tree.name(index) == "a") {
                if known[attribute.value] == nil { known[attribute.value] = index }
            }
        }
        identified[path] = known
        return known[id]
    }

    /// A mark such as 12, [3], * or (a).
    static func isLabel(_ text: String) -> Bool {
        let core = text.filter { !"[](){}.,:;^ \u{FE0E}".contains($0) }
        guard !core.isEmpty, core.count <= 5 else { return false }
        if core.allSatisfy({ "*†‡§¶#‖".contains($0) }) { return true }
        if core.allSatisfy(\.isNumber) { return true }
        let isEnclosed = text.first.map { "[({".contains($0) } == true
        return core.count == 1 || (isEnclosed && core.count <= 4) || core.allSatisfy { "ivxlc".contains($0) }
    }

    /// Returns `true` if a link leads back from a note to where it is referred to.
    static func isBackLink(_ text: String, types: [Substring]) -> Bool {
        if types.contains("backlink") || types.contains("referrer") { return true }
        let word = text.trimmingSuffix(where: { "\u{FE0E}\u{FE0F}. ".contains($0) }).lowercased()
        return isLabel(text)
            || ["↩", "↑", "↵", "⏎", "⮌", "^", "←", "back", "return", "jump up", "zurück", "retour"].contains(word)
    }
}

extension String {
    func trimmingSuffix(where isTrimmed: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}

extension ContentWalker {
    /// A link to a note, and whether its words are only its mark.
    func noteReference(_ index: Int) -> (path: String, id: String, isMark: Bool, isDeclared: Bool)? {
        let link =
            tree.attribute("href", of: index) ?? tree.attribute("xlink:href", of: index)
            ?? tree.attribute("idref", of: index)
        guard let link, let hash = link.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let id = MemberPath.decoded(String(link[hash...].dropFirst()))
        let file = String(link[..<hash])
        guard !id.isEmpty, !file.contains(":") else { return nil }
        let types = ElementHints.types(tree, index)
        let isDeclared =
            types.contains("noteref") || role(index) == .noteReference || tree.attribute("type", of: index) == "note"
        let text = tree.plainText(index, limit: 64)
        let isRaised = isRaised(index)
        let isMark = NoteIndex.isLabel(text) || isRaised && text.utf8.count <= 12
        guard isDeclared || isMark else { return nil }
        return (file.isEmpty ? notes.path : MemberPath.resolve(file, from: notes.path) ?? "", id, isMark, isDeclared)
    }

    private func isRaised(_ index: Int) -> Bool {
        let parent = tree.nodes[index].parent
        if parent >= 0, tree.name(parent) == "sup" { return true }
        return tree.children(index).contains { tree.isElement($0) && tree.name($0) == "sup" }
    }

    /// Finds the note of a reference.
    mutating func note(_ reference: (path: String, id: String, isMark: Bool, isDeclared: Bool), from index: Int)
        -> NoteIndex.Target?
    {
        var target = NoteIndex.Target(path: reference.path, node: 0, tree: nil, member: assembly.member)
        var other = tree
        if reference.path != notes.path {
            guard !reference.path.isEmpty, let file = notes.open(reference.path) else { return nil }
            (target.tree, target.member, other) = (file.tree, file.member, file.tree)
        }
        guard var node = notes.element(reference.id, in: other, path: reference.path) else { return nil }
        if other.name(node) == "dt", let definition = Self.definition(behind: node, in: other) { node = definition }
        // An anchor stands for the block around it.
        while vocabulary.role(other.name(node)) == .inline, other.nodes[node].parent >= 0 {
            node = other.nodes[node].parent
        }
        if target.tree == nil, other.subtree(node).contains(index) { return nil }
        guard isNote(node, in: other, reference: reference, index: target.tree == nil ? index : nil) else { return nil }
        target.node = node
        return target
    }

    private static func definition(behind node: Int, in tree: MarkupTree) -> Int? {
        var next = tree.nodes[node].end
        let parent = tree.nodes[node].parent
        while next < tree.nodes.count, tree.nodes[next].parent == parent {
            if tree.name(next) == "dd" { return next }
            if tree.isElement(next) { return nil }
            next = tree.nodes[next].end
        }
        return nil
    }

    private func isNote(
        _ node: Int, in tree: MarkupTree, reference: (path: String, id: String, isMark: Bool, isDeclared: Bool),
        index: Int?
    ) -> Bool {
        switch vocabulary.role(tree.name(node)) {
        case .block(.paragraph), .block(.note), .item, .note: break
        case .container, .section: if ["html", "body", "main", "article"].contains(tree.name(node)) { return false }
        case .cell, .row: if !reference.isDeclared { return false }
        default: return false
        }
        let types = ElementHints.types(tree, node)
        let isNote = ["footnote", "endnote", "rearnote", "note", "biblioentry"].contains { types.contains($0[...]) }
        let size = tree.textSize(node, limit: NoteIndex.limit * 16)
        if isNote || vocabulary.role(tree.name(node)) == .note { return size < NoteIndex.limit * 16 }
        guard size < NoteIndex.limit else { return false }
        let hasHeading = tree.subtree(node).contains {
            guard tree.isElement($0), case .heading = vocabulary.role(tree.name($0)) else { return false }
            return vocabulary is HTMLVocabulary
        }
        if hasHeading { return false }
        if reference.isDeclared { return true }
        // A mark that is not declared refers forward, and its note is not the text itself.
        if let index, node < index { return false }
        return index != nil
            || tree.inside(node).contains { tree.isElement($0) && tree.attribute("href", of: $0) != nil }
    }
}
