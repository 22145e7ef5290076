// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

/// A status as lines for the user.
struct StatusText {
    let lines: [String]

    init(_ status: Status) {
        var lines: [String] = []
        var first = status.status
        if let item = status.item { first += ": " + item.heading }
        if let suppression = status.suppression { first += " (held: \(suppression))" }
        lines.append(first)
        if let chapter = status.chapter { lines.append("chapter \(chapter.heading)") }
        if let page = status.page { lines.append("page \(page.label) (\(page.index &+ 1) of \(page.count))") }
        if status.item != nil {
            let confidence = status.duration.confidence == "estimated" ? " (estimated)" : ""
            lines.append(
                "\(clockText(status.position.ms)) of \(clockText(status.duration.ms))\(confidence), "
                    + "\(rateText(status.rate)), volume \(percentText(status.volume))")
        }
        if let sleep = status.sleep { lines.append(sleep.line) }
        if let sound = status.sound { lines.append(sound.line) }
        let output = status.session.output.map { "output \($0)" + (status.session.route.map { " (\($0))" } ?? "") }
        let parts = [status.engine.map { "engine \($0)" }, "owner \(status.owner)", output]
        if status.item != nil { lines.append(parts.compactMap { $0 }.joined(separator: ", ")) }
        if let work = status.work { lines += work.lines }
        if let hung = status.session.hungOutputs, hung > 0 {
            lines.append("warning: \(hung) \(hung == 1 ? "output does" : "outputs do") not answer; a new one is used")
        }
        if let error = status.error { lines.append("error: \(error.message)") }
        if let warning = status.warning { lines.append("warning: \(warning)") }
        self.lines = lines
    }
}

extension Status.Sleep {
    var line: String {
        switch end {
        case "over": "asleep: the timer was set at \(clockText(setAtMs)); rostrum undo goes back there"
        case "chapter": "sleep at the end of the chapter, in \(clockText(remainingMs))"
        case "book": "sleep at the end of the book"
        default: "sleep in \(clockText(remainingMs))"
        }
    }
}

extension Status.Work {
    fileprivate var lines: [String] {
        [line] + [run?.shortLine].compactMap(\.self)
    }

    /// `also: “Moby Dick.epub” (aligned, within 0.3 s)`.
    private var line: String {
        let known = errorMs.map { ", within \(($0 &+ 99) / 100 >= 100 ? "\(($0 &+ 999) / 1000)" : tenths($0)) s" } ?? ""
        return "also: \(title ?? uri) (\(grade)\(known))"
    }

    private func tenths(_ milliseconds: Int64) -> String {
        let tenths = (milliseconds &+ 99) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Status.Sound {
    /// `sound: mono, balance -0.5, loudness -18 LUFS, silences over 0.5 s shortened`.
    fileprivate var line: String {
        let parts = [
            mono ? "mono" : nil, balance == 0 ? nil : "balance \(balance)", loudness.map { "loudness \($0) LUFS" },
            silence.map { "silences over \($0) s shortened" },
        ]
        return "sound: " + parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension Inspection {
    var lines: [String] {
        var lines = [(title ?? uri) + (author.map { " - \($0)" } ?? "")]
        lines.append("duration \(clockText(durationMs)) (\(durationConfidence))")
        for track in tracks {
            lines.append(
                "track \(track.index &+ 1): \(clockText(track.durationMs)), \(track.codec), \(track.sampleRate) Hz, "
                    + "\(track.channels) ch, \(track.uri)")
        }
        for chapter in chapters {
            lines.append("chapter \(chapter.index &+ 1): \(clockText(chapter.startMs)) \(chapter.title ?? "")")
        }
        return lines
    }
}
