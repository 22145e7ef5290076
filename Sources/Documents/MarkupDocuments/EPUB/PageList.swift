// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The pages of the printed book, as a book lists them.
struct PageList {
    struct Entry: Hashable {
        var label: String
        /// The file, and an element in it.
        var path: String
        var fragment: String?
    }

    private(set) var entries: [Entry] = []

    init() {}

    /// Reads the `page-list` of a navigation document of EPUB 3.
    init(navigation tree: MarkupTree, path: String) {
        let list = tree.all("nav", in: tree.range).first { ElementHints.types(tree, $0).contains("page-list") }
        guard let list else { return }
        for link in tree.all("a", in: tree.inside(list)) {
            guard let href = tree.attribute("href", of: link) else { continue }
            add(tree.plainText(link, limit: 256), href, from: path)
        }
    }

    /// Reads the `pageList` of a navigation control file of EPUB 2 and DAISY 3.
    init(ncx tree: MarkupTree, path: String) {
        guard let list = tree.first("pageList", in: tree.range) else { return }
        for target in tree.all("pageTarget", in: tree.inside(list)) {
            guard let content = tree.elements("content", of: target).first,
                let source = tree.attribute("src", of: content)
            else { continue }
            let label = tree.elements("navLabel", of: target).first.map { tree.plainText($0, limit: 256) }
            add(
                label.flatMap { $0.isEmpty ? nil : $0 } ?? tree.attribute("value", of: target) ?? "", source, from: path
            )
        }
    }

    private mutating func add(_ text: String, _ href: String, from path: String) {
        guard entries.count < TextPage.most, let label = TextPage.label(text),
            let target = MemberPath.resolve(href, from: path)
        else { return }
        entries.append(Entry(label: label, path: target, fragment: MemberPath.fragment(href)))
    }
}
