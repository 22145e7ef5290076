// SPDX-License-Identifier: Apache-2.0

/// The part of the decoder's whole output that is the track.
///
/// Raw positions count samples from the stream's own zero, units from the first audible sample.
struct TrackExtent {
    /// The raw position of the first frame that the decoder returns.
    private(set) var first: Int64 = 0
    /// The raw position of the first audible sample, which is unit 0.
    private(set) var origin: Int64 = 0
    /// The unit at which the container ends the track, if what is decoded beyond it is to be cut off.
    private var end: Int64?
    /// The raw positions of the padding at the end of an MP3.
    private var padding: Range<Int64>?

    /// The number of samples before the first audible one.
    var delay: Int64 { origin &- first }

    /// Notes what the first frame shows.
    ///
    /// - Parameter padding: The range of the padding, counted from the first frame.
    mutating func begin(at first: Int64, delay: Int64, padding: Range<Int64>?) {
        self.first = first
        origin = first &+ delay
        self.padding = padding.map { $0.lowerBound + first..<$0.upperBound + first }
    }

    mutating func cut(at unit: Int64) { end = unit }

    /// Shifts the start, because the first frame's own time stamp turned out to be wrong.
    mutating func shift(by samples: Int64) {
        first &+= samples
        origin &+= samples
    }

    func unit(of raw: Int64) -> Int64 { raw &- origin }
    func raw(of unit: Int64) -> Int64 { unit &+ origin }

    /// Returns the number of samples of a frame up to the end of the track; 0 or less if it is behind that.
    ///
    /// - Parameters:
    ///   - raw: The raw position of the frame.
    ///   - count: The number of its samples.
    ///   - trimmed: The number of samples at its end that the demuxer or the codec calls padding.
    func samples(ofFrameAt raw: Int64, count: Int64, trimmed: UInt32) -> Int64 {
        var trimmed = Int64(trimmed)
        if let padding, raw < padding.upperBound, raw &+ count > padding.lowerBound {
            // libavformat reports the padding too, but not after a seek.
            trimmed = min(count, raw &+ count - padding.lowerBound)
        }
        let position = unit(of: raw)
        // If a frame has fewer samples than are to be dropped from its end, none are dropped, as in FFmpeg.
        let audible = trimmed <= count &- max(0, 0 &- position) ? count - trimmed : count
        return end.map { min(audible, $0 &- position) } ?? audible
    }
}
