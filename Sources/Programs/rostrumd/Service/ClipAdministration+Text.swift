// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import Clocks
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// Clips of texts: their passages move with their words.
extension ClipAdministration {
    private static let longestSearch = Duration.seconds(10)

    /// Moves the bounds of a quote; what is relative counts from where its words are now.
    func move(_ clip: inout Clip, _ action: ClipAction, _ source: ClipSource) async throws(PlaybackError) {
        guard let document = source.document, let now = await present(clip, in: document) else {
            throw PlaybackError(
                .noInput, message: "the words of clip \(clip.id) are gone from “\(clip.title)”; make another one")
        }
        var first = ClipSource.TextEnd(byte: now.lowerBound, isExact: true)
        var last = ClipSource.TextEnd(byte: now.upperBound, isExact: true)
        if let start = action.start {
            first = try await source.textEnd(start, from: MediaPosition(track: 0, units: now.lowerBound), in: document)
        }
        if let end = action.end {
            last = try await source.textEnd(end, from: MediaPosition(track: 0, units: now.upperBound), in: document)
        }
        let (bounds, quote) = try await source.passage(from: first, to: last, in: document)
        source.apply(bounds, to: &clip)
        clip.quote = quote
    }

    /// Returns where a quote is in its text as that is now; `nil` if its words are not there any more.
    ///
    /// Bounds that have moved are kept, so that the list shows them.
    func passage(of clip: Clip) async throws(PlaybackError) -> Range<Int64>? {
        let content = try await controller.content(of: clip.sourceRequest).content
        guard let document = content.document, let now = await present(clip, in: document) else { return nil }
        guard now != clip.textRange, let bounds = ClipBounds(ofText: now), let quote = clip.quote else { return now }
        var moved = clip
        (moved.start.position, moved.end.position) = (bounds.start, bounds.end)
        let read = await BlockingQueue(label: "rostrum.quote").run(within: Self.longestSearch) {
            ClipQuote(now, in: document)
        }
        moved.quote = read.flatMap(\.self) ?? quote
        // The words stay as the listener kept them.
        moved.quote?.text = quote.text
        _ = try? await clips.change(moved, from: clip)
        return now
    }

    private func present(_ clip: Clip, in document: TextDocument) async -> Range<Int64>? {
        guard let quote = clip.quote else { return nil }
        let range = clip.textRange
        return await BlockingQueue(label: "rostrum.quote").run(within: Self.longestSearch) {
            quote.passage(at: range, in: document)
        }.flatMap(\.self)
    }
}
