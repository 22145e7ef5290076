// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The package document of a book: what it is, its files and their order.
struct PackageDocument {
    struct Item {
        var path: String
        var mediaType: String
        var properties: [Substring]
        var overlay: String?
    }

    struct SpineItem {
        var id: String
        var isLinear: Bool
    }

    /// Its own path.
    let path: String
    private(set) var title: String?
    private(set) var author: String?
    private(set) var language: String?
    private(set) var items: [String: Item] = [:]
    private(set) var spine: [SpineItem] = []
    /// The files that the guide names, by their type.
    private(set) var guide: [String: String] = [:]
    private(set) var contentsID: String?

    /// The most items of a spine.
    private static let limit = 50_000

    init(_ file: [UInt8], path: String, limits: ReadingLimits) throws(DocumentError) {
        self.path = path
        let tree = try XMLTree.parse(file, limits: limits).tree
        guard let package = tree.first("package", in: tree.range) else {
            throw DocumentError(.corrupt, "the book's package document \(path) is damaged; get the file again")
        }
        readMetadata(tree, package)
        for index in tree.all("item", in: tree.subtree(package)) {
            guard let id = tree.attribute("id", of: index), let href = tree.attribute("href", of: index),
                let path = MemberPath.resolve(href, from: path), items[id] == nil
            else { continue }
            let properties = tree.attribute("properties", of: index) ?? ""
            items[id] = Item(
                path: path, mediaType: tree.attribute("media-type", of: index)?.lowercased() ?? "",
                properties: properties.split(whereSeparator: \.isWhitespace),
                overlay: tree.attribute("media-overlay", of: index))
        }
        if let index = tree.first("spine", in: tree.subtree(package)) { contentsID = tree.attribute("toc", of: index) }
        for index in tree.all("itemref", in: tree.subtree(package)).prefix(Self.limit) {
            guard let id = tree.attribute("idref", of: index) else { continue }
            spine.append(SpineItem(id: id, isLinear: tree.attribute("linear", of: index)?.lowercased() != "no"))
        }
        for index in tree.all("reference", in: tree.subtree(package)) {
            guard let type = tree.attribute("type", of: index), let href = tree.attribute("href", of: index),
                let target = MemberPath.resolve(href, from: path)
            else { continue }
            guide[target] = type.lowercased()
        }
    }

    /// The most titles and authors.
    private static let nameLimit = 32

    /// A book whose package document is lost: its pages in the archive's order.
    init(pages names: [String]) {
        path = ""
        let pages = names.filter { name in [".xhtml", ".html", ".htm"].contains { name.lowercased().hasSuffix($0) } }
        for page in pages.prefix(Self.limit) {
            items[page] = Item(path: page, mediaType: "application/xhtml+xml", properties: [], overlay: nil)
            spine.append(SpineItem(id: page, isLinear: true))
        }
        if let name = names.first(where: { $0.lowercased().hasSuffix(".ncx") }) {
            items[name] = Item(path: name, mediaType: "application/x-dtbncx+xml", properties: [], overlay: nil)
        }
    }

    private mutating func readMetadata(_ tree: MarkupTree, _ package: Int) {
        guard let metadata = tree.first("metadata", in: tree.subtree(package)) else { return }
        let range = tree.subtree(metadata)
        let refinements = tree.all("meta", in: range)
        func refined(_ index: Int, _ property: String) -> String? {
            guard let id = tree.attribute("id", of: index) else { return nil }
            let meta = refinements.first {
                tree.attribute("refines", of: $0) == "#\(id)" && tree.attribute("property", of: $0) == property
            }
            return meta.map { tree.plainText($0) }
        }
        let titles = tree.all("title", in: range).prefix(Self.nameLimit).filter { !tree.plainText($0).isEmpty }
        let main = titles.first { refined($0, "title-type") == "main" } ?? titles.first
        title = main.flatMap { OneLine.some(tree.plainText($0)) }
        let creators = tree.all("creator", in: range).prefix(Self.nameLimit).filter {
            let role = tree.attribute("opf:role", of: $0) ?? refined($0, "role")
            return role == nil || role == "aut"
        }
        let names = (creators.isEmpty ? tree.all("creator", in: range) : creators).compactMap {
            OneLine.some(tree.plainText($0))
        }
        author = names.isEmpty ? nil : names.prefix(8).joined(separator: ", ")
        language = tree.first("language", in: range).flatMap { ElementHints.language(tree.plainText($0)) }
    }

    /// The table of contents of EPUB 3.
    var navigation: Item? { items.values.first { $0.properties.contains("nav") } }

    /// The table of contents of EPUB 2.
    var ncx: Item? {
        if let id = contentsID, let item = items[id] { return item }
        return items.values.first { $0.mediaType == "application/x-dtbncx+xml" }
    }
}
