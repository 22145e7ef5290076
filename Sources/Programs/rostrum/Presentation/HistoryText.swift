// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol
import TerminalPlayer

/// The history as lines for the user.
struct HistoryText {
    let lines: [String]

    init(_ history: History, listened: Bool) {
        if listened {
            lines =
                history.listened.isEmpty
                ? ["nothing has been listened to yet"]
                : history.listened.map { span in
                    let minutes = max(1, (span.ended &- span.began &+ 30_000) / 60_000)
                    return "\(Self.time(span.began))  \(minutes) min  \(span.from.title)  "
                        + "\(clockText(span.from.ms)) to \(clockText(span.to.ms))"
                }
        } else {
            lines = history.jumps.isEmpty ? ["no jump yet"] : history.jumps.map(Self.line)
        }
    }

    private static func line(_ jump: History.Jump) -> String {
        let sameItem = jump.from.uri == jump.to.uri
        let way =
            sameItem
            ? "\(jump.from.title)  \(clockText(jump.from.ms)) to \(clockText(jump.to.ms))"
            : "\(jump.from.title) \(clockText(jump.from.ms)) to \(jump.to.title) \(clockText(jump.to.ms))"
        return "\(time(jump.at))  \(jump.cause)  \(way)\(jump.undone ? "  (taken back)" : "")"
    }

    /// Returns a date and time in the local time zone.
    static func time(_ milliseconds: Int64, as format: String = "%Y-%m-%d %H:%M:%S") -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
