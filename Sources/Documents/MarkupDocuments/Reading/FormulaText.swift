// SPDX-License-Identifier: Apache-2.0

/// A formula in words of its author, or as it stands.
enum FormulaText {
    static func of(_ tree: MarkupTree, _ index: Int) -> String? {
        if let text = OneLine.some(tree.attribute("alttext", of: index)) { return unwrapped(text) ?? text }
        var parts: [String] = []
        var node = index + 1
        while node < tree.nodes[index].end, parts.count < 2000 {
            if tree.isElement(node), tree.name(node).hasPrefix("annotation") {
                node = tree.nodes[node].end
                continue
            }
            if tree.nodes[node].isText, let text = OneLine.some(tree.plainText(node..<node + 1)) { parts.append(text) }
            node += 1
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The inside of `{\displaystyle …}`, or `nil` if the text is no such formula.
    static func unwrapped(_ text: String) -> String? {
        let text = OneLine.make(text)
        for style in ["{\\displaystyle ", "{\\textstyle "] where text.hasPrefix(style) && text.hasSuffix("}") {
            return OneLine.some(String(text.dropFirst(style.count).dropLast()))
        }
        return nil
    }
}
