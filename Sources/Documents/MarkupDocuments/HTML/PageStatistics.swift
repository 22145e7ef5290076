// SPDX-License-Identifier: Apache-2.0

/// The amounts of text, prose and links that each element of a page has.
struct PageStatistics {
    struct Counts {
        /// Visible characters, without white space.
        var text = 0
        /// Those within links.
        var links = 0
        var linkCount = 0
        /// Characters in paragraphs that read as prose: long, and with few links.
        var prose = 0
        var paragraphs = 0

        static func += (left: inout Counts, right: Counts) {
            left.text += right.text
            left.links += right.links
            left.linkCount += right.linkCount
            left.prose += right.prose
            left.paragraphs += right.paragraphs
        }

        var linkDensity: Double { text == 0 ? 0 : Double(links) / Double(text) }
    }

    private(set) var counts: [Counts]
    /// A paragraph of prose has this many characters at least.
    private static let proseLength = 60

    /// Counts; what is left out counts for nothing.
    init(_ tree: MarkupTree, roles: [ElementRole], dropped: Set<Int>) {
        counts = Array(repeating: Counts(), count: tree.nodes.count)
        var isOut = [Bool](repeating: false, count: tree.nodes.count)
        var isLink = isOut
        for index in tree.range {
            let node = tree.nodes[index]
            if node.parent >= 0 {
                isOut[index] = isOut[node.parent]
                isLink[index] = isLink[node.parent]
            }
            if node.isText {
                guard !isOut[index] else { continue }
                let length = tree.characters[node.text].reduce(0) { $0 + ($1 > 0x20 && $1 & 0xC0 != 0x80 ? 1 : 0) }
                counts[index].text = length
                if isLink[index] { counts[index].links = length }
            } else {
                if dropped.contains(index) || roles[node.name] == .skipped { isOut[index] = true }
                if tree.name(index) == "a", tree.attribute("href", of: index) != nil {
                    isLink[index] = true
                    if !isOut[index] { counts[index].linkCount = 1 }
                }
            }
        }
        for index in tree.range.reversed() {
            let node = tree.nodes[index]
            if !node.isText { settle(index, tree, roles) }
            if node.parent >= 0 { counts[node.parent] += counts[index] }
        }
    }

    /// Takes an element for a paragraph, if no part of it is one.
    private mutating func settle(_ index: Int, _ tree: MarkupTree, _ roles: [ElementRole]) {
        let own = counts[index]
        guard own.prose == 0, own.text >= Self.proseLength, own.linkDensity < 0.5 else { return }
        switch roles[tree.nodes[index].name] {
        case .block, .preformatted, .container, .item, .cell:
            counts[index].prose = own.text - own.links
            counts[index].paragraphs += 1
        default: return
        }
    }
}
