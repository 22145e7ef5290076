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

        /// Returns the bytes of the data chunk, which is the last one.
        private func data(_ file: String, count: Int) throws -> ArraySlice<UInt8> {
            try Fixtures.bytes(file).suffix(count)
        }

        @Test(arguments: ["wav16s.wav", "flac16.flac", "alac.m4a", "flac.mka"])
        func `16-bit samples become their value divided by 32768`(_ file: String) throws {
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
        func `24-bit samples become their value divided by 8388608`(_ file: String) throws {
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

        /// Returns a WAV file of 16-bit PCM in one channel.
        private func wav(rate: UInt32, _ samples: [Int16]) -> [UInt8] {
            func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
            }
            let size = UInt32(samples.count * 2)
            return Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4) + bytes(1, 2)
                + bytes(1, 2) + bytes(rate, 4) + bytes(2 * rate, 4) + bytes(2, 2) + bytes(16, 2) + Array("data".utf8)
                + bytes(size, 4) + samples.flatMap { bytes(UInt32(UInt16(bitPattern: $0)), 2) }
        }

        @Test func `a recording of 1,000 frames a second is played as it is, and one of fewer is refused`() throws {
            let samples = (0..<3000).map { Int16(10 * $0) }
            let probe = try FFmpegEngineTests.probe([.bytes(wav(rate: 1000, samples), name: "slow.wav")])
            try probe.load()
            #expect(try probe.track().sampleRate == 1000 && probe.track().duration == 3000)
            #expect(try probe.renderAll().samples == samples.map { Float($0) / 32768 })
            try probe.seek(position: 1234)
            #expect(try probe.render().position == 1234)
            let slower = try FFmpegEngineTests.probe([.bytes(wav(rate: 999, samples), name: "slower.wav")])
            do throws(ProbeFailure) {
                try slower.load()
                Issue.record("plays 999 frames a second")
            } catch {
                #expect(error.code == ROSTRUM_ERROR_UNSUPPORTED)
            }
        }

        @Test func `if the rate changes within a file, positions still count frames and blocks have their own rate`()
            throws
        {
            let slow = try Array(Fixtures.bytes("flac16.flac"))
            let fast = try Array(Fixtures.bytes("flac48.flac"))
            let probe = try FFmpegEngineTests.probe([.bytes(slow + Self.frames(fast), name: "changes.flac")])
            try probe.load()
            let rendering = try probe.renderAll()
            var frames: [Int: Int] = [:]
            for run in rendering.runs { frames[run.sampleRate, default: 0] += run.frames }
            #expect(frames == [44_100: 176_400, 48_000: 48_000])
            // There are as many units as frames, whatever the rate of each.
            #expect(rendering.runs.last?.end == 224_400)
            #expect(try probe.track().unitsPerSecond == 44_100)
            for (position, rate) in [(200_000, 48_000), (100_000, 44_100), (180_000, 48_000), (176_400, 48_000)] {
                try probe.seek(position: Int64(position))
                let block = try probe.render()
                #expect(
                    block.position == position && block.sampleRate == rate,
                    "sought \(position), came \(block.position) at \(block.sampleRate), damaged \(block.isDamaged)")
                let expected = rendering.samples[position..<position + block.frames]
                #expect(block.samples.elementsEqual(expected), "sought \(position)")
            }
        }

        /// Returns the frames of a FLAC file, without the metadata before them (RFC 9639).
        private static func frames(_ file: [UInt8]) -> ArraySlice<UInt8> {
            var place = 4
            while place + 4 <= file.count {
                let isLast = file[place] & 0x80 != 0
                place += 4 + Int(file[place + 1]) << 16 + Int(file[place + 2]) << 8 + Int(file[place + 3])
                if isLast { break }
            }
            return file[place...]
        }

        @Test func `NaN becomes silence`() throws {
            var bytes = try Fixtures.bytes("float.wav")
            for index in 0..<4 { bytes[bytes.count - 8 + index] = 0xff }
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: "float.wav")])
            try probe.load()
            let samples = try probe.renderAll().samples
            #expect(samples.suffix(2).first == 0)
        }
    }
}
