// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import CPeaks

/// The audible samples of one decoded frame, mixed to one channel of 16 bits.
///
/// It takes the frame as the decoder left it, so that nothing is converted that is not needed.
final class PeakMix {
    private var samples: [Int16] = []
    private var start = 0
    private(set) var count = 0
    /// The unit of the first sample.
    private(set) var position: Int64 = 0

    func clear() { count = 0 }

    /// Replaces the samples by those of a frame; returns `false` if its format cannot be read.
    ///
    /// - Parameters:
    ///   - range: The frames in it that are part of the track.
    ///   - position: The unit of the first of them.
    ///   - converter: For formats that are rare.
    func take(
        _ frame: UnsafeMutablePointer<AVFrame>, _ range: Range<Int>, at position: Int64, _ converter: FrameConverter
    ) -> Bool {
        let channels = frame.pointee.ch_layout.nb_channels
        guard (1...Int32(CPEAKS_CHANNELS)).contains(channels), let planes = frame.pointee.extended_data,
            range.lowerBound >= 0, range.upperBound <= Int(frame.pointee.nb_samples)
        else { return false }
        if samples.count < range.count { samples = [Int16](repeating: 0, count: range.count) }
        let format = AVSampleFormat(frame.pointee.format)
        let form: cpeaks_form? =
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_S16: CPEAKS_INT16
            case AV_SAMPLE_FMT_S32: CPEAKS_INT32
            case AV_SAMPLE_FMT_FLT: CPEAKS_FLOAT
            default: nil
            }
        if let form {
            let isPacked: Int32 = av_sample_fmt_is_planar(format) == 0 ? 1 : 0
            let source = UnsafeMutableRawPointer(planes).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
            cpeaks_mix(form, isPacked, source, channels, range.lowerBound, range.count, &samples)
        } else {
            guard converter.convert(frame) else { return false }
            converter.samples.withUnsafeBytes { floats in
                var plane = floats.baseAddress?.assumingMemoryBound(to: UInt8.self)
                cpeaks_mix(CPEAKS_FLOAT, 1, &plane, channels, range.lowerBound, range.count, &samples)
            }
        }
        (start, count, self.position) = (0, range.count, position)
        return true
    }

    /// Removes the first samples, at most ``count``.
    func drop(_ number: Int) {
        start += number
        count -= number
        position &+= Int64(number)
    }

    /// Moves the first samples, at most ``count``, into a tally.
    func move(_ number: Int, to tally: inout cpeaks_tally) {
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            cpeaks_add(&tally, base + start, number)
        }
        drop(number)
    }
}
