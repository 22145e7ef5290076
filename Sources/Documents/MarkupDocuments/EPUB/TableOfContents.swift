// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The entries of a book's table of contents.
struct TableOfContents {
    struct Entry: Hashable {
        var title: String
        var level: Int
        /// The file, and an element in it.
        var path: String
        var fragment: String?
    }

    private(set) var entries: [Entry] = []
    /// Files and what the book says they are.
    private(set) var landmarks: [String: String] = [:]

    /// The pages, which may be listed in the other kind of navigation than the contents.
    private(set) var pages = PageList()

    private static let limit = 100_000

    init() {}

    /// Reads the navigation document of EPUB 3.
    init(navigation file: [UInt8], path: String, limits: ReadingLimits) throws(DocumentError) {
        let tree = try HTMLTree.parse(MarkupSource(file, charset: nil, limits: limits), isXHTML: true, limits: limits)
        pages = PageList(navigation: tree, path: path)
        let navs = tree.all("nav", in: tree.range)
        let contents =
            navs.first { ElementHints.types(tree, $0).contains("toc") }
            ?? navs.first { ElementHints.types(tree, $0).allSatisfy { $0 != "page-list" && $0 != "landmarks" } }
        if let contents { read(tree, tree.inside(contents), path) }
        if let landmarks = navs.first(where: { ElementHints.types(tree, $0).contains("landmarks") }) {
            for link in tree.all("a", in: tree.inside(landmarks)) {
                guard let target = tree.attribute("href", of: link).flatMap({ MemberPath.resolve($0, from: path) })
                else { continue }
                for type in ElementHints.types(tree, link) where self.landmarks[target] == nil {
                    self.landmarks[target] = String(type)
                }
            }
        }
    }

    /// Takes over what another navigation of the same book says beyond the contents.
    mutating func add(_ other: TableOfContents) {
        landmarks.merge(other.landmarks) { own, _ in own }
        if pages.entries.isEmpty { pages = other.pages }
    }

    private mutating func read(_ tree: MarkupTree, _ range: Range<Int>, _ path: String) {
        var ends: [Int] = []
        var title: String?
        for index in range where tree.isElement(index) {
            while let end = ends.last, end <= index { ends.removeLast() }
            switch tree.name(index) {
            case "ol", "ul": ends.append(tree.nodes[index].end)
            case "a":
                guard let href = tree.attribute("href", of: index), let target = MemberPath.resolve(href, from: path)
                else { continue }
                add(Self.title(tree, index), ends.count, target, MemberPath.fragment(href), heading: &title)
            case "span" where tree.nodes[index].parent >= 0 && tree.name(tree.nodes[index].parent) == "li":
                // A part that is no place itself: it begins where its first chapter does.
                title = OneLine.some(tree.plainText(index))
                pendingLevel = ends.count
            default: continue
            }
        }
    }

    private var pendingLevel = 0

    private mutating func add(_ text: String, _ level: Int, _ path: String, _ fragment: String?, heading: inout String?)
    {
        if let part = heading, level > pendingLevel {
            entries.append(Entry(title: part, level: max(1, pendingLevel), path: path, fragment: fragment))
        }
        heading = nil
        guard !text.isEmpty, entries.count < Self.limit else { return }
        entries.append(Entry(title: text, level: max(1, level), path: path, fragment: fragment))
    }

    private static func title(_ tree: MarkupTree, _ index: Int) -> String {
        let text = tree.plainText(index)
        if !text.isEmpty { return text }
        return OneLine.some(tree.attribute("title", of: index)) ?? tree.first("img", in: tree.inside(index))
            .flatMap { OneLine.some(tree.attribute("alt", of: $0)) } ?? ""
    }

    /// Reads the navigation control file of EPUB 2 and DAISY 3.
    init(ncx file: [UInt8], path: String, limits: ReadingLimits) throws(DocumentError) {
        let tree = try XMLTree.parse(file, limits: limits).tree
        pages = PageList(ncx: tree, path: path)
        guard let map = tree.first("navMap", in: tree.range) else { return }
        var ends: [Int] = []
        for index in tree.inside(map) where tree.isElement(index) && tree.name(index) == "navPoint" {
            while let end = ends.last, end <= index { ends.removeLast() }
            ends.append(tree.nodes[index].end)
            guard let label = tree.elements("navLabel", of: index).first,
                let content = tree.elements("content", of: index).first,
                let source = tree.attribute("src", of: content),
                let target = MemberPath.resolve(source, from: path)
            else { continue }
            var none: String?
            add(tree.plainText(label), ends.count, target, MemberPath.fragment(source), heading: &none)
        }
    }
}
