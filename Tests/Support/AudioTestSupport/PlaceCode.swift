// SPDX-License-Identifier: Apache-2.0

/// A code that stores its position in samples: the left channel carries the low bits of the frame's number and the
/// right one the high bits, both exact in a float and in 16 bits.
public enum PlaceCode {
    /// Returns the sample of a frame.
    ///
    /// The code repeats after 2²⁸ frames.
    @Sendable
    public static func sample(_ position: Int64, _ channel: Int) -> Float {
        let bits = channel == 0 ? position & 0x3fff : (position >> 14) & 0x3fff
        // It is never 0, so that silence is not a position.
        return Float(bits + 1) / 32_768
    }

    /// Returns the position of a frame; `nil` for silence or a frame that was changed.
    public static func position(left: Float, right: Float) -> Int64? {
        let low = left * 32_768 - 1
        let high = right * 32_768 - 1
        guard low >= 0, high >= 0, low < 16_384, high < 16_384, low == low.rounded(), high == high.rounded() else {
            return nil
        }
        return Int64(low) | Int64(high) << 14
    }

    /// A stretch of what was heard.
    public enum Run: Hashable, Sendable, CustomStringConvertible {
        /// Positions without a gap.
        case places(Range<Int64>)
        case silence(Int)
        /// Frames that are faded, or mixtures of two sounds.
        case mixed(Int)

        public var description: String {
            switch self {
            case .places(let range): "\(range.lowerBound)..<\(range.upperBound)"
            case .silence(let frames): "silence \(frames)"
            case .mixed(let frames): "mixed \(frames)"
            }
        }
    }

    /// Returns the runs that interleaved stereo frames contain.
    public static func runs(_ samples: [Float]) -> [Run] {
        var runs: [Run] = []
        for frame in 0..<samples.count / 2 {
            let (left, right) = (samples[frame * 2], samples[frame * 2 + 1])
            if left == 0, right == 0 {
                if case .silence(let count)? = runs.last {
                    runs[runs.count - 1] = .silence(count + 1)
                } else {
                    runs.append(.silence(1))
                }
            } else if let place = position(left: left, right: right) {
                if case .places(let range)? = runs.last, range.upperBound == place {
                    runs[runs.count - 1] = .places(range.lowerBound..<place + 1)
                } else {
                    runs.append(.places(place..<place + 1))
                }
            } else {
                if case .mixed(let count)? = runs.last {
                    runs[runs.count - 1] = .mixed(count + 1)
                } else {
                    runs.append(.mixed(1))
                }
            }
        }
        return merged(runs)
    }

    /// Merges runs; those that are shorter than this are part of a fade, because a faded frame may look like a
    /// position.
    private static func merged(_ runs: [Run]) -> [Run] {
        var result: [Run] = []
        for run in runs {
            var run = run
            if case .places(let range) = run, range.count < 32 { run = .mixed(range.count) }
            if case .mixed(let more) = run, case .mixed(let count)? = result.last {
                result[result.count - 1] = .mixed(count + more)
            } else {
                result.append(run)
            }
        }
        return result
    }
}
