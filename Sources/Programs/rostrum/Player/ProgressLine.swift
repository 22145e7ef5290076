// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

/// The line that moves: state, chapter, bar, time and speed, fitted to a width.
struct ProgressLine {
    let text: String

    init(_ status: Status, positionMs: Int64?, remark: String?, columns: Int) {
        let state = Self.state(status)
        var right = "\(clockText(positionMs)) / \(clockText(status.duration.ms))  \(rateText(status.rate))"
        if status.volume != 1 { right += "  \(percentText(status.volume))" }
        if let remark { right += "  \(remark.printable)" }
        let room = columns - state.columns - right.columns - 4
        guard room >= 8 else {
            text = "\(state)  \(right)".fitted(to: max(columns, 1))
            return
        }
        let heading = status.chapter.map(\.heading.printable) ?? ""
        let barColumns = min(40, heading.isEmpty ? room : max(8, room - heading.columns - 2))
        let headingColumns = heading.isEmpty ? 0 : room - barColumns - 2
        let middle = headingColumns >= 4 ? heading.fitted(to: headingColumns) + "  " : ""
        text = "\(state)  \(middle)\(Self.bar(barColumns, Self.fraction(positionMs, status.duration.ms)))  \(right)"
    }

    static func state(_ status: Status) -> String {
        if let error = status.error, status.status == "error" { return "error: \(error.message.printable)" }
        // An owner without audio focus has no intent of its own, but its playback is held.
        if let suppression = status.suppression, status.intent == "play" || suppression == "owner" {
            return "held (\(suppression.printable))"
        }
        return status.status.printable
    }

    private static func fraction(_ position: Int64?, _ duration: Int64?) -> Double? {
        guard let position, let duration, duration > 0 else { return nil }
        return min(1, max(0, Double(position) / Double(duration)))
    }

    /// Returns a bar such as `[====      ]`; it is empty if the fraction is not known.
    private static func bar(_ columns: Int, _ fraction: Double?) -> String {
        let inner = columns - 2
        let filled = Int((Double(inner) * (fraction ?? 0)).rounded(.down))
        return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: inner - filled) + "]"
    }
}
