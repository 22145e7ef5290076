// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// The file of the session into which a passage is written.
///
/// It keeps an offset of its own, so that the file can be read through another descriptor meanwhile. It is a class
/// because libavformat holds a pointer to it.
final class CutSink {
    let descriptor: Int32
    let host: Host
    /// The first failure, which libavformat would report as a mere error of input or output.
    private(set) var failure: EngineFailure?
    private var offset: Int64 = 0
    private var size: Int64 = 0

    /// Empties the file; the descriptor stays the session's.
    init(_ descriptor: Int32, host: Host) throws(EngineFailure) {
        self.descriptor = descriptor
        self.host = host
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDWR
        else {
            throw EngineFailure(
                ROSTRUM_ERROR_ARGUMENT, "cannot write a cut: the session gave no file open for reading and writing")
        }
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(errno) }
    }

    private static func failure(_ code: Int32) -> EngineFailure {
        let isFull = code == ENOSPC || code == EDQUOT
        let why = isFull ? "the disk is full; make room" : String(cString: strerror(code))
        return EngineFailure(ROSTRUM_ERROR_IO, "cannot write the cut: \(why)")
    }

    /// Writes all of the bytes; returns their number, or an AVERROR code.
    func write(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int32 {
        guard failure == nil else { return CFF_ERROR_IO }
        if host.isInterrupted { return CFF_ERROR_EXIT }
        var written = 0
        while written < count {
            let result = pwrite(descriptor, bytes + written, count - written, off_t(offset))
            if result < 0, errno == EINTR { continue }
            guard result > 0 else {
                failure = Self.failure(result == 0 ? ENOSPC : errno)
                return CFF_ERROR_IO
            }
            written += result
            offset += Int64(result)
            size = max(size, offset)
        }
        return Int32(clamping: count)
    }

    /// Moves to a byte, or returns the size; returns an AVERROR code for anything else.
    func seek(to position: Int64, whence: Int32) -> Int64 {
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size
        case SEEK_SET where position >= 0: offset = position
        case SEEK_CUR where offset &+ position >= 0: offset = offset &+ position
        case SEEK_END where size &+ position >= 0: offset = size &+ position
        default: return Int64(CFF_ERROR_UNSEEKABLE)
        }
        return offset
    }
}

/// A sink wrapped in libavformat's own stream type.
final class CutStream {
    let context: UnsafeMutablePointer<AVIOContext>
    let sink: CutSink
    private static let bufferSize = 64 * 1024

    init(_ sink: CutSink) throws(EngineFailure) {
        self.sink = sink
        guard let buffer = av_malloc(Self.bufferSize) else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to write a cut")
        }
        let stream = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 1,
            Unmanaged.passUnretained(sink).toOpaque(), nil,
            { data, bytes, count in
                guard let data, let bytes, count > 0 else { return 0 }
                return Unmanaged<CutSink>.fromOpaque(data).takeUnretainedValue().write(bytes, count: Int(count))
            },
            { data, offset, whence in
                guard let data else { return -1 }
                return Unmanaged<CutSink>.fromOpaque(data).takeUnretainedValue().seek(to: offset, whence: whence)
            })
        guard let stream else {
            av_free(buffer)
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to write a cut")
        }
        context = stream
        context.pointee.seekable = AVIO_SEEKABLE_NORMAL
    }

    deinit {
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
    }

    /// Writes what is buffered, and throws if anything could not be written.
    func flush() throws(EngineFailure) {
        avio_flush(context)
        if let failure = sink.failure { throw failure }
        guard context.pointee.error >= 0 else {
            throw sink.host.isInterrupted
                ? EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "cutting was interrupted")
                : EngineFailure(
                    ROSTRUM_ERROR_IO, "cannot write the cut: \(LibraryError.text(context.pointee.error))")
        }
    }
}
