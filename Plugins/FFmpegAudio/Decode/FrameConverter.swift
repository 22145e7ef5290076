// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A converter of decoded frames to interleaved floats that never changes the rate or the channels.
///
/// Samples of 16 and 24 bits come out as exactly value / 2¹⁵ and value / 2²³.
final class FrameConverter {
    private var resampler: OpaquePointer?
    private var format: Int32 = -1
    private var channels: Int32 = 0
    private var rate: Int32 = 0
    private(set) var samples: [Float] = []

    deinit {
        swr_free(&resampler)
    }

    /// Converts a frame into ``samples``; returns `false` if its format cannot be converted.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        let count = frame.pointee.nb_samples
        let frameChannels = frame.pointee.ch_layout.nb_channels
        guard count > 0, (1...8).contains(frameChannels) else { return false }
        if frame.pointee.format != format || frameChannels != channels || frame.pointee.sample_rate != rate {
            guard configure(frame) else { return false }
        }
        let total = Int(count) * Int(frameChannels)
        if samples.count < total { samples = [Float](repeating: 0, count: total) }
        guard let input = frame.pointee.extended_data else { return false }
        let converted = samples.withUnsafeMutableBytes { buffer -> Int32 in
            var output: UnsafeMutablePointer<UInt8>? = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let source = UnsafeMutableRawPointer(input).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
            return swr_convert(resampler, &output, count, source, count)
        }
        guard converted == count else { return false }
        if mayHoldNonNumbers { silenceNonNumbers(total) }
        return true
    }

    private var mayHoldNonNumbers: Bool {
        let packed = av_get_packed_sample_fmt(AVSampleFormat(format))
        return packed == AV_SAMPLE_FMT_FLT || packed == AV_SAMPLE_FMT_DBL
    }

    /// Replaces NaN and infinity, which a damaged file may contain and a sound device must not get.
    private func silenceNonNumbers(_ count: Int) {
        for index in 0..<count where !samples[index].isFinite { samples[index] = 0 }
    }

    private func configure(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        swr_free(&resampler)
        format = -1
        var layout = AVChannelLayout()
        // The layout is the same on both sides, so the order stays the codec's, which is that of WAVE.
        av_channel_layout_default(&layout, frame.pointee.ch_layout.nb_channels)
        defer { av_channel_layout_uninit(&layout) }
        let result = withUnsafeMutablePointer(to: &layout) { layout in
            swr_alloc_set_opts2(
                &resampler, layout, AV_SAMPLE_FMT_FLT, frame.pointee.sample_rate, layout,
                AVSampleFormat(frame.pointee.format), frame.pointee.sample_rate, 0, nil)
        }
        guard result >= 0, swr_init(resampler) >= 0 else { return false }
        format = frame.pointee.format
        channels = frame.pointee.ch_layout.nb_channels
        rate = frame.pointee.sample_rate
        return true
    }
}
