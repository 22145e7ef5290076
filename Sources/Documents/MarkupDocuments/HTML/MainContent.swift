// SPDX-License-Identifier: Apache-2.0

/// Finds the article of a page, and what around and within it is none.
struct MainContent {
    /// The element whose inside is read.
    private(set) var root: Int
    /// Elements that are not read.
    private(set) var dropped: Set<Int> = []

    private let tree: MarkupTree
    private let roles: [ElementRole]
    private var statistics: PageStatistics

    /// The part of a page's prose that its article has at least.
    private static let share = 0.6

    init(_ tree: MarkupTree, roles: [ElementRole], body: Int) {
        self.tree = tree
        self.roles = roles
        root = body
        statistics = PageStatistics(tree, roles: roles, dropped: [])
        dropUnlikely(body)
        statistics = PageStatistics(tree, roles: roles, dropped: dropped)
        root = article(body)
        dropLists()
    }

    // MARK: What is no article

    private mutating func dropUnlikely(_ body: Int) {
        let all = statistics.counts[body]
        var index = body + 1
        while index < tree.nodes[body].end {
            guard tree.isElement(index) else {
                index += 1
                continue
            }
            if isOut(index, of: all) {
                dropped.insert(index)
                index = tree.nodes[index].end
            } else {
                index += 1
            }
        }
    }

    private func isOut(_ index: Int, of all: PageStatistics.Counts) -> Bool {
        if ElementHints.isHidden(tree, index), !holdsFormula(index) { return true }
        let counts = statistics.counts[index]
        // A name says little about what holds most of the page.
        let isMost = counts.prose * 2 > all.prose && all.prose > 0
        switch PageHints.verdict(tree, index) {
        case .content, .neutral: return false
        case .out: return !isMost && !isProseElement(index)
        case .aside: return !isMost && isThin(counts) && !isHeadingHolder(index) && !isProseElement(index)
        }
    }

    private func holdsFormula(_ index: Int) -> Bool { tree.first("math", in: tree.subtree(index)) != nil }

    /// A paragraph within an article may have any name.
    private func isProseElement(_ index: Int) -> Bool {
        if tree.attribute("role", of: index)?.lowercased() == "button" { return false }
        return switch tree.name(index) {
        case "p", "blockquote", "pre", "h1", "figcaption", "math": true
        case "span", "a", "em", "strong", "b", "i", "sup", "sub", "code", "cite", "q", "abbr":
            statistics.counts[index].linkCount == 0 && statistics.counts[index].text > 0 && !isEdit(index)
        default: false
        }
    }

    private func isEdit(_ index: Int) -> Bool {
        ElementHints.words(tree.attribute("class", of: index) ?? "").contains {
            ["editsection", "only", "sr", "hidden"].contains($0)
        }
    }

    private func isThin(_ counts: PageStatistics.Counts) -> Bool {
        counts.paragraphs <= 1 && counts.prose < 400 || counts.linkDensity > 0.4
    }

    private func isHeadingHolder(_ index: Int) -> Bool { tree.first("h1", in: tree.inside(index)) != nil }

    // MARK: The article

    private func article(_ body: Int) -> Int {
        let all = statistics.counts[body].prose
        guard all > 0 else { return body }
        let declared = tree.inside(body).filter {
            tree.isElement($0) && !isWithinDropped($0) && PageHints.verdict(tree, $0) == .content
                && ["article", "main"].contains(tree.name($0)) || isDeclaredMain($0)
        }
        // The smallest declared article with enough of the prose, and otherwise the smallest element with more.
        let best = declared.filter { Double(statistics.counts[$0].prose) >= Double(all) * 0.45 }
            .min { statistics.counts[$0].text < statistics.counts[$1].text }
        if let best { return withHeading(best, body) }
        var node = body
        while true {
            let inner = tree.children(node).filter { tree.isElement($0) && !dropped.contains($0) }
                .max { statistics.counts[$0].prose < statistics.counts[$1].prose }
            guard let inner, isHolder(inner),
                Double(statistics.counts[inner].prose) >= Double(all) * Self.share,
                statistics.counts[inner].paragraphs > 1 || statistics.counts[node].paragraphs == 1
            else { break }
            node = inner
        }
        return withHeading(node, body)
    }

    private func isDeclaredMain(_ index: Int) -> Bool {
        guard tree.isElement(index), !isWithinDropped(index) else { return false }
        return tree.attribute("role", of: index)?.lowercased() == "main"
            || tree.attribute("itemprop", of: index) == "articleBody"
    }

    private func isWithinDropped(_ index: Int) -> Bool { tree.path(index).contains { dropped.contains($0) } }

    private func isHolder(_ index: Int) -> Bool {
        switch roles[tree.nodes[index].name] {
        case .container, .section, .table, .row, .cell, .inline: true
        default: false
        }
    }

    /// Goes out to the element that has the page's only main heading, too, if little else comes with it.
    private func withHeading(_ node: Int, _ body: Int) -> Int {
        let headings = tree.all("h1", in: tree.inside(body)).filter { !isWithinDropped($0) }
        guard headings.count == 1, let heading = headings.first, heading < node else { return node }
        guard let common = tree.path(node).first(where: { tree.subtree($0).contains(heading) }) else { return node }
        let (outer, inner) = (statistics.counts[common], statistics.counts[node])
        return outer.text - inner.text < max(300, inner.text / 4) ? common : node
    }

    // MARK: Lists of links

    /// Drops lists of links within the article.
    private mutating func dropLists() {
        var index = root + 1
        while index < tree.nodes[root].end {
            guard tree.isElement(index), !dropped.contains(index) else {
                index = tree.isElement(index) ? tree.nodes[index].end : index + 1
                continue
            }
            if isLinkList(index) {
                dropped.insert(index)
                index = tree.nodes[index].end
            } else {
                index += 1
            }
        }
    }

    private func isLinkList(_ index: Int) -> Bool {
        let counts = statistics.counts[index]
        switch tree.name(index) {
        case "ul", "ol", "div", "section", "table", "aside", "p", "dl", "form":
            let limit = tree.name(index) == "p" || tree.name(index) == "ol" ? 0.9 : 0.6
            return counts.linkCount >= 3 && counts.linkDensity > limit && counts.prose * 4 < counts.text
        default: return false
        }
    }
}
