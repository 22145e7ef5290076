// SPDX-License-Identifier: Apache-2.0

/// Tells tables of data from those that place the parts of a page.
enum TableShape {
    private static let cellLimit = 400

    static func isData(_ tree: MarkupTree, _ index: Int, _ vocabulary: any MarkupVocabulary) -> Bool {
        if let role = tree.attribute("role", of: index), role == "presentation" || role == "none" { return false }
        var (rows, columns, cells) = (0, 0, 0)
        for node in tree.inside(index) where tree.isElement(node) {
            switch vocabulary.role(tree.name(node)) {
            case .table: return false
            case .row:
                rows += 1
                cells = 0
            case .cell:
                cells += 1
                columns = max(columns, cells)
                if tree.inside(node).reduce(0, { $0 + tree.nodes[$1].text.count }) > cellLimit { return false }
            case .heading: return false
            default: break
            }
        }
        return columns >= 2 && rows >= 2
    }
}
