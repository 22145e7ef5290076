// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A writer of one file: its streams, the texts and the picture that describe it, and packets.
final class CutMuxer {
    let format: CutFormat
    let stream: CutStream
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let order: CutOrder
    private let picture: CutPicture?
    /// The stream of the picture, in formats that have one.
    private var pictureStream: UnsafeMutablePointer<AVStream>?

    init(_ format: CutFormat, _ order: CutOrder, picture: CutPicture?, sink: CutSink) throws(EngineFailure) {
        self.format = format
        self.order = order
        self.picture = picture
        stream = try CutStream(sink)
        var context: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&context, nil, format.muxer, nil) >= 0, let context else {
            throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "this libavformat does not write \(format.rawValue)")
        }
        self.context = context
        context.pointee.pb = stream.context
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    }

    deinit {
        // Not libavformat's to close.
        context.pointee.pb = nil
        avformat_free_context(context)
    }

    var needsGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    /// Throws the reason for a result that is a failure.
    func check(_ result: Int32, _ what: String) throws(EngineFailure) {
        guard result < 0 else { return }
        try stream.flush()
        if stream.sink.host.isInterrupted {
            throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "cutting was interrupted")
        }
        throw EngineFailure(
            ROSTRUM_ERROR_DECODE, "cannot write \(format.rawValue): \(what): \(LibraryError.text(result))")
    }

    func addStream() throws(EngineFailure) -> UnsafeMutablePointer<AVStream> {
        guard let added = avformat_new_stream(context, nil) else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to write a cut")
        }
        return added
    }

    /// Writes the header, behind which packets may follow.
    ///
    /// - Parameters:
    ///   - rate: The sample rate, in which lengths are written where the format leaves the choice.
    ///   - length: The length of the passage in seconds, for its chapter.
    ///   - options: Further options of the muxer.
    func begin(rate: Int32, length: Double, options: [String: String] = [:]) throws(EngineFailure) {
        try describe(length: length)
        if let picture, format != .mp4 { try add(picture) }
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        // Else an edit list would count in milliseconds.
        if format == .m4a || format == .mp4 { av_dict_set(&dictionary, "movie_timescale", "\(rate)", 0) }
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        try check(avformat_write_header(context, &dictionary), "the header")
        guard let pictureStream, let picture else { return }
        guard let packet = av_packet_alloc() else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to write a cut")
        }
        defer {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
        }
        try check(av_new_packet(packet, Int32(picture.bytes.count)), "the cover")
        picture.bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { packet.pointee.data.update(from: start, count: bytes.count) }
        }
        packet.pointee.stream_index = pictureStream.pointee.index
        (packet.pointee.pts, packet.pointee.dts) = (0, 0)
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        try check(av_write_frame(context, packet), "the cover")
    }

    /// Writes a packet, whose time stamps are in the time base of its stream.
    func write(_ packet: UnsafeMutablePointer<AVPacket>, interleaved: Bool = false) throws(EngineFailure) {
        let result = interleaved ? av_interleaved_write_frame(context, packet) : av_write_frame(context, packet)
        try check(result, "a packet")
    }

    func finish() throws(EngineFailure) {
        try check(av_write_trailer(context), "the end")
        try stream.flush()
    }

    // MARK: Description

    private func describe(length: Double) throws(EngineFailure) {
        let names = ["title": "title", "artist": "artist", "album": "album", "comment": "comment", "date": "date"]
        for tag in order.tags where !tag.value.isEmpty {
            if let name = names[tag.key] {
                set(name, tag.value)
            } else if tag.key == "chapter" {
                try setChapter(tag.value, length: length)
            }
        }
    }

    private func set(_ key: String, _ value: String) {
        // Ogg keeps texts with the stream, all other formats with the file.
        if format == .opus, let stream = context.pointee.streams[0] {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        } else {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
    }

    /// Names the chapter from which the passage is: as a chapter of the whole file, where the format has chapters.
    private func setChapter(_ title: String, length: Double) throws(EngineFailure) {
        switch format {
        case .wav: set("ISBJ", title)
        case .flac: set("CHAPTER", title)
        case .m4a, .mp3, .opus, .mp4:
            guard let chapter = av_mallocz(MemoryLayout<AVChapter>.size)?.assumingMemoryBound(to: AVChapter.self),
                let list = av_mallocz(MemoryLayout<UnsafeMutablePointer<AVChapter>?>.size)
            else { throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to write a cut") }
            chapter.pointee.id = 1
            chapter.pointee.time_base = AVRational(num: 1, den: 1000)
            chapter.pointee.end = Int64(min(max(1, length * 1000), 1e15))
            av_dict_set(&chapter.pointee.metadata, "title", title, 0)
            let chapters = list.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
            chapters[0] = chapter
            // libavformat frees both.
            context.pointee.chapters = chapters
            context.pointee.nb_chapters = 1
        }
    }

    private func add(_ picture: CutPicture) throws(EngineFailure) {
        switch format {
        case .wav, .mp4: return
        case .opus: set("METADATA_BLOCK_PICTURE", picture.block)
        case .m4a, .mp3, .flac:
            let added = try addStream()
            added.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
            added.pointee.time_base = AVRational(num: 1, den: 90_000)
            guard let parameters = added.pointee.codecpar else { return }
            parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            parameters.pointee.codec_id = picture.codec
            parameters.pointee.width = picture.width
            parameters.pointee.height = picture.height
            parameters.pointee.format = picture.format
            av_dict_set(&added.pointee.metadata, "comment", "Cover (front)", 0)
            pictureStream = added
        }
    }
}
