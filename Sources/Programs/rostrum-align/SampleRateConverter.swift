// SPDX-License-Identifier: Apache-2.0

import CSampleRate

/// Converts sound to 16 kHz, piece by piece.
final class SampleRateConverter {
    private let state: OpaquePointer?
    private let ratio: Double
    private var rest: [Float] = []

    init(from sampleRate: Int) {
        var error: Int32 = 0
        state = src_new(Int32(SRC_SINC_FASTEST), 1, &error)
        ratio = 16_000 / Double(max(1, sampleRate))
    }

    deinit { if let state { src_delete(state) } }

    /// Returns what can be converted, and at the end all that is left.
    func convert(_ samples: [Float], isEnd: Bool = false) -> [Float] {
        guard let state else { return [] }
        var input = rest + samples
        var output = [Float](repeating: 0, count: Int(Double(input.count) * ratio) + 1_024)
        var made = 0
        var used = 0
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                while made < output.count, let from = input.baseAddress, let to = output.baseAddress {
                    var data = SRC_DATA()
                    data.data_in = UnsafePointer(from + used)
                    data.input_frames = input.count - used
                    data.data_out = to + made
                    data.output_frames = output.count - made
                    data.end_of_input = isEnd ? 1 : 0
                    data.src_ratio = ratio
                    guard src_process(state, &data) == 0, data.input_frames_used + data.output_frames_gen > 0 else {
                        break
                    }
                    used += data.input_frames_used
                    made += data.output_frames_gen
                }
            }
        }
        rest = Array(input[used...])
        output.removeLast(output.count - made)
        return output
    }
}
