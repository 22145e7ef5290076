// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A converter from interleaved floats of one format to what an encoder takes.
final class SampleConverter {
    private var resampler: OpaquePointer?
    let inputRate: Int
    let inputChannels: Int
    private let outputRate: Int32
    /// The frames that went in and came out.
    private var taken: Int64 = 0
    private var given: Int64 = 0

    /// Creates a converter to the format of an encoder.
    init(
        rate: Int, channels: Int, to encoder: UnsafeMutablePointer<AVCodecContext>
    ) throws(EngineFailure) {
        inputRate = rate
        inputChannels = channels
        outputRate = encoder.pointee.sample_rate
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, Int32(clamping: channels))
        defer { av_channel_layout_uninit(&layout) }
        let result = withUnsafeMutablePointer(to: &layout) { layout in
            swr_alloc_set_opts2(
                &resampler, &encoder.pointee.ch_layout, encoder.pointee.sample_fmt, outputRate, layout,
                AV_SAMPLE_FMT_FLT, Int32(clamping: rate), 0, nil)
        }
        guard result >= 0, swr_init(resampler) >= 0 else {
            swr_free(&resampler)
            throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "cannot convert \(rate) Hz in \(channels) channels")
        }
    }

    deinit { swr_free(&resampler) }

    /// Converts samples, and appends the result to the queue.
    func convert(
        _ samples: UnsafePointer<Float>, frames: Int, into queue: SampleQueue
    ) throws(EngineFailure) {
        taken += Int64(frames)
        try feed(samples, frames, queue)
    }

    /// Appends what is left, so that all that came out lasts as long as all that went in.
    func finish(into queue: SampleQueue) throws(EngineFailure) {
        try feed(nil, 0, queue)
        let due = av_rescale(taken, Int64(outputRate), Int64(inputRate))
        if given < due { try queue.addSilence(due - given) }
        given = due
    }

    private func feed(
        _ samples: UnsafePointer<Float>?, _ frames: Int, _ queue: SampleQueue
    ) throws(EngineFailure) {
        let room = swr_get_out_samples(resampler, Int32(clamping: frames))
        guard room > 0 else { return }
        let buffer = try queue.scratch(room)
        var input = samples.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
        let output = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
        var converted =
            samples == nil
            ? swr_convert(resampler, output, room, nil, 0)
            : withUnsafeMutablePointer(to: &input) { swr_convert(resampler, output, room, $0, Int32(clamping: frames)) }
        guard converted >= 0 else { throw EngineFailure(ROSTRUM_ERROR_DECODE, "cannot convert the samples of a cut") }
        // A resampler may give a sample more than the passage lasts.
        let due = av_rescale(taken, Int64(outputRate), Int64(inputRate))
        converted = Int32(clamping: min(Int64(converted), max(0, due - given)))
        given += Int64(converted)
        try queue.add(buffer, converted)
    }
}

/// A queue of samples in the format of an encoder, from which frames of its size are taken.
final class SampleQueue {
    private let fifo: OpaquePointer
    private let format: AVSampleFormat
    private let channels: Int32
    private var buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
    private var room: Int32 = 0

    var count: Int { Int(av_audio_fifo_size(fifo)) }

    init(_ encoder: UnsafeMutablePointer<AVCodecContext>) throws(EngineFailure) {
        format = encoder.pointee.sample_fmt
        channels = encoder.pointee.ch_layout.nb_channels
        guard let fifo = av_audio_fifo_alloc(format, channels, 8192) else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for the samples of a cut")
        }
        self.fifo = fifo
    }

    deinit {
        av_audio_fifo_free(fifo)
        release()
    }

    private func release() {
        guard let buffer else { return }
        av_freep(buffer)
        av_free(buffer)
        self.buffer = nil
    }

    /// Returns room for frames, which is valid until the next call.
    func scratch(_ frames: Int32) throws(EngineFailure) -> UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?> {
        if frames > room {
            release()
            guard av_samples_alloc_array_and_samples(&buffer, nil, channels, frames, format, 0) >= 0 else {
                throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for the samples of a cut")
            }
            room = frames
        }
        guard let buffer else { throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for the samples of a cut") }
        return buffer
    }

    func add(_ samples: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ frames: Int32) throws(EngineFailure) {
        guard frames > 0 else { return }
        let data = UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        guard av_audio_fifo_write(fifo, data, frames) == frames else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for the samples of a cut")
        }
    }

    func addSilence(_ frames: Int64) throws(EngineFailure) {
        var left = frames
        while left > 0 {
            let part = Int32(clamping: min(left, 8192))
            let samples = try scratch(part)
            av_samples_set_silence(samples, 0, part, channels, format)
            try add(samples, part)
            left -= Int64(part)
        }
    }

    /// Moves frames into a frame that has room for them; returns their number.
    func take(into frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
        guard let planes = frame.pointee.extended_data else { return 0 }
        let data = UnsafeMutableRawPointer(planes).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        return av_audio_fifo_read(fifo, data, frame.pointee.nb_samples)
    }
}
