// SPDX-License-Identifier: Apache-2.0

/// The title, author and language of a page.
struct PageMetadata {
    private(set) var title: String?
    private(set) var author: String?
    private(set) var language: String?

    init(_ tree: MarkupTree) {
        let values = Self.values(tree)
        let page = tree.first("title", in: tree.range).flatMap { OneLine.some(tree.plainText($0)) }
        let headings = tree.all("h1", in: tree.range).compactMap { OneLine.some(tree.plainText($0, limit: 600)) }
        let site = values["og:site_name"]
        title = Self.title(values, page: page, headings: headings, site: site)
        author = Self.author(tree, values)
        language =
            tree.first("html", in: tree.range).flatMap { ElementHints.language(of: tree, $0) }
            ?? tree.first("body", in: tree.range).flatMap { ElementHints.language(of: tree, $0) }
            ?? ElementHints.language(values["content-language"]?.split(separator: ",").first.map(String.init))
    }

    /// The page's own words about itself, by their names in lower case.
    static func values(_ tree: MarkupTree) -> [String: String] {
        var values: [String: String] = [:]
        for index in tree.all("meta", in: tree.range) {
            guard let content = OneLine.some(tree.attribute("content", of: index)) else { continue }
            let names = ["property", "name", "http-equiv", "itemprop"].compactMap { tree.attribute($0, of: index) }
            // What has a property goes before what has only a name.
            for name in names.map({ $0.lowercased() })
            where values[name] == nil || tree.attribute("property", of: index) != nil {
                values[name] = String(content.prefix(1000))
            }
        }
        return values
    }

    private static func title(
        _ values: [String: String], page: String?, headings: [String], site: String?
    ) -> String? {
        if let title = values["og:title"] ?? values["dc:title"] ?? values["twitter:title"] {
            return withoutSite(title, site)
        }
        guard let page else { return headings.first }
        if let heading = headings.first(where: { $0.count >= 4 && page != $0 && page.contains($0) }) { return heading }
        return withoutSite(page, site)
    }

    /// Cuts the name of the site off a title: `Article | Site`, `Site: Article` if the site says its name.
    private static func withoutSite(_ title: String, _ site: String?) -> String {
        for mark in [" | ", " – ", " — ", " - ", " » ", " :: ", " · ", " • ", " / "] {
            let parts = title.components(separatedBy: mark)
            guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
            if let site, last == site { return parts.dropLast().joined(separator: mark) }
            if let site, first == site { return parts.dropFirst().joined(separator: mark) }
            let rest = parts.dropLast().joined(separator: mark)
            // A short end behind a longer beginning is the site's name.
            let words = last.split(separator: " ").count
            if words <= 4, rest.count > last.count || mark != " - " { return rest.isEmpty ? title : rest }
        }
        return title
    }

    private static func author(_ tree: MarkupTree, _ values: [String: String]) -> String? {
        let named =
            values["author"] ?? values["article:author"] ?? values["dc.creator"] ?? values["dc:creator"]
            ?? values["dcterms.creator"] ?? values["parsely-author"]
        if let named, !named.contains("://") { return named }
        for index in tree.range where tree.isElement(index) && !tree.nodes[index].attributes.isEmpty {
            let isAuthor =
                tree.attribute("rel", of: index) == "author" || tree.attribute("itemprop", of: index) == "author"
                || ElementHints.words(tree.attribute("class", of: index) ?? "").contains("byline")
            guard isAuthor, let text = OneLine.some(tree.plainText(index, limit: 200)), text.count < 100 else {
                continue
            }
            let lower = text.lowercased()
            return lower.hasPrefix("by ") ? String(text.dropFirst(3)) : text
        }
        return nil
    }
}

extension String {
    /// The parts between marks.
    func components(separatedBy mark: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let found = rest.range(of: mark) {
            parts.append(String(rest[..<found.lowerBound]))
            rest = rest[found.upperBound...]
        }
        return parts + [String(rest)]
    }
}
