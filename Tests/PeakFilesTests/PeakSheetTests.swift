// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import MediaPlayback
import Testing

@testable import PeakFiles

@Suite struct PeakSheetTests {
    private static let segment = PeakMaterial.segment

    private func sheet(_ folder: TemporaryFolder) -> PeakSheet {
        PeakCache(folder: folder.path).open("key", sampleRate: 44_100)
    }

    /// What is taken (segment and peaks of it), and whether it fits; then the count that follows.
    static let ends: [(taken: [(Int, Int, Bool)], count: Int?)] = [
        ([(0, 4096, true), (1, 10, true)], 4106),
        ([(0, 10, true)], 10),
        ([(0, 0, true)], 0),
        ([(0, 4096, true), (1, 0, true)], 4096),
        // Behind the end: where it is remains to be seen.
        ([(5, 0, true)], nil),
        ([(5, 0, true), (3, 0, true), (2, 7, true)], 2 * 4096 + 7),
        ([(5, 0, true), (4, 4096, true)], 5 * 4096),
        ([(5, 0, true), (5, 4096, true)], nil),
        // Two ends.
        ([(1, 10, true), (2, 10, false)], 4106),
        ([(1, 10, true), (3, 4096, false)], 4106),
        ([(3, 4096, true), (1, 10, false)], nil),
        ([(3, 4096, true), (2, 0, false)], nil),
        // More than was asked for.
        ([(0, 4097, false)], nil),
        ([(-1, 4096, false)], nil),
        ([(PeakLevels.mostSegments, 4096, false)], nil),
    ]

    @Test(arguments: ends.indices) func `the end is where the peaks end, and there is one`(_ index: Int) throws {
        let folder = try TemporaryFolder()
        let sheet = sheet(folder)
        for (number, count, fits) in Self.ends[index].taken {
            let peaks = Array(repeating: Peak(minimum: -1, maximum: 1, rms: 1), count: count)
            #expect(sheet.take(number, peaks) == fits)
        }
        #expect(sheet.count == Self.ends[index].count)
    }

    /// What a track is said to have, what is taken, and how many segments are then expected.
    static let expectations: [(estimate: Int?, taken: [(Int, Int)], expected: Int)] = [
        (nil, [], 1), (0, [], 1), (4095, [], 1), (4096, [], 2), (9000, [], 3), (-5, [], 1), (.max, [], 70_000),
        (9000, [(0, 4096), (1, 4096), (2, 4096)], 4), (nil, [(0, 4096)], 2), (900_000, [(0, 4096), (1, 3)], 2),
        (900_000, [(30, 0)], 30),
    ]

    @Test(arguments: expectations.indices) func `a wrong length does not matter for long`(_ index: Int) throws {
        let row = Self.expectations[index]
        let folder = try TemporaryFolder()
        let sheet = sheet(folder)
        for (number, count) in row.taken {
            #expect(sheet.take(number, Array(repeating: Peak(minimum: 0, maximum: 0, rms: 0), count: count)))
        }
        #expect(sheet.expectedSegments(estimate: row.estimate) == row.expected)
    }

    @Test func `peaks are read while others are missing`() throws {
        let folder = try TemporaryFolder()
        let sheet = sheet(folder)
        #expect(sheet.take(1, PeakMaterial.segment(1, of: 20_000)))
        #expect(sheet.peaks(512, 4094..<4098) == [nil, nil, PeakMaterial.peak(4096), PeakMaterial.peak(4097)])
        let coarse = PeakMaterial.joined(20_000, by: 8)
        #expect(sheet.peaks(4096, 511..<513) == [nil, coarse[512]])
        #expect(sheet.peaks(32_768, 63..<65) == [nil, PeakMaterial.joined(20_000, by: 64)[64]])
        let (frames, columns) = sheet.columns(8, of: 0..<Int64(2 * Self.segment * 512))
        #expect(frames == 32_768)
        #expect(columns.prefix(4).allSatisfy { $0 == nil } && columns.suffix(4).allSatisfy { $0 != nil })
    }

    /// A range of frames, columns, and the resolution from which they are joined.
    static let resolutions: [(range: Range<Int64>, columns: Int, frames: Int)] = [
        (0..<512, 1, 512), (0..<512, 100, 512), (0..<409_600, 100, 4096), (0..<409_500, 100, 512),
        (0..<3_276_800, 100, 32_768), (0..<3_276_700, 100, 4096), (1000..<1001, 1, 512),
    ]

    @Test(arguments: resolutions.indices) func `columns come from the coarsest level that is fine enough`(
        _ index: Int
    ) throws {
        let row = Self.resolutions[index]
        let folder = try TemporaryFolder()
        let sheet = sheet(folder)
        PeakMaterial.make(sheet, 9000)
        for _ in 0..<2 {
            let (frames, columns) = sheet.columns(row.columns, of: row.range)
            #expect(frames == row.frames && columns.count == row.columns)
            #expect(columns.allSatisfy { $0 != nil })
            // No column leaves out what is loudest in its part.
            let part = Int(row.range.lowerBound / 512)...Int((row.range.upperBound - 1) / 512)
            let highest = part.map { PeakMaterial.peak($0).maximum }.max()
            #expect(columns.compactMap { $0?.maximum }.max() ?? 0 >= highest ?? 0)
            // The same from the finished files.
            sheet.finish()
        }
    }

    @Test func `columns behind the end are missing`() throws {
        let folder = try TemporaryFolder()
        let sheet = sheet(folder)
        PeakMaterial.make(sheet, 128)
        let (_, columns) = sheet.columns(4, of: 0..<256 * 512)
        #expect(columns.map { $0 == nil } == [false, false, true, true])
    }
}
