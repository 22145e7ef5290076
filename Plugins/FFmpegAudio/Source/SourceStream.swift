// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// A byte source wrapped in libavformat's own stream type.
final class SourceStream {
    let context: UnsafeMutablePointer<AVIOContext>
    let source: ByteSource

    private static let bufferSize = 32 * 1024
    /// libavformat's request for the size, which it passes in place of an origin to seek from.
    private static let askSize: Int32 = 0x10000

    init(_ source: ByteSource) throws(EngineFailure) {
        self.source = source
        guard let buffer = av_malloc(Self.bufferSize) else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to read “\(source.name)”")
        }
        let stream = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
            Unmanaged.passUnretained(source).toOpaque(),
            { data, buffer, count in
                guard let data, let buffer, count > 0 else { return CFF_ERROR_EOF }
                return Unmanaged<ByteSource>.fromOpaque(data).takeUnretainedValue()
                    .read(into: buffer, count: Int(count))
            }, nil,
            { data, offset, whence in
                guard let data else { return -1 }
                let source = Unmanaged<ByteSource>.fromOpaque(data).takeUnretainedValue()
                switch whence & ~AVSEEK_FORCE {
                case SourceStream.askSize: return source.size ?? -1
                case SEEK_SET: return source.seek(to: offset)
                default: return Int64(CFF_ERROR_UNSEEKABLE)
                }
            })
        guard let stream else {
            av_free(buffer)
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to read “\(source.name)”")
        }
        context = stream
        context.pointee.seekable = source.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        // libavformat may have replaced the first buffer.
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
    }

    /// Returns exactly these bytes, or `nil` if they do not exist.
    ///
    /// It works only for a seekable source.
    func bytes(at position: Int64, count: Int) -> [UInt8]? {
        guard source.isSeekable, position >= 0, count >= 0, count <= 64 << 20 else { return nil }
        if let size = source.size, position > size - Int64(count) { return nil }
        guard avio_seek(context, position, SEEK_SET) >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return avio_read(context, &bytes, Int32(count)) == Int32(count) ? bytes : nil
    }

    /// Clears an end or an error, so that reading can be tried again.
    func clearEnd() {
        context.pointee.eof_reached = 0
        context.pointee.error = 0
    }
}
