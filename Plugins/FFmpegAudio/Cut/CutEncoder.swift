// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// An encoder of a passage's samples into one stream of a file.
final class CutEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let queue: SampleQueue
    private var converter: SampleConverter?
    private var stream: UnsafeMutablePointer<AVStream>?
    private var muxer: CutMuxer?
    /// The number of frames that were encoded.
    private(set) var frames: Int64 = 0

    /// Creates an encoder for a format that suits what is cut.
    ///
    /// - Parameter needsGlobalHeader: Whether the file keeps the codec's header apart from its packets.
    init(_ format: CutFormat, of track: OpenTrack, needsGlobalHeader: Bool) throws(EngineFailure) {
        let choice = CodecChoice(format, track)
        guard let codec = avcodec_find_encoder_by_name(choice.encoder) else {
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED,
                "cannot write \(format.rawValue): this libavcodec has no encoder \(choice.encoder)")
        }
        guard let context = avcodec_alloc_context3(codec), let packet = av_packet_alloc(), let frame = av_frame_alloc()
        else { throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to encode a cut") }
        context.pointee.sample_rate = choice.rate(for: codec)
        context.pointee.sample_fmt = choice.sampleFormat
        av_channel_layout_default(&context.pointee.ch_layout, choice.channels)
        context.pointee.time_base = AVRational(num: 1, den: context.pointee.sample_rate)
        context.pointee.bit_rate = choice.bitRate
        context.pointee.bits_per_raw_sample = choice.bits
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        if needsGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        let result = avcodec_open2(context, codec, nil)
        var opened: UnsafeMutablePointer<AVCodecContext>? = context
        var unused: UnsafeMutablePointer<AVPacket>? = packet
        var empty: UnsafeMutablePointer<AVFrame>? = frame
        do throws(EngineFailure) {
            guard result >= 0 else {
                throw EngineFailure(
                    ROSTRUM_ERROR_UNSUPPORTED,
                    "cannot write \(format.rawValue) of \(choice.channels) channels: \(LibraryError.text(result))")
            }
            queue = try SampleQueue(context)
        } catch {
            avcodec_free_context(&opened)
            av_packet_free(&unused)
            av_frame_free(&empty)
            throw error
        }
        self.context = context
        self.packet = packet
        self.frame = frame
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Adds the stream to a file whose header is not written yet.
    func add(to muxer: CutMuxer) throws(EngineFailure) {
        let stream = try muxer.addStream()
        try muxer.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "the stream")
        stream.pointee.time_base = context.pointee.time_base
        self.stream = stream
        self.muxer = muxer
    }

    /// Encodes samples, whose format may change from call to call.
    func encode(_ run: PassageSamples.Run) throws(EngineFailure) {
        if let converter, converter.inputRate != run.sampleRate || converter.inputChannels != run.channels {
            try converter.finish(into: queue)
            self.converter = nil
        }
        let converter: SampleConverter
        if let current = self.converter {
            converter = current
        } else {
            converter = try SampleConverter(rate: run.sampleRate, channels: run.channels, to: context)
        }
        self.converter = converter
        try converter.convert(run.samples, frames: run.frames, into: queue)
        try drainQueue(all: false)
    }

    /// Encodes what is left; the file's end is the caller's to write.
    func finish() throws(EngineFailure) {
        try converter?.finish(into: queue)
        try drainQueue(all: true)
        try send(nil)
    }

    private func drainQueue(all: Bool) throws(EngineFailure) {
        let size = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : 4096
        while queue.count >= size || (all && queue.count > 0) {
            frame.pointee.nb_samples = Int32(min(size, queue.count))
            frame.pointee.format = context.pointee.sample_fmt.rawValue
            frame.pointee.sample_rate = context.pointee.sample_rate
            av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
            defer { av_frame_unref(frame) }
            guard av_frame_get_buffer(frame, 0) >= 0 else {
                throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to encode a cut")
            }
            guard queue.take(into: frame) == frame.pointee.nb_samples else {
                throw EngineFailure(ROSTRUM_ERROR_DECODE, "the samples of a cut were lost")
            }
            frame.pointee.pts = frames
            frames += Int64(frame.pointee.nb_samples)
            try send(frame)
        }
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(EngineFailure) {
        guard let muxer, let stream else { return }
        try muxer.check(avcodec_send_frame(context, frame), "encoding")
        while true {
            let result = avcodec_receive_packet(context, packet)
            if result == CFF_ERROR_AGAIN || result == CFF_ERROR_EOF { return }
            try muxer.check(result, "encoding")
            defer { av_packet_unref(packet) }
            packet.pointee.stream_index = stream.pointee.index
            av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
            try muxer.write(packet, interleaved: muxer.format == .mp4)
        }
    }
}
