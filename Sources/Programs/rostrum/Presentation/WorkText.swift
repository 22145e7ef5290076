// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

extension LibraryWork {
    /// A book and its text as lines for the user.
    var lines: [String] {
        var lines = ["\(id)  \(title.printable)", "recording: \(recording.printable)"]
        lines.append("text: \(text?.printable ?? "none")")
        if let takenFrom { lines.append("it was the text of “\(takenFrom.title.printable)” (\(takenFrom.id))") }
        let share = Int((share * 100).rounded(.down))
        lines.append("places: \(grade)" + (share > 0 ? ", \(share) % of the text to the sentence" : ""))
        if let run {
            lines.append(run.line(of: id))
        } else if grade == "anchored" || grade == "proportional" {
            lines.append("`rostrum align \(id)` finds each sentence in the recording")
        }
        return lines + unmatchedLines
    }

    private var unmatchedLines: [String] {
        guard let unmatched, !unmatched.isEmpty else { return [] }
        var lines = ["without a counterpart:"]
        let isOneFile = files.count == 1
        lines += unmatched.map { passage in
            let file = isOneFile ? "" : "file \(passage.file &+ 1), "
            let from = clockText(passage.startMs)
            let end = passage.endMs > passage.startMs ? "–\(clockText(passage.endMs))" : ""
            let words = passage.words.map { ": “\($0.printable)”" } ?? ""
            return "  \(file)\(from)\(end)  \(passage.kind)\(words)"
        }
        if let unmatchedLeftOut { lines.append("  and \(unmatchedLeftOut) more") }
        return lines
    }
}

extension AlignmentReport {
    /// `31 % done`, of the recording.
    var done: String { "\(Int((share * 100).rounded(.down))) % done" }

    /// The report as a line of a status; `nil` if it is nothing that the user has to know there.
    var shortLine: String? {
        switch state {
        case "running": "aligning: \(done)"
        case "failed": "the last alignment failed: \(failure?.message.printable ?? "no reason is known")"
        default: nil
        }
    }

    /// The report as a line that says what to do.
    func line(of book: String) -> String {
        switch state {
        case "running":
            "aligning: \(done)" + (process.map { ", process \($0)" } ?? "") + "; `rostrum align \(book) --stop` ends it"
        case "failed":
            "the last alignment failed, \(done): \(failure?.message.printable ?? "no reason is known")"
        default: "the last alignment was \(state.printable), \(done); `rostrum align \(book)` goes on there"
        }
    }
}
