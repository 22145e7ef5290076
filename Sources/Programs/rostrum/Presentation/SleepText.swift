// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

/// The sleep timer and the chapters that it can end with, as lines for the user.
struct SleepText {
    let lines: [String]

    init(_ choices: SleepChoices) {
        let chapters = choices.chapters.map { chapter in
            "ch:\(chapter.index &+ 1)  in \(clockText(chapter.remainingMs)), at "
                + HistoryText.time(chapter.at, as: "%H:%M") + (chapter.title.map { "  \($0)" } ?? "")
        }
        lines =
            (choices.sleep.map { [$0.line] } ?? ["no sleep timer is set"])
            + (chapters.isEmpty ? ["no chapters here: give a time, or book"] : chapters)
    }
}
