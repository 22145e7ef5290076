// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// An opened file and the one stream of it that is played.
final class Container {
    let context: UnsafeMutablePointer<AVFormatContext>
    let input: SourceStream
    let stream: UnsafeMutablePointer<AVStream>
    /// libavformat's name of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    let format: String
    /// The earliest offset of the first packet, known once the header is read.
    let headerEnd: Int64

    var name: String { input.source.name }
    var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }
    var isSeekable: Bool { input.source.isSeekable }

    static func open(track: Int, host: Host) throws(EngineFailure) -> Container {
        switch try host.openSource(track: track) {
        case .descriptor(let descriptor, let name):
            let shown = name.isEmpty ? "track \(track + 1)" : name
            return try Container(
                source: DescriptorSource(descriptor: descriptor, host: host, name: shown), hint: name)
        case .url(let url, let headers, let name):
            return try Container(
                source: HTTPSource(
                    url: url, headers: headers, trust: host.trust(track: track), host: host, track: track),
                hint: name.isEmpty ? Address.fileName(url) : name)
        }
    }

    init(source: ByteSource, hint: String) throws(EngineFailure) {
        input = try SourceStream(source)
        if source.size == 0 {
            throw EngineFailure(ROSTRUM_ERROR_EMPTY, "cannot open “\(source.name)”: the file is empty")
        }
        var format: UnsafePointer<AVInputFormat>?
        let score = av_probe_input_buffer2(input.context, &format, hint, nil, 0, 0)
        guard score >= 0, let format else {
            let isCut = Self.hasKnownStart(input)
            throw Self.failure(
                source, unreadable: isCut,
                isCut ? "the file is cut off in its header" : "not a known kind of audio file")
        }
        context = try Self.context(input, format, hint, score)
        self.format = String(cString: format.pointee.name)
        headerEnd = avio_tell(input.context)
        do throws(EngineFailure) {
            stream = try Self.choose(context, source)
        } catch {
            var closing: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&closing)
            throw error
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    private static func failure(
        _ source: ByteSource, unreadable: Bool, _ reason: String
    ) -> EngineFailure {
        if source.host.isInterrupted {
            return EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "opening “\(source.name)” was interrupted")
        }
        return source.failure
            ?? EngineFailure(
                unreadable ? ROSTRUM_ERROR_CORRUPT : ROSTRUM_ERROR_FORMAT, "cannot open “\(source.name)”: \(reason)")
    }

    /// Returns whether the first bytes are those of a format that this engine plays.
    private static func hasKnownStart(_ input: SourceStream) -> Bool {
        let starts = ["RIFF", "RF64", "FORM", "OggS", "fLaC", "ID3"].map { Array($0.utf8) }
        guard let head = input.bytes(at: 0, count: 4) else { return false }
        return starts.contains { head.starts(with: $0) }
    }

    private static func context(
        _ input: SourceStream, _ format: UnsafePointer<AVInputFormat>, _ hint: String, _ score: Int32
    ) throws(EngineFailure) -> UnsafeMutablePointer<AVFormatContext> {
        guard var context = avformat_alloc_context() else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to open “\(input.source.name)”")
        }
        context.pointee.pb = input.context
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // A file that refers to other files gets none of them.
        context.pointee.io_open = { _, _, _, _, _ in CFF_ERROR_PERMISSION }
        context.pointee.max_analyze_duration = 2_000_000
        context.pointee.max_streams = 64
        // Otherwise libavformat would record every packet that it reads, which nothing here uses.
        if ["mp3", "aac"].contains(String(cString: format.pointee.name)) { context.pointee.max_index_size = 1024 }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", protocols, 0)
        av_dict_set(&options, "format_whitelist", formats, 0)
        var opening: UnsafeMutablePointer<AVFormatContext>? = context
        let result = avformat_open_input(&opening, hint, format, &options)
        guard result >= 0, let opened = opening else {
            // libavformat has freed the context.
            let isListed = formats.contains(String(cString: format.pointee.name))
            let isSure = isListed && (score > AVPROBE_SCORE_RETRY || hasKnownStart(input))
            throw failure(
                input.source, unreadable: isSure,
                isSure
                    ? "the \(String(cString: format.pointee.name).prefix { $0 != "," }) header is damaged or cut off"
                    : "not a known kind of audio file")
        }
        context = opened
        return context
    }

    private static func choose(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ source: ByteSource
    ) throws(EngineFailure) -> UnsafeMutablePointer<AVStream> {
        if !headerTellsAll(context) {
            let result = avformat_find_stream_info(context, nil)
            if result < 0 || source.host.isInterrupted, let problem = interruption(source) { throw problem }
        }
        let index = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        guard index >= 0, let chosen = context.pointee.streams[Int(index)] else {
            if let problem = interruption(source) { throw problem }
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "cannot open “\(source.name)”: no audio stream")
        }
        for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
            context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
        }
        chosen.pointee.discard = AVDISCARD_DEFAULT
        return chosen
    }

    private static func interruption(_ source: ByteSource) -> EngineFailure? {
        if source.host.isInterrupted {
            return EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "opening “\(source.name)” was interrupted")
        }
        return source.failure
    }

    /// Returns whether the audio streams are known without reading any packet.
    private static func headerTellsAll(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        guard context.pointee.ctx_flags & AVFMTCTX_NOHEADER == 0 else { return false }
        var count = 0
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar,
                parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
            else { continue }
            count += 1
            if parameters.pointee.codec_id == AV_CODEC_ID_NONE || parameters.pointee.sample_rate <= 0
                || parameters.pointee.ch_layout.nb_channels <= 0
            {
                return false
            }
        }
        return count > 0
    }
}
