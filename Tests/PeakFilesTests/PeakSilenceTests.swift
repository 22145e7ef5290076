// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import MediaPlayback
import Testing

@testable import PeakFiles

@Suite struct PeakSilenceTests {
    private static func loud(_ rms: Int) -> Peak { Peak(minimum: -32_000, maximum: 32_000, rms: UInt16(rms)) }

    /// Draws peaks: a digit is the level of speech, shifted right that often; `.` is the noise and `_` is nothing.
    private static func drawn(_ drawing: String, speech: Int, noise: Int) -> [Peak] {
        drawing.filter { $0 != " " }.map { character in
            switch character {
            case ".": loud(noise)
            case "_": loud(0)
            default: loud(speech >> (character.wholeNumberValue ?? 0))
            }
        }
    }

    private static func silences(_ peaks: [Peak], sampleRate: Int) -> [[Int]] {
        var rule = SilenceRule()
        rule.add(peaks)
        var finder = SilenceFinder(threshold: rule.threshold, sampleRate: sampleRate)
        finder.add(peaks)
        finder.finish()
        return finder.silences.map { [Int($0.start) / 512, Int($0.end) / 512] }
    }

    // At 8533 Hz a peak is 60 ms, so five are 300 ms.
    static let table: [(drawing: String, noise: Int, found: [[Int]])] = [
        ("00000 ..... 00000000000000", 10, [[5, 10]]),
        ("00000 .... 000000000000000", 10, []),
        ("..... 000000000000000000000 .....", 10, [[0, 5], [26, 31]]),
        ("0000000 _____ 00000000000000", 10, [[7, 12]]),
        ("0000000 __.__ 00000000000000", 10, [[7, 12]]),
        ("0000000 ..2.. 00000000000000", 10, []),
        ("0000000 66666 00000000000000", 10, [[7, 12]]),
        // Without anything quieter, this is the noise; with it, it is a part of the sound.
        ("0000000 44444 00000000000000", 10, [[7, 12]]),
        ("0000000 44444 000000 ..... 00", 10, [[18, 23]]),
        // A noisy recording: the pauses are a seventh of the speech.
        ("0000000 ...... 00000000000000", 1100, [[7, 13]]),
        // So noisy that there is no telling.
        ("0000000 ...... 00000000000000", 3000, []),
        ("00000000000000000000", 10, []),
        ("____________________", 10, [[0, 20]]),
        ("", 10, []),
    ]

    @Test(arguments: table.indices) func `a stretch much quieter than the speech is a silence from 300 ms on`(
        _ index: Int
    ) {
        let row = Self.table[index]
        let peaks = Self.drawn(row.drawing, speech: 8000, noise: row.noise)
        #expect(Self.silences(peaks, sampleRate: 8533) == row.found, "\(row.drawing)")
    }

    @Test func `the rule does not depend on how loud the recording is`() {
        let drawing = "00000 66666 0000000000 6666666 000000"
        for speech in [900, 8000, 30_000] {
            #expect(
                Self.silences(Self.drawn(drawing, speech: speech, noise: 0), sampleRate: 8533) == [[5, 10], [20, 27]])
        }
    }

    @Test func `silences are in the finished files, across segments, and found by range`() throws {
        let folder = try TemporaryFolder()
        let cache = PeakCache(folder: folder.path)
        let sheet = cache.open("key", sampleRate: 44_100)
        // One silence in the middle, one over the end of a segment, one at the end of the track.
        let quiet = [1000..<1100, 4000..<4200, 8900..<9000]
        let all = (0..<9000).map { number in quiet.contains { $0.contains(number) } ? Self.loud(3) : Self.loud(5000) }
        for number in 0..<3 { #expect(sheet.take(number, Array(all[number * 4096..<min(9000, number * 4096 + 4096)]))) }
        let expected = quiet.map { Silence(start: Int64($0.lowerBound) * 512, end: Int64($0.upperBound) * 512) }
        #expect(sheet.silences(in: 0..<9000 * 512) == expected)
        sheet.finish()
        let finished = try #require(cache.finished("key"))
        #expect(finished.silences(in: 0..<9000 * 512) == expected)
        #expect(finished.silences(in: 1050 * 512..<4001 * 512) == Array(expected[0...1]))
        #expect(finished.silences(in: 1100 * 512..<4000 * 512).isEmpty)
        #expect(finished.silences(in: 0..<9000 * 512, most: 2) == Array(expected[0...1]))
        #expect(expected[0].place == 1050 * 512)
    }
}
