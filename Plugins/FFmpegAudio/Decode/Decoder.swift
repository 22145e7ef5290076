// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A libavcodec decoder of one stream.
final class Decoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    let frame: UnsafeMutablePointer<AVFrame>
    let codec: String

    init(_ container: Container) throws(EngineFailure) {
        let parameters = container.parameters
        let id = parameters.pointee.codec_id
        codec = avcodec_get_name(id).map { String(cString: $0) } ?? ""
        try Self.refuseEncrypted(container)
        guard let implementation = avcodec_find_decoder(id), id != AV_CODEC_ID_NONE else {
            throw EngineFailure(
                ROSTRUM_ERROR_FORMAT, "cannot open “\(container.name)”: no decoder for its audio (\(codec))")
        }
        guard let context = avcodec_alloc_context3(implementation), let frame = av_frame_alloc() else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to decode “\(container.name)”")
        }
        self.frame = frame
        var result = avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = container.stream.pointee.time_base
        context.pointee.thread_count = 1
        // Trimming is done here, by position, so that the result is the same after a seek.
        context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        if result >= 0 { result = avcodec_open2(context, implementation, nil) }
        self.context = context
        guard result >= 0 else {
            // All properties are initialised, so deinit frees what was allocated.
            throw EngineFailure(
                ROSTRUM_ERROR_CORRUPT,
                "cannot open “\(container.name)”: the \(codec) decoder refuses it: \(LibraryError.text(result))")
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    func flush() {
        avcodec_flush_buffers(context)
    }

    private static func refuseEncrypted(_ container: Container) throws(EngineFailure) {
        let tag = container.parameters.pointee.codec_tag
        let encrypted = [
            cff_tag(0x64, 0x72, 0x6d, 0x73), cff_tag(0x65, 0x6e, 0x63, 0x61), cff_tag(0x65, 0x6e, 0x63, 0x70),
            cff_tag(0x61, 0x61, 0x76, 0x64),
        ]  // drms, enca, encp, aavd
        var size = 0
        let hasKeys =
            av_stream_get_side_data(container.stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, &size) != nil
        guard encrypted.contains(tag) || hasKeys else { return }
        throw EngineFailure(
            ROSTRUM_ERROR_ENCRYPTED, "cannot open “\(container.name)”: it is encrypted (DRM)")
    }
}
