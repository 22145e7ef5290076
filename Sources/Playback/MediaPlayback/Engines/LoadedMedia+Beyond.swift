// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import Foundation
import PlaybackCore

extension LoadedMedia {
    private static let longestRead = Duration.seconds(1)

    /// So many sentences in a row are tried one by one; behind them, paragraphs are.
    private static let mostSentences = 8

    /// Of a longer text the sentences are not counted.
    private static let longestText = 8 << 20

    /// Where to go on behind a place that ends an engine; nil: nothing is behind it.
    ///
    /// In a text at the next sentence, and after some at the next paragraph; in a book a second on, then two, then four,
    /// over chapters and files. `steps`: how often something was stepped over just before. `isCounted`: how many sentences there are is known.
    func place(
        beyond place: MediaPosition, steps: Int, isCounted: Bool
    ) async -> (place: MediaPosition, leavesOut: UnspokenText?)? {
        guard content.kind == .text else {
            return (timeline.move(place, bySeconds: Double(1 << min(steps, 9))), nil)
        }
        guard let source = content.tracks.first else { return nil }
        let read = await BlockingQueue(label: "rostrum.passage").run(within: Self.longestRead) {
            (
                passage: TextPassage(source, from: place.units),
                total: isCounted
                    ? nil : TextPassage(source, from: 0, upTo: Self.longestText).flatMap(\.sentenceCount)
            )
        }
        guard let read, let passage = read.passage else { return nil }
        let length = steps < Self.mostSentences ? passage.sentence : passage.paragraph
        guard length > 0 else { return nil }
        let sentences = steps < Self.mostSentences ? 1 : passage.sentences(upTo: length)
        return (
            MediaPosition(track: place.track, units: place.units + Int64(length)),
            UnspokenText(sentences: max(1, sentences), total: read.total)
        )
    }
}
