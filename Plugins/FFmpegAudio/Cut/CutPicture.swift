// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// A picture that is written into a file as its cover: a JPEG or a PNG.
final class CutPicture {
    let bytes: [UInt8]
    let codec: AVCodecID
    let mediaType: String
    /// The decoded picture.
    let frame: UnsafeMutablePointer<AVFrame>

    /// The maximum number of pixels: a cover is a few million.
    private static let pixelLimit: Int64 = 64 << 20

    var width: Int32 { frame.pointee.width }
    var height: Int32 { frame.pointee.height }
    /// The pixel format, as libavutil numbers them.
    var format: Int32 { frame.pointee.format }

    /// Reads the picture of an open file from its beginning; the descriptor stays the session's.
    init(descriptor: Int32) throws(EngineFailure) {
        bytes = try Self.read(descriptor)
        switch bytes.withUnsafeBufferPointer({ PictureType($0) }) {
        case .jpeg: codec = AV_CODEC_ID_MJPEG
        case .png: codec = AV_CODEC_ID_PNG
        default: throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "the cover is neither a JPEG nor a PNG")
        }
        mediaType = codec == AV_CODEC_ID_PNG ? "image/png" : "image/jpeg"
        guard let frame = av_frame_alloc() else { throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for a cover") }
        self.frame = frame
        try Self.decode(bytes, codec, into: frame)
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    private static func read(_ descriptor: Int32) throws(EngineFailure) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...Int(ROSTRUM_COVER_LIMIT)).contains(Int(status.st_size))
        else { throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "the cover is no file of 1 byte to 16 MiB") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled, off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw EngineFailure(ROSTRUM_ERROR_IO, "cannot read the cover") }
            filled += count
        }
        return bytes
    }

    private static func decode(
        _ bytes: [UInt8], _ id: AVCodecID, into frame: UnsafeMutablePointer<AVFrame>
    ) throws(EngineFailure) {
        let damaged = EngineFailure(ROSTRUM_ERROR_ARGUMENT, "the cover is damaged: it cannot be decoded")
        guard let codec = avcodec_find_decoder(id) else {
            throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "this libavcodec decodes no such cover")
        }
        var context = avcodec_alloc_context3(codec)
        var packet = av_packet_alloc()
        defer {
            avcodec_free_context(&context)
            av_packet_free(&packet)
        }
        guard let context, let packet, av_new_packet(packet, Int32(bytes.count)) >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory for a cover")
        }
        context.pointee.max_pixels = pixelLimit
        context.pointee.thread_count = 1
        bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { packet.pointee.data.update(from: start, count: bytes.count) }
        }
        guard avcodec_open2(context, codec, nil) >= 0, avcodec_send_packet(context, packet) >= 0 else { throw damaged }
        var result = avcodec_receive_frame(context, frame)
        if result == CFF_ERROR_AGAIN, avcodec_send_packet(context, nil) >= 0 {
            result = avcodec_receive_frame(context, frame)
        }
        guard result >= 0, frame.pointee.width > 0, frame.pointee.height > 0 else { throw damaged }
    }

    /// The picture as a FLAC block in Base64, which is how a Vorbis comment holds one.
    var block: String {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let type = Array(mediaType.utf8)
        let frontCover = 3
        var block = number(frontCover) + number(type.count) + type + number(0)
        block += number(Int(width)) + number(Int(height)) + number(24) + number(0) + number(bytes.count) + bytes
        let room = (block.count + 2) / 3 * 4 + 1
        let text = [CChar](unsafeUninitializedCapacity: room) { text, count in
            av_base64_encode(text.baseAddress, Int32(room), block, Int32(block.count))
            count = room
        }
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
