// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite(.timeLimit(.minutes(1))) struct `The boundaries in the content` {
    /// Reads blocks of 100 units and frames, and returns what was read: `|` stands for a boundary in front.
    private func read(_ chapters: [HeardPosition], _ blocks: [(track: Int, first: Int64)], room: Int) -> [String] {
        var boundaries = ContentBoundaries(chapters)
        var parts: [String] = []
        for block in blocks {
            var first = block.first
            let end = first + 100
            while first < end {
                let rest = PCMBlock.unread(Int(end - first), track: block.track, units: first..<end)
                let mark = boundaries.begin(rest) ? "|" : ""
                let frames = Int64(boundaries.frames(of: rest, room: room))
                parts.append("\(mark)\(block.track):\(first)-\(first + frames)")
                first += frames
            }
        }
        return parts
    }

    @Test(
        arguments: [
            ([], ["|0:0-100", "0:100-200", "|1:0-100"]),
            ([.place(0, 0), .place(0, 130)], ["|0:0-100", "0:100-130", "|0:130-200", "|1:0-100"]),
            // Between two blocks, at the end of a track, and right behind one another.
            ([.place(0, 100), .place(0, 200)], ["|0:0-100", "|0:100-200", "|1:0-100"]),
            ([.place(0, 7), .place(0, 8)], ["|0:0-7", "|0:7-8", "|0:8-100", "0:100-200", "|1:0-100"]),
            // In other tracks.
            ([.place(1, 40), .place(5, 20)], ["|0:0-100", "0:100-200", "|1:0-40", "|1:40-100"]),
        ] as [([HeardPosition], [String])])
    func `are where a chapter or a track begins`(_ chapters: [HeardPosition], _ parts: [String]) {
        #expect(read(chapters, [(0, 0), (0, 100), (1, 0)], room: 1000) == parts)
    }

    @Test func `are found however little is read at a time`() {
        #expect(
            read([.place(0, 50)], [(0, 0)], room: 30) == ["|0:0-30", "0:30-50", "|0:50-80", "0:80-100"])
    }
}
