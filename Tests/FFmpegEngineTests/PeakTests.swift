// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Foundation
import Testing

extension FFmpegEngineTests {
    /// Tests that peaks say what is heard, by a computation that shares nothing with the engine but the decoder.
    @Suite struct PeakTests {
        /// Three numbers of a peak, which can be compared.
        struct Numbers: Equatable {
            var minimum: Int
            var maximum: Int
            var rms: Int

            init(_ peak: rostrum_peak) {
                (minimum, maximum, rms) = (Int(peak.minimum), Int(peak.maximum), Int(peak.rms))
            }

            init(_ samples: ArraySlice<Int>) {
                minimum = samples.min() ?? 0
                maximum = samples.max() ?? 0
                let mean = Double(samples.map { $0 * $0 }.reduce(0, +)) / Double(samples.count)
                rms = Int(mean.squareRoot().rounded())
            }

            /// Returns whether no number differs by more than `distance`.
            func isNear(_ other: Numbers, within distance: Int) -> Bool {
                abs(minimum - other.minimum) <= distance && abs(maximum - other.maximum) <= distance
                    && abs(rms - other.rms) <= distance
            }
        }

        /// The frames that the edit list of a file leaves; the `ffmpeg` program decodes all of the last packet.
        private static let lengths = ["stereo.m4a": 321_930, "book.m4b": 529_200]

        /// Returns the samples that the `ffmpeg` program decodes, mixed to one channel as `rostrum/peaks.h` says.
        private func samples(of path: String, channels: Int) throws -> [Int] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            let floats = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            return stride(from: 0, to: floats.count - channels + 1, by: channels).map { start in
                let sum = floats[start..<start + channels].reduce(Float(0), +)
                let value = (Double(sum) / Double(channels) * 32768).rounded(.toNearestOrEven)
                return Int(min(max(value, -32768), 32767))
            }
        }

        private func computed(_ samples: [Int], _ framesPerPeak: Int) -> [Numbers] {
            stride(from: 0, to: samples.count, by: framesPerPeak).map {
                Numbers(samples[$0..<min($0 + framesPerPeak, samples.count)])
            }
        }

        private func peaks(
            _ probe: EngineProbe, _ framesPerPeak: Int, room: Int, from start: Int = 0
        ) throws -> [Numbers] {
            var all: [Numbers] = []
            while true {
                let part = try probe.peaks(framesPerPeak: framesPerPeak, from: start + all.count, count: room)
                all += part.map { Numbers($0) }
                if part.count < room { return all }
            }
        }

        private static let files = [
            ("stereo.wav", 2), ("stereo24.wav", 2), ("stereo.float.wav", 2), ("stereo8.wav", 2), ("stereo64.wav", 2),
            ("stereo.flac", 2), ("stereo24.flac", 2), ("stereo.mp3", 2), ("stereo.m4a", 2), ("stereo.ogg", 2),
            ("stereo.opus", 2), ("wav16.wav", 1), ("book.m4b", 1), ("cbr.mp3", 1), ("vbr.mp3", 1), ("vorbis.ogg", 1),
            ("flac16.flac", 1), ("matroska.mka", 1), ("six.wav", 6),
        ]

        @Test(arguments: files) func `peaks are the same numbers as those of the ffmpeg program's samples`(
            _ file: String, _ channels: Int
        ) throws {
            let path = try Fixtures.path(file)
            let decoded = try samples(of: path, channels: channels)
            let samples = Array(decoded.prefix(Self.lengths[file] ?? .max))
            try #require(samples.count > 100_000)
            let probe = try FFmpegEngineTests.probe([.file(path)])
            try probe.load()
            for (framesPerPeak, room) in [(512, 4096), (64, 1000), (777, 5), (4096, 1)] {
                let expected = computed(samples, framesPerPeak)
                let found = try peaks(probe, framesPerPeak, room: room)
                #expect(found.count == expected.count)
                // Six channels are added in another order of roundings.
                let tolerance = channels > 2 ? 1 : 0
                let wrong = zip(found, expected).enumerated().filter { !$1.0.isNear($1.1, within: tolerance) }
                #expect(wrong.isEmpty, "\(wrong.count) of \(found.count), the first \(String(describing: wrong.first))")
            }
        }

        // What a seek leaves in the decoder of Opus differs by a rounding.
        @Test(arguments: files) func `peaks from any place on are those of the whole`(
            _ file: String, _ channels: Int
        ) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            let whole = try peaks(probe, 512, room: 4096)
            for start in [whole.count - 1, 1, whole.count / 2, 300, 17, whole.count + 5] {
                let found = try peaks(probe, 512, room: 7, from: start)
                let expected = Array(whole.dropFirst(start))
                #expect(found.count == expected.count)
                let near = zip(found, expected).allSatisfy { $0.isNear($1, within: file.hasSuffix("opus") ? 40 : 1) }
                #expect(near, "from \(start)")
            }
        }

        @Test func `the last peak of a track covers what is left`() throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path("part1.wav"))])
            try probe.load()
            #expect(try probe.peaks(framesPerPeak: 512, from: 0).count == 196)
            #expect(try probe.peaks(framesPerPeak: 65_536, from: 0).count == 2)
            for wrong in [0, 63, 65_537] {
                #expect(throws: ProbeFailure.self) { try probe.peaks(framesPerPeak: wrong, from: 0) }
            }
        }

        @Test func `rendering goes on where it was`() throws {
            let path = try Fixtures.path("book.m4b")
            let probe = try FFmpegEngineTests.probe([.file(path), .file(path)])
            try probe.load()
            var next = try probe.render().positionEnd
            for track in [0, 1, 0, 0] {
                _ = try probe.peaks(track: track, from: 40, count: 9)
                let block = try probe.render()
                #expect(block.position == next)
                next = block.positionEnd
            }
        }

        @Test func `a call that is interrupted is made again from the same peak`() throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path("book.m4b"))])
            try probe.load()
            let whole = try probe.peaks(from: 0).map { Numbers($0) }
            _ = try probe.peaks(from: 0, count: 100)
            probe.interrupt()
            #expect(throws: ProbeFailure.self) { try probe.peaks(from: 100, count: 900) }
            probe.resetInterrupt()
            #expect(try probe.peaks(from: 100, count: 900).map { Numbers($0) } == Array(whole[100..<1000]))
        }
    }
}
