// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import Foundation
import PlaybackCore

extension LoadedMedia {
    private static let longestRead = Duration.seconds(1)

    /// The number of sentences in a row that are skipped one by one; after them, whole paragraphs are skipped.
    private static let mostSentences = 8

    /// The size in bytes beyond which the sentences of a text are not counted.
    private static let longestText = 8 << 20

    /// Returns where to continue behind a place that ends an engine; `nil` if nothing is behind it.
    ///
    /// In a text, that is the next sentence, and after some of these the next paragraph. In a book it is one second on,
    /// then two, then four, across chapters and files.
    ///
    /// - Parameters:
    ///   - steps: the number of places that were stepped over just before.
    ///   - isCounted: whether the number of sentences is already known.
    func place(
        beyond place: MediaPosition, steps: Int, isCounted: Bool
    ) async -> (place: MediaPosition, leavesOut: UnspokenText?)? {
        guard content.kind == .text else {
            return (timeline.move(place, bySeconds: Double(1 << min(steps, 9))), nil)
        }
        guard let source = content.tracks.first else { return nil }
        let read = await BlockingQueue(label: "rostrum.passage").run(within: Self.longestRead) {
            (
                passage: PassageText(source, from: place.units),
                total: isCounted
                    ? nil : PassageText(source, from: 0, upTo: Self.longestText).flatMap(\.sentenceCount)
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
