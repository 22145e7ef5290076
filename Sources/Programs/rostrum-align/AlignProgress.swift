// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import Glibc
import SessionProtocol

/// The summary of a finished alignment.
struct AlignSummary: Encodable {
    var sentences: Int
    /// The share of the spoken bytes of the text that have a match.
    var matchedShare: Double
    var unmatchedSeconds: Double
    var unmatchedBytes: Int
    var medianErrorMs: Int?

    init(_ alignment: Alignment, textSize: Int, bytes: Int) {
        sentences = alignment.sentences.count
        let matched = alignment.sentences.reduce(0) { $0 + ($1.isMatched ? $1.range.count : 0) }
        matchedShare = (Double(matched) / Double(max(1, matched + bytes)) * 1000).rounded() / 1000
        unmatchedSeconds = (alignment.unmatchedSeconds * 10).rounded() / 10
        unmatchedBytes = bytes
        medianErrorMs = alignment.medianError
    }
}

/// Says how far an alignment is: in the record beside it, and as a bar in a terminal or as lines for a program.
final class AlignProgress {
    private let claim: RunningAlignment
    private let isJSON: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    private struct Line: Encodable { var progress: Double }

    init(isJSON: Bool, _ claim: RunningAlignment) { (self.isJSON, self.claim) = (isJSON, claim) }

    /// Shows a share, 0 to 1; only whole percents are shown, and none twice.
    func show(_ share: Double) {
        let percent = Int((max(0, min(1, share)) * 100).rounded(.down))
        guard percent > shown else { return }
        shown = percent
        claim.note(share: Double(percent) / 100)
        if isJSON {
            write(Line(progress: Double(percent) / 100))
        } else if isTerminal {
            let width = 30
            let filled = percent * width / 100
            let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
            AlignProgram.write(STDERR_FILENO, "\raligning  [\(bar)]  \(percent)%")
        }
    }

    func end(_ summary: AlignSummary) {
        if isJSON { return write(summary) }
        if isTerminal { AlignProgram.write(STDERR_FILENO, "\n") }
        let error = summary.medianErrorMs.map { ", half of them within about \($0) ms" } ?? ""
        AlignProgram.write(
            STDOUT_FILENO,
            "\(summary.sentences) sentences, \(Int(summary.matchedShare * 100)) % of the text found\(error); "
                + "\(Int(summary.unmatchedSeconds)) s of the recording are not in the text\n")
    }

    private func write(_ value: some Encodable) {
        guard let line = try? JSONLine.encode(value) else { return }
        _ = Glibc.write(STDOUT_FILENO, line, line.count)
    }
}
