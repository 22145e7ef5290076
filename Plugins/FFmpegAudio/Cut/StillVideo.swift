// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// The video stream of a file that shows one image: five frames a second, which players and sites accept and which
/// cost nearly nothing.
final class StillVideo {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let seconds: Double
    private let muxer: CutMuxer
    private let stream: UnsafeMutablePointer<AVStream>
    private var next: Int64 = 0

    private static let rate: Int32 = 5
    /// The distance of key frames, to which players seek, in frames.
    private static let keyDistance: Int32 = 50

    /// Adds the stream to a file whose header is not written yet.
    init(_ waveform: StillWaveform, cover: CutPicture?, to muxer: CutMuxer) throws(EngineFailure) {
        // Debian's libavcodec has the first; one that may not be under the GPL has the second.
        let names = ["libx264", "mpeg4"]
        guard let codec = names.lazy.compactMap({ avcodec_find_encoder_by_name($0) }).first else {
            throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "this libavcodec encodes no video for an mp4")
        }
        guard let context = avcodec_alloc_context3(codec), let packet = av_packet_alloc(), let frame = av_frame_alloc()
        else { throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to encode a video") }
        self.context = context
        self.packet = packet
        self.frame = frame
        self.muxer = muxer
        seconds = waveform.seconds
        stream = try muxer.addStream()
        context.pointee.width = Int32(StillImage.width)
        context.pointee.height = Int32(StillImage.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.time_base = AVRational(num: 1, den: Self.rate)
        context.pointee.framerate = AVRational(num: Self.rate, den: 1)
        context.pointee.gop_size = Self.keyDistance
        context.pointee.max_b_frames = 0
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        if String(cString: codec.pointee.name) == "libx264" {
            for (key, value) in [("preset", "veryfast"), ("tune", "stillimage"), ("crf", "23")] {
                av_opt_set(context.pointee.priv_data, key, value, 0)
            }
        } else {
            context.pointee.bit_rate = 400_000
        }
        try muxer.check(avcodec_open2(context, codec, nil), "the video")
        try muxer.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "the video")
        stream.pointee.time_base = context.pointee.time_base
        stream.pointee.avg_frame_rate = context.pointee.framerate
        frame.pointee.format = context.pointee.pix_fmt.rawValue
        frame.pointee.width = context.pointee.width
        frame.pointee.height = context.pointee.height
        guard av_frame_get_buffer(frame, 0) >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to encode a video")
        }
        try StillImage(waveform, cover: cover).convert(into: frame)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Writes the frames up to a second of the audio.
    func advance(to second: Double) throws(EngineFailure) {
        while Double(next) < min(second, seconds) * Double(Self.rate) || next == 0 {
            frame.pointee.pts = next
            next += 1
            try send(frame)
        }
    }

    func finish() throws(EngineFailure) {
        try advance(to: seconds)
        try send(nil)
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(EngineFailure) {
        try muxer.check(avcodec_send_frame(context, frame), "the video")
        while true {
            let result = avcodec_receive_packet(context, packet)
            if result == CFF_ERROR_AGAIN || result == CFF_ERROR_EOF { return }
            try muxer.check(result, "the video")
            defer { av_packet_unref(packet) }
            packet.pointee.stream_index = stream.pointee.index
            if packet.pointee.duration == 0 { packet.pointee.duration = 1 }
            av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
            try muxer.write(packet, interleaved: true)
        }
    }
}
