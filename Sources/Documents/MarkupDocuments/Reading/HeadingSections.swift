// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

extension ContentWalker {
    /// Returns the sections by the headings.
    ///
    /// Levels become the numbers from 1 on, in the blocks as well.
    mutating func headingSections() -> [TextSection] {
        let known = headings.filter { $0.block < assembly.blocks.count && assembly.blocks[$0.block].kind == .heading }
        let levels = Set(known.map(\.level)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: levels.enumerated().map { ($1, $0 + 1) })
        return known.map { heading in
            let level = numbers[heading.level] ?? 1
            assembly.blocks[heading.block].level = level
            let block = assembly.blocks[heading.block]
            let title = OneLine.make(String(decoding: assembly.text[block.range], as: UTF8.self))
            return TextSection(title: title, level: level, start: block.range.lowerBound)
        }
    }
}

extension MarkupAssembly {
    /// Drops breaks between scenes at the end.
    mutating func trimBreaks() {
        while let last = blocks.last, last.kind == .sceneBreak, last.range.isEmpty { blocks.removeLast() }
    }
}
