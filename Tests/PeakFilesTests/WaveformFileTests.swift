// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import Testing

@testable import PeakFiles

/// Tests of the files as other programs read them, by a parser that knows only the documentation of `audiowaveform`.
@Suite struct WaveformFileTests {
    struct Parsed: Equatable {
        var version: Int32
        var flags: UInt32
        var sampleRate: Int32
        var samplesPerPixel: Int32
        var length: UInt32
        var channels: Int32
        var pairs: [[Int16]]
    }

    /// Parses a waveform data file as `doc/DataFormat.md` of audiowaveform describes it, byte by byte.
    private func parse(_ data: Data) -> Parsed {
        let bytes = Array(data)
        func number(_ offset: Int) -> UInt32 {
            UInt32(bytes[offset]) + UInt32(bytes[offset + 1]) * 256 + UInt32(bytes[offset + 2]) * 65_536
                + UInt32(bytes[offset + 3]) * 16_777_216
        }
        func sample(_ offset: Int) -> Int16 {
            let value = Int(bytes[offset]) + Int(bytes[offset + 1]) * 256
            return Int16(value > 32_767 ? value - 65_536 : value)
        }
        return Parsed(
            version: Int32(number(0)), flags: number(4), sampleRate: Int32(number(8)),
            samplesPerPixel: Int32(number(12)), length: number(16), channels: Int32(number(20)),
            pairs: stride(from: 24, to: bytes.count, by: 4).map { [sample($0), sample($0 + 2)] })
    }

    @Test(arguments: [1, 7, 64, 4095, 4096, 4097, 10_000]) func `each level is a waveform file of version 2`(
        _ count: Int
    ) throws {
        let folder = try TemporaryFolder()
        let sheet = PeakCache(folder: folder.path).open("key", sampleRate: 22_050)
        PeakMaterial.make(sheet, count)
        sheet.finish()
        try #require(sheet.isComplete && sheet.fault == nil)
        for frames in [512, 4096, 32_768] {
            let expected = PeakMaterial.joined(count, by: frames / 512)
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/key.\(frames).dat"))
            let file = Parsed(
                version: 2, flags: 0, sampleRate: 22_050, samplesPerPixel: Int32(frames),
                length: UInt32(expected.count), channels: 1, pairs: expected.map { [$0.minimum, $0.maximum] })
            #expect(parse(data) == file)
            let roots = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/key.\(frames).rms"))
            #expect(roots.count == 24 + 2 * expected.count)
            let read: [UInt16] = expected.indices.map { UInt16(roots[24 + 2 * $0]) + 256 * UInt16(roots[25 + 2 * $0]) }
            #expect(read == expected.map(\.rms))
        }
        #expect(!folder.names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".new") })
    }

    @Test func `peaks come back from the files as they were made, and fewer behind the end`() throws {
        let folder = try TemporaryFolder()
        let cache = PeakCache(folder: folder.path)
        let sheet = cache.open("key", sampleRate: 44_100)
        PeakMaterial.make(sheet, 9000, order: [2, 0, 1])
        sheet.finish()
        let again = try #require(cache.finished("key"))
        #expect(again.count == 9000 && again.sampleRate == 44_100 && again.isComplete)
        for frames in [512, 4096, 32_768] {
            let expected = PeakMaterial.joined(9000, by: frames / 512)
            #expect(again.peaks(frames, 0..<10_000) == expected.map(Optional.init))
            #expect(again.peaks(frames, 5..<6) == Array(expected[5..<6]).map(Optional.init))
            #expect(again.peaks(frames, 9000..<9001).isEmpty)
        }
    }

    static let damages: [(String, @Sendable (String) throws -> Void)] = [
        ("a file is missing", { unlink($0 + "/key.4096.rms") }),
        ("a file is cut", { truncate($0 + "/key.512.dat", 300) }),
        ("a file is longer", { truncate($0 + "/key.512.rms", 1 << 20) }),
        ("a list is cut", { truncate($0 + "/key.silences", 15) }),
        (
            "a file is a folder",
            {
                unlink($0 + "/key.512.dat"); mkdir($0 + "/key.512.dat", 0o700)
            }
        ),
        (
            "a file is a pipe",
            {
                unlink($0 + "/key.512.dat"); mkfifo($0 + "/key.512.dat", 0o600)
            }
        ),
        (
            "a file is a link",
            {
                unlink($0 + "/key.512.dat"); symlink("/etc/passwd", $0 + "/key.512.dat")
            }
        ),
        (
            "a head is of another program",
            {
                try Data(repeating: 1, count: 24 + 4 * 9000).write(to: URL(fileURLWithPath: $0 + "/key.512.dat"))
            }
        ),
    ]

    @Test(arguments: damages.indices) func `damaged files are no peaks, and are made anew`(_ index: Int) throws {
        let folder = try TemporaryFolder()
        let cache = PeakCache(folder: folder.path)
        let first = cache.open("key", sampleRate: 44_100)
        PeakMaterial.make(first, 9000)
        first.finish()
        try Self.damages[index].1(folder.path)
        #expect(cache.finished("key") == nil, "\(Self.damages[index].0)")
        let second = cache.open("key", sampleRate: 44_100)
        #expect(!second.isComplete && second.doneCount == 0)
        PeakMaterial.make(second, 9000)
        second.finish()
        #expect(second.peaks(512, 0..<9000) == PeakMaterial.peaks(0..<9000).map(Optional.init))
    }
}
