// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// What there is to fall asleep with, as lines for people.
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
