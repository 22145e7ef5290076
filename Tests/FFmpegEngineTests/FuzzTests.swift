// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    /// Tests that the engine keeps the contract, whatever is done to a file.
    @Suite struct FuzzTests {
        private static let files = [
            "book.m4b", "fragments.mp4", "cbr.mp3", "vbr.mp3", "bare.mp3", "vorbis.ogg", "speech.opus", "flac16.flac",
            "flac.ogg", "plain.aac", "matroska.mka", "vorbis.mka", "opus.webm", "wav24.wav", "alac.m4a", "wma.wma",
        ]

        /// Plays from some positions.
        ///
        /// Failures are allowed, violations of the contract are not.
        private func play(_ bytes: [UInt8], _ name: String, _ random: inout SeededGenerator) throws {
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: name)])
            do throws(ProbeFailure) {
                try probe.load()
                _ = try probe.chapters()
                _ = try probe.renderAll(frames: 60_000, keepingSamples: false)
                for _ in 0..<3 {
                    try probe.seek(position: Int64.random(in: 0..<600_000, using: &random))
                    _ = try probe.renderAll(frames: 4000, keepingSamples: false)
                }
                _ = try probe.measure()
                _ = try probe.track()
            } catch {
                #expect(error.code != 0, "\(name): \(error.message)")
            }
        }

        @Test(arguments: files) func `truncated files keep the contract`(_ file: String) throws {
            let whole = try Fixtures.bytes(file)
            var random = SeededGenerator(seed: 11)
            for _ in 0..<8 {
                try play(Array(whole.prefix(Int.random(in: 0..<whole.count, using: &random))), file, &random)
            }
        }

        @Test(arguments: files) func `files with flipped bits keep the contract`(_ file: String) throws {
            let whole = try Fixtures.bytes(file)
            var random = SeededGenerator(seed: 23)
            for round in 0..<10 {
                var bytes = whole
                // Half of the rounds change only the headers, where a bit matters most.
                let range = round % 2 == 0 ? bytes.count : min(bytes.count, 4096)
                for _ in 0..<(1 << (round / 2)) {
                    let index = Int.random(in: 0..<range, using: &random)
                    bytes[index] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
                }
                try play(bytes, file, &random)
            }
        }
    }
}
