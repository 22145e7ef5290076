// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The decision which of the lines that may be headings are, once all of them are known.
enum HeadingResolution {
    /// Marks headings and returns the sections that they begin.
    static func resolve(_ reading: inout PlainTextBlocks) -> [TextSection] {
        let numerals = numerals(reading)
        // What comes again and again is a stage direction or a refrain.
        var times: [String: Int] = [:]
        for candidate in reading.candidates where candidate.pattern == .capitals {
            times[candidate.title, default: 0] += 1
        }
        var accepted = reading.candidates.enumerated().filter { index, candidate in
            switch candidate.pattern {
            case .numbered, .standalone: true
            case .capitals: candidate.standsAlone && times[candidate.title] == 1
            case .numeral: numerals.contains(index)
            }
        }.map(\.element)
        accepted.removeAll { reading.blocks[$0.block].matter != .body }
        dropContents(&accepted, &reading)
        let levels = levels(of: accepted)
        var sections: [TextSection] = underlined(reading)
        for candidate in accepted {
            let level = levels[rank(candidate.pattern)] ?? 1
            reading.blocks[candidate.block].kind = .heading
            reading.blocks[candidate.block].level = level
            if case .standalone(isContents: true) = candidate.pattern {
                reading.blocks[candidate.block].matter = .front
            }
            let title = candidate.block + 1
            if title < reading.blocks.count, reading.blocks[title].kind == .heading, candidate.pattern.takesTitle,
                !accepted.contains(block: title)
            {
                reading.blocks[title].level = level
            }
            sections.append(
                TextSection(
                    title: candidate.title, level: level, start: reading.blocks[candidate.block].range.lowerBound))
        }
        sections.sort { ($0.start, $0.level) < ($1.start, $1.level) }
        return sections
    }

    private static func rank(_ pattern: HeadingPattern) -> ChapterWords.Rank {
        switch pattern {
        case .numbered(let rank, _): rank
        case .standalone: .chapter
        case .capitals, .numeral: .other
        }
    }

    /// Gives levels from 1 to the ranks that there are.
    private static func levels(of candidates: [PlainTextBlocks.Candidate]) -> [ChapterWords.Rank: Int] {
        let ranks = Set(candidates.map { rank($0.pattern) }).sorted()
        return Dictionary(uniqueKeysWithValues: ranks.enumerated().map { ($1, $0 + 1) })
    }

    /// Returns the sections of headings that signs underline.
    private static func underlined(_ reading: PlainTextBlocks) -> [TextSection] {
        var sections: [TextSection] = []
        for (index, block) in reading.blocks.enumerated() where block.kind == .heading && block.matter == .body {
            guard index + 1 < reading.blocks.count, reading.blocks[index + 1].kind == .sceneBreak else { continue }
            let words = String(decoding: reading.source.bytes[block.range], as: UTF8.self)
            let title = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            sections.append(TextSection(title: title, level: block.level, start: block.range.lowerBound))
        }
        return sections
    }

    /// Returns which of the numbers count chapters: they count up from 1, two at least.
    ///
    /// Page numbers do so, too, but they stand in the middle of sentences.
    private static func numerals(_ reading: PlainTextBlocks) -> Set<Int> {
        var result: Set<Int> = []
        for roman in [true, false] {
            var run: [Int] = []
            var runs: [[Int]] = []
            var expected = 1
            for (index, candidate) in reading.candidates.enumerated() {
                guard case .numeral(let value, roman) = candidate.pattern else { continue }
                if value == 1 {
                    runs.append(run)
                    run = []
                } else if value != expected || run.isEmpty {
                    continue
                }
                run.append(index)
                expected = value + 1
            }
            runs.append(run)
            for run in runs where run.count >= 2 {
                let behindStops = run.count { isBehindStop(reading, reading.candidates[$0].block) }
                if behindStops * 5 >= run.count * 4 { result.formUnion(run) }
            }
        }
        return result
    }

    private static func isBehindStop(_ reading: PlainTextBlocks, _ block: Int) -> Bool {
        guard block > 0 else { return true }
        let before = reading.blocks[block - 1]
        guard before.kind == .paragraph, before.range.count > HeadingPattern.longest else { return true }
        let line = TextLine(
            start: UInt32(clamping: before.range.lowerBound), end: UInt32(clamping: before.range.upperBound),
            next: UInt32(clamping: before.range.upperBound), indent: 0, width: 1, firstWord: 1, endsPage: false)
        return reading.endsSentence(line)
    }

    /// Makes headings without text between them the entries of a table of contents.
    private static func dropContents(_ accepted: inout [PlainTextBlocks.Candidate], _ reading: inout PlainTextBlocks) {
        var kept: [PlainTextBlocks.Candidate] = []
        var start = 0
        while start < accepted.count {
            var end = start + 1
            while end < accepted.count, accepted[end].block == accepted[end - 1].block + 1 { end += 1 }
            let run = accepted[start..<end]
            start = end
            var entries = run.count - 1
            // The first heading of the book itself stands right behind its own entry.
            for index in run.indices.dropFirst() where run[..<index].contains(where: { $0.title == run[index].title }) {
                entries = index - run.startIndex
                break
            }
            let listed = run.prefix(entries)
            let chapters = listed.count { if case .numbered = $0.pattern { true } else { false } }
            guard chapters >= 3 else {
                kept += run
                continue
            }
            for candidate in listed {
                if case .standalone = candidate.pattern {
                    kept.append(candidate)
                } else {
                    reading.blocks[candidate.block].kind = .listItem
                    reading.blocks[candidate.block].level = 1
                }
                reading.blocks[candidate.block].matter = .front
            }
            kept += run.dropFirst(entries)
        }
        accepted = kept
    }
}

extension [PlainTextBlocks.Candidate] {
    /// Returns `true` if one of them is a block.
    ///
    /// They are in order.
    fileprivate func contains(block: Int) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].block < block { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].block == block
    }
}
