// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// A file on a web server, through libavformat's http.
final class HTTPSource: ByteSource {
    /// How long a server may say nothing.
    private static let patience: Int = 8

    private var context: UnsafeMutablePointer<AVIOContext>?
    private let deadline: Deadline
    private var position: Int64 = 0
    private let contentLength: Int64?

    override var size: Int64? { contentLength }
    override var isSeekable: Bool { context.map { $0.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 } ?? false }

    init(url: String, headers: String?, host: Host) throws(EngineFailure) {
        let name = Address.shown(url)
        guard Address.isWeb(url) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "cannot open “\(name)”: not an http or https address")
        }
        deadline = Deadline(host: host)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "user_agent", "Rostrum/1", 0)
        av_dict_set(&options, "rw_timeout", String(Self.patience * 1_000_000), 0)
        // A connection that breaks off is taken up again where it was, at once and after a second.
        av_dict_set(&options, "reconnect", "1", 0)
        av_dict_set(&options, "reconnect_delay_max", "2", 0)
        if let headers, !headers.isEmpty { av_dict_set(&options, "headers", headers, 0) }
        av_dict_set(&options, "protocol_whitelist", Container.protocols, 0)
        var callback = deadline.callback
        deadline.start(seconds: Self.patience)
        let result = avio_open2(&context, url, AVIO_FLAG_READ, &callback, &options)
        let length = result >= 0 ? avio_size(context) : -1
        contentLength = length > 0 ? length : nil
        super.init(host: host, name: name)
        if result < 0 { throw failure(of: result, "cannot open") }
    }

    deinit {
        avio_closep(&context)
    }

    override func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        guard let context else { return CFF_ERROR_IO }
        deadline.start(seconds: Self.patience)
        let result = avio_read_partial(context, buffer, Int32(clamping: count))
        if result > 0 {
            position += Int64(result)
            return result
        }
        if result == 0 || result == CFF_ERROR_EOF {
            guard let contentLength, position < contentLength else { return CFF_ERROR_EOF }
            failure = EngineFailure(
                ROSTRUM_ERROR_NETWORK, "cannot read “\(name)”: it ended at byte \(position) of \(contentLength)")
            return CFF_ERROR_IO
        }
        failure = failure(of: result, "cannot read")
        return result
    }

    override func seek(to position: Int64) -> Int64 {
        guard let context, isSeekable else { return Int64(CFF_ERROR_UNSEEKABLE) }
        deadline.start(seconds: Self.patience)
        let result = avio_seek(context, position, SEEK_SET)
        if result < 0 {
            failure = failure(of: Int32(clamping: result), "cannot read")
        } else {
            self.position = result
        }
        return result
    }

    private func failure(of code: Int32, _ what: String) -> EngineFailure {
        let (result, reason): (rostrum_result, String) =
            switch code {
            case CFF_ERROR_EXIT where host.isInterrupted: (ROSTRUM_ERROR_INTERRUPTED, "interrupted")
            case CFF_ERROR_EXIT, CFF_ERROR_TIMEOUT: (ROSTRUM_ERROR_TIMEOUT, "the server does not answer")
            case CFF_ERROR_HTTP_UNAUTHORIZED: (ROSTRUM_ERROR_PERMISSION, "the server wants a login (401)")
            case CFF_ERROR_HTTP_FORBIDDEN: (ROSTRUM_ERROR_PERMISSION, "the server forbids it (403)")
            case CFF_ERROR_HTTP_NOT_FOUND: (ROSTRUM_ERROR_NOT_FOUND, "the server does not have it (404)")
            case CFF_ERROR_IO: (ROSTRUM_ERROR_NETWORK, "the connection failed or broke off")
            default: (ROSTRUM_ERROR_NETWORK, LibraryError.text(code))
            }
        return EngineFailure(result, "\(what) “\(name)”: \(reason)")
    }
}

/// Lets libavformat's waiting end when the host wants it, or when its time is up.
///
/// A class because libavformat holds a pointer to it.
private final class Deadline {
    private let host: Host
    private var end: Int = .max

    init(host: Host) {
        self.host = host
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec &* 1000 &+ time.tv_nsec / 1_000_000
    }

    func start(seconds: Int) {
        end = Self.now + seconds * 1000
    }

    /// Does not retain the deadline.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { data in
                guard let data else { return 0 }
                let deadline = Unmanaged<Deadline>.fromOpaque(data).takeUnretainedValue()
                return deadline.host.isInterrupted || Deadline.now >= deadline.end ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
