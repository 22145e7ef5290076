// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import Clocks
import EngineSDK
import Glibc
import Synchronization

/// A redirection of FFmpeg's log, which would go to standard error, to the host at a bounded rate.
///
/// FFmpeg has one callback for the process. Addresses are cut off, because they may hold credentials.
enum LibraryLog {
    private struct State {
        var host: Host?
        var windowStart: Int = 0
        var lines = 0
        var suppressed = 0
    }
    /// A lock guards the state because FFmpeg may log from any thread.
    private static let state = Mutex(State())
    private static let linesPerWindow = 20
    private static let windowSeconds = 10

    static func attach(to host: Host) {
        state.withLock { $0 = State(host: host) }
        av_log_set_level(AV_LOG_WARNING)
        av_log_set_callback { object, level, format, arguments in
            guard level <= AV_LOG_WARNING, let format, let arguments else { return }
            var text = [CChar](repeating: 0, count: 512)
            var prefix: Int32 = 1
            av_log_format_line(object, level, format, arguments, &text, Int32(text.count), &prefix)
            text[text.count - 1] = 0
            let end = text.firstIndex(of: 0) ?? text.endIndex
            let line = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            LibraryLog.write(line, level: level <= AV_LOG_ERROR ? .warning : .debug)
        }
    }

    static func detach() {
        state.withLock { $0.host = nil }
    }

    private static func write(_ text: String, level: LogLevel) {
        let line = safe(text)
        guard !line.isEmpty else { return }
        let seconds = Int(MonotonicTime.milliseconds() / 1000)
        let due = state.withLock { state -> (host: Host, suppressed: Int)? in
            guard let host = state.host else { return nil }
            var suppressed = 0
            if seconds - state.windowStart >= windowSeconds {
                suppressed = state.suppressed
                state.windowStart = seconds
                state.lines = 0
                state.suppressed = 0
            }
            state.lines += 1
            guard state.lines <= linesPerWindow else {
                state.suppressed += 1
                return nil
            }
            return (host, suppressed)
        }
        guard let due else { return }
        if due.suppressed > 0 { due.host.log(.debug, "libav: \(due.suppressed) more lines left out") }
        due.host.log(level, "libav: \(line)")
    }

    /// Returns the text as one line without control characters and addresses.
    private static func safe(_ text: String) -> String {
        var bytes: [UInt8] = []
        for word in text.utf8.split(whereSeparator: { $0 <= 0x20 || $0 == 0x7f }) {
            if !bytes.isEmpty { bytes.append(0x20) }
            let isAddress = word.indices.contains { word[$0...].starts(with: "://".utf8) }
            bytes.append(contentsOf: isAddress ? Array("<address>".utf8) : Array(word))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
