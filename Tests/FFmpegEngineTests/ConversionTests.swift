// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    @Suite struct ConversionTests {
        private func render(_ file: String) throws -> (ProbeTrack, [Float]) {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            return (try probe.track(), try probe.renderAll().samples)
        }

        /// The bytes of the data chunk, which is the last one.
        private func data(_ file: String, count: Int) throws -> ArraySlice<UInt8> {
            try Fixtures.bytes(file).suffix(count)
        }

        @Test(arguments: ["wav16s.wav", "flac16.flac", "alac.m4a", "flac.mka"])
        func `16 bits become value divided by 32768`(_ file: String) throws {
            let (track, samples) = try render(file)
            #expect(track.encoding == ROSTRUM_ENCODING_INT16)
            #expect(samples.count == 176_400)
            let bytes = Array(try data("wav16s.wav", count: samples.count * 2))
            let expected = samples.indices.map { index in
                Float(Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)) / 32768
            }
            #expect(samples == expected)
        }

        @Test(arguments: ["wav24.wav", "flac24.flac"])
        func `24 bits become value divided by 8388608`(_ file: String) throws {
            let (track, samples) = try render(file)
            #expect(track.encoding == ROSTRUM_ENCODING_INT24)
            let bytes = Array(try data("wav24.wav", count: samples.count * 3))
            let expected = samples.indices.map { index in
                let raw =
                    UInt32(bytes[3 * index]) << 8 | UInt32(bytes[3 * index + 1]) << 16
                    | UInt32(bytes[3 * index + 2]) << 24
                return Float(Int32(bitPattern: raw) >> 8) / 8_388_608
            }
            #expect(samples == expected)
        }

        @Test func `numbers that are none become silence`() throws {
            var bytes = try Fixtures.bytes("float.wav")
            for index in 0..<4 { bytes[bytes.count - 8 + index] = 0xff }
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: "float.wav")])
            try probe.load()
            let samples = try probe.renderAll().samples
            #expect(samples.suffix(2).first == 0)
        }
    }
}
