// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `The rule for silences` {
    /// Each character is a cell: `#` sounds, `.` is silent, `!` is silent behind a boundary.
    private func cells(_ drawing: String) -> SoundCells {
        let cells = SoundCells(capacity: 1_000)
        var quiet = 0
        for (number, cell) in drawing.enumerated() {
            quiet = cell == "#" ? 0 : cell == "!" ? 1 : quiet + 1
            cells.append(SoundCell(start: Int64(number * 10), frames: 10, quiet: quiet))
        }
        return cells
    }

    /// Returns the decision about each cell: `p`lay, `l`eave out, `w`ait.
    private func decisions(_ drawing: String, isOver: Bool = false) -> String {
        let cells = cells(drawing)
        guard let rule = SilenceRule(limit: 30) else { return "no rule" }
        return String(
            (0..<cells.end).map { number -> Character in
                switch rule.decision(number, cells, isOver: isOver) {
                case .play: "p"
                case .leaveOut: "l"
                case .wait: "w"
                }
            })
    }

    private func line(_ parts: (Character, Int)...) -> String {
        parts.map { String(repeating: $0.0, count: $0.1) }.joined()
    }

    @Test func `leaves out the middle of a long one`() {
        let silence = line(("#", 2), (".", 31), ("#", 1))
        #expect(decisions(silence) == line(("p", 2), ("p", 12), ("l", 7), ("p", 12), ("p", 1)))
    }

    @Test func `keeps one at the limit, and one on each side of a boundary`() {
        #expect(decisions(line(("#", 2), (".", 30), ("#", 1))) == line(("p", 33)))
        #expect(decisions(line((".", 20), ("!", 1), (".", 19), ("#", 1))) == line(("p", 41)))
    }

    @Test func `waits for the end of one that may become long`() {
        let silence = line(("#", 2), (".", 20))
        #expect(decisions(silence) == line(("p", 2), ("p", 12), ("w", 8)))
        #expect(decisions(silence, isOver: true) == line(("p", 22)), "nothing more can come")
    }

    @Test(arguments: [(24, false), (25, true)]) func `needs a limit`(_ cells: Int, leavesOut: Bool) {
        #expect((SilenceRule(limit: cells) != nil) == leavesOut)
    }
}

@Suite struct `The division into cells` {
    private func analysis(_ samples: [Float], boundaries: [Int64] = [], from first: Int64 = 0, isWhole: Bool = true)
        -> CellAnalysis
    {
        var window = SourceWindow(frames: 1_000, channels: 1)
        var analysis = CellAnalysis(channels: 1, cellFrames: 10, meter: nil)
        window.restart(at: first)
        _ = analysis.restart(at: first)
        for boundary in boundaries { analysis.markBoundary(at: boundary) }
        window.append(samples, frames: samples.count)
        analysis.advance(into: window, isWhole: isWhole)
        return analysis
    }

    private func words(_ analysis: CellAnalysis) -> [String] {
        (analysis.cells.first..<analysis.cells.end).map {
            let cell = analysis.cells[$0]
            return "\(cell.start)-\(cell.end)" + (cell.quiet > 0 ? " quiet \(cell.quiet)" : "")
        }
    }

    private static let sound = [Float](repeating: 0.5, count: 15) + [Float](repeating: 0.001, count: 20)

    @Test func `is every 10 ms, and the rest at the end`() {
        #expect(words(analysis(Self.sound)) == ["0-10", "10-20", "20-30 quiet 1", "30-35 quiet 2"])
        #expect(words(analysis(Self.sound, isWhole: false)) == ["0-10", "10-20", "20-30 quiet 1"])
        #expect(words(analysis(Self.sound, from: 7)).first == "7-17")
    }

    @Test func `begins anew at a boundary, and counts silence from there`() {
        #expect(
            words(analysis(Self.sound, boundaries: [4, 25]))
                == ["0-4", "4-14", "14-24", "24-25 quiet 1", "25-35 quiet 1"])
    }

    @Test func `is kept where sound is read again, and begins anew elsewhere`() {
        var analysis = analysis(Self.sound)
        let within = analysis.restart(at: 12)
        #expect(within == 1 && analysis.cells.end == 4)
        let behind = analysis.restart(at: 35)
        #expect(behind == 4 && analysis.cells.first == 0)
        let elsewhere = analysis.restart(at: 500)
        #expect(elsewhere == 4 && analysis.cells.first == 4, "what was there is forgotten")
    }
}

@Suite struct `The gains of cells` {
    @Test func `wait for the sound ahead, and are found once`() {
        let cells = SoundCells(capacity: 100)
        func append() { cells.append(SoundCell(start: Int64(cells.end * 10), frames: 10, quiet: 0, loudness: -24)) }
        for _ in 0..<5 { append() }
        var leveling = CellLeveling(Leveler(target: -18), look: 5)
        func level(upTo number: Int, isOver: Bool = false) -> Bool {
            leveling.level(cells, upTo: number, isOver: isOver)
        }
        #expect(!level(upTo: 0))
        append()
        #expect(level(upTo: 0))
        #expect(abs(cells[0].to - 1.995) < 0.001, "6 dB")
        #expect(!level(upTo: 1))
        #expect(cells[1].to == 1)
        #expect(level(upTo: 5, isOver: true))
        cells[0].to = 7
        #expect(level(upTo: 5, isOver: true))
        #expect(cells[0].to == 7)
    }
}

@Suite struct `Sound that is left out` {
    @Test func `fades out below what follows it, as far as it was kept`() {
        var skipped = SkippedSound(frames: 10, channels: 1)
        skipped.begin(at: 40) { buffer in
            for frame in 0..<4 { buffer[frame] = 1 }
            return 4
        }
        #expect(skipped.start == 40)
        let zeros = [Float](repeating: 0, count: 5)
        #expect(changed(zeros) { skipped.fade(into: $0, frames: 5) } == [0.875, 0.625, 0.375, 0.125, 0])
        skipped.advance(by: 3)
        #expect(skipped.start == nil)
        #expect(changed(zeros) { skipped.fade(into: $0, frames: 5) } == [0.125, 0, 0, 0, 0])
        skipped.restart()
        #expect(changed(zeros) { skipped.fade(into: $0, frames: 5) } == zeros)
    }
}

@Suite struct `The read-ahead window` {
    @Test func `keeps the source's frame numbers when its buffer wraps`() {
        var window = SourceWindow(frames: 8, channels: 1)
        window.restart(at: 1_000)
        #expect(window.room(from: 1_000) == 8)
        window.append([0, 1, 2, 3, 4, 5], frames: 6)
        #expect(window.end == 1_006 && window.room(from: 1_004) == 6)
        window.append([6, 7, 8, 99], frames: 4)
        let (samples, run) = window.frames(from: 1_006)
        #expect(run == 2 && samples[0] == 6 && samples[1] == 7)
        #expect(window.frames(from: 1_008).0[0] == 8)
        #expect(window.frames(from: 1_009).0[0] == SampleBounds.largest)
    }
}
