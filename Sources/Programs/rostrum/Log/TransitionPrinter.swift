// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import JSON
import TerminalPlayer

/// A formatter of log records for the user, indented below the command that they belong to.
struct TransitionPrinter {
    private var command: String?
    /// Members that have columns of their own, or that do not concern the user.
    private static let placed: Set<String> = [
        "v", "seq", "t", "wall", "kind", "cause", "command", "from", "to", "state", "settings", "input", "output",
    ]
    /// Members of an engine's record that describe the machine: for programs, and for a close look.
    private static let inner: Set<String> = ["isPaused", "isPlaying", "phase", "stream", "generation"]
    private static let longest = 400

    /// Returns the text of a record, preceded by a line for its command if that is another one.
    mutating func lines(_ record: TransitionRecord) -> String {
        var text = ""
        // This event only reports the position, regularly.
        if record["event"]?.string == "heard" { return "" }
        let command = record["command"].flatMap { $0 == .null ? nil : $0.text.printable }
        if command != self.command {
            self.command = command
            if let command { text += "command \(command)\n" }
        }
        return text + (command == nil ? "" : "  ") + line(record) + "\n"
    }

    private func line(_ record: TransitionRecord) -> String {
        let words = [
            record.wall.map(Self.clock) ?? record["wall"]?.text ?? "--:--:--",
            record["kind"]?.text ?? "?",
            record["cause"].flatMap { $0 == .null ? nil : $0.text },
            Self.change(record),
            Self.details(record),
        ]
        return words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ").printable
    }

    /// Returns what changed; members that are equal before and after are left out.
    private static func change(_ record: TransitionRecord) -> String? {
        // An event changes nothing by itself; then both are null.
        let (from, to) = (record["from"] == .null ? nil : record["from"], record["to"] == .null ? nil : record["to"])
        switch (from, to) {
        case (.object(let from)?, .object(let to)?):
            let names = Set((from.members + to.members).map(\.name)).filter { from[$0] != to[$0] }.sorted()
            return names.map { "\($0): \(from[$0]?.text ?? "-") -> \(to[$0]?.text ?? "-")" }.joined(separator: ", ")
        case (let from?, let to?): return "\(from.text) -> \(to.text)"
        case (nil, let to?): return "-> \(to.text)"
        case (let from?, nil): return "\(from.text) ->"
        case (nil, nil): return nil
        }
    }

    private static func details(_ record: TransitionRecord) -> String {
        let isOfEngine = record["kind"]?.string == "engine"
        var rest = JSONObject()
        for member in record.members.members where member.value != .null {
            if placed.contains(member.name) || isOfEngine && inner.contains(member.name) { continue }
            rest[member.name] = member.value
        }
        if case .array(let decisions)? = rest["decisions"] {
            let told = decisions.filter {
                !($0.string.map { $0.hasPrefix("startClock") || $0 == "stopClock" } ?? false)
            }
            rest["decisions"] = told.isEmpty ? nil : .array(told)
        }
        let text = JSONValue.pairs(rest)
        return text.count > longest ? text.prefix(longest) + "…" : text
    }

    /// Returns a time as `08:15:30.250` in the user's time zone.
    private static func clock(_ date: Date) -> String {
        let ms = Int64((date.timeIntervalSince1970 * 1000).rounded())
        var seconds = time_t(ms / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let pad: (Int, Int) -> String = { String(repeating: "0", count: max(0, $1 - "\($0)".count)) + "\($0)" }
        return
            "\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2)):\(pad(Int(parts.tm_sec), 2)).\(pad(Int(ms % 1000), 3))"
    }
}
