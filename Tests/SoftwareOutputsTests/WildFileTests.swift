// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Testing

@testable import SoftwareOutputs

@Suite struct `Samples that are not audio, in a file` {
    private static let all = WildSamples.chosen + (0..<20_000).map { WildSamples.signal($0, 0) }

    @Test(arguments: [SampleEncoding.int16, .int24, .int32, .float32])
    func `can be encoded in every encoding`(_ encoding: SampleEncoding) {
        var bytes: [UInt8] = []
        Self.all.withUnsafeBufferPointer { samples in
            if let base = samples.baseAddress { encoding.encode(base, count: samples.count, into: &bytes) }
        }
        #expect(bytes.count == Self.all.count * encoding.bytes)
        for (index, sample) in Self.all.enumerated() {
            let code = bytes[index * encoding.bytes..<(index + 1) * encoding.bytes]
            let word = code.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if encoding == .float32 {
                #expect(Float(bitPattern: word).magnitude <= SampleBounds.largest)
            } else if !sample.isFinite {
                #expect(word == 0, "\(sample)")
            } else if sample >= 1 {
                #expect(word == UInt32(1) << (encoding.bytes * 8 - 1) - 1, "\(sample) is full scale")
            } else if sample <= -1 {
                #expect(word == UInt32(1) << (encoding.bytes * 8 - 1), "\(sample) is full scale")
            }
        }
    }

    /// Input is bounded before it gets here; without that it must not trap either.
    @Test(arguments: [(44_100, 2, 48_000, 1), (48_000, 1, 8_000, 6), (96_000, 6, 44_100, 2), (48_000, 8, 48_000, 1)])
    func `pass through a change of rate and channels`(_ from: Int, _ channels: Int, _ to: Int, _ others: Int) throws {
        for isBounded in [true, false] {
            let converter = try FormatConverter(
                from: AudioFormat(sampleRate: from, channels: channels),
                to: AudioFormat(sampleRate: to, channels: others))
            let samples = (0..<4_096 * channels).map { index in
                let sample = index % 3 == 0 ? WildSamples.loudest(Int64(index), 0) : Self.all[index % Self.all.count]
                return isBounded ? SampleBounds.bounded(sample) : sample
            }
            var worst: Float = 0
            var bytes: [UInt8] = []
            for isLast in [false, true] {
                try samples.withUnsafeBufferPointer { samples throws(OutputError) in
                    guard let base = samples.baseAddress else { return }
                    try converter.convert(base, frames: 4_096, isLast: isLast) { converted, frames in
                        for index in 0..<frames * others {
                            worst = converted[index].isFinite ? max(worst, converted[index].magnitude) : .infinity
                        }
                        for encoding in [SampleEncoding.int16, .float32] {
                            encoding.encode(converted, count: frames * others, into: &bytes)
                        }
                    }
                }
            }
            if isBounded { #expect(worst <= SampleBounds.largest * 4) }
            #expect(!bytes.isEmpty)
        }
    }

    @Test func `are rendered into a file, with mono and balance`() async throws {
        let folder = RenderOutputTests.Folder()
        for signal in [WildSamples.signal, WildSamples.loudest] {
            let source = FakeSource(signal: signal)
            source.supply(generation: 1, from: 0, to: 30_000)
            var request = StreamRequest.test(source, rate: 1.3)
            request.settings.sound = SoundOptions(isMono: true, balance: 0.7, loudness: -12, silence: 0.3)
            let output = RenderOutput(wavPath: folder.file("a.wav"))
            let log = EventLog(output)
            _ = try await output.open(request)
            await log.wait(for: "ended 1")
            await output.shutDown()
            #expect(log.lines == ["started 1", "ended 1"])
        }
    }
}
