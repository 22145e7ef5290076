// SPDX-License-Identifier: Apache-2.0

import AudioSession
import CSampleRate

/// A converter between two formats, for a render into one file whose later parts may differ.
final class FormatConverter {
    private let from: AudioFormat
    private let to: AudioFormat
    /// The resampler; `nil` if only the channels differ.
    private let state: OpaquePointer?
    private let resampled: UnsafeMutablePointer<Float>
    private let mapped: UnsafeMutablePointer<Float>
    private let outputFrames: Int
    static let blockFrames = 8192

    init(from: AudioFormat, to: AudioFormat) throws(OutputError) {
        self.from = from
        self.to = to
        var code: Int32 = 0
        if from.sampleRate == to.sampleRate {
            state = nil
        } else {
            guard let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), Int32(from.channels), &code) else {
                throw OutputError(
                    .io, source: "src_new", message: "cannot convert \(from.sampleRate) Hz: error \(code)")
            }
            self.state = state
        }
        let ratio = Double(to.sampleRate) / Double(from.sampleRate)
        outputFrames = Int(Double(Self.blockFrames) * max(1, ratio)) + 64
        resampled = .allocate(capacity: outputFrames * from.channels)
        mapped = .allocate(capacity: outputFrames * to.channels)
    }

    deinit {
        if let state { _ = src_delete(state) }
        resampled.deallocate()
        mapped.deallocate()
    }

    /// Converts at most `blockFrames` frames and passes on the result.
    ///
    /// `isLast` also brings out what the resampler still holds.
    func convert(
        _ samples: UnsafePointer<Float>, frames: Int, isLast: Bool,
        _ body: (UnsafePointer<Float>, Int) throws(OutputError) -> Void
    ) throws(OutputError) {
        guard let state else {
            if frames > 0 { try body(map(samples, frames), frames) }
            return
        }
        var data = SRC_DATA()
        data.src_ratio = Double(to.sampleRate) / Double(from.sampleRate)
        data.end_of_input = isLast ? 1 : 0
        var input = samples
        var left = frames
        repeat {
            data.data_in = input
            data.input_frames = left
            data.data_out = resampled
            data.output_frames = outputFrames
            let code = src_process(state, &data)
            guard code == 0 else {
                throw OutputError(.io, source: "src_process", message: "cannot convert the sample rate: error \(code)")
            }
            input += data.input_frames_used * from.channels
            left -= data.input_frames_used
            if data.output_frames_gen > 0 {
                try body(map(resampled, data.output_frames_gen), data.output_frames_gen)
            }
        } while left > 0 || (isLast && data.output_frames_gen > 0)
    }

    /// Maps channels.
    ///
    /// A single channel goes to the first two channels, many channels to one are averaged, and otherwise channels keep
    /// their places.
    private func map(_ samples: UnsafePointer<Float>, _ frames: Int) -> UnsafePointer<Float> {
        guard from.channels != to.channels else { return samples }
        for frame in 0..<frames {
            let input = samples + frame * from.channels
            let output = mapped + frame * to.channels
            if from.channels == 1 {
                let isSurround = to.channels > 2
                for channel in 0..<to.channels { output[channel] = !isSurround || channel < 2 ? input[0] : 0 }
            } else if to.channels == 1 {
                var sum: Float = 0
                for channel in 0..<from.channels { sum += input[channel] }
                output[0] = sum / Float(from.channels)
            } else {
                for channel in 0..<to.channels { output[channel] = channel < from.channels ? input[channel] : 0 }
            }
        }
        return UnsafePointer(mapped)
    }
}
