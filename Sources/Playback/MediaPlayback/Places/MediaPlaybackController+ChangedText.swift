// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import PlaybackCore
import TaskChains

/// Places in texts that were changed since: they are found again by the words around them.
extension MediaPlaybackController {
    /// Returns the document of what was open last under this name: its places count in that one.
    func document(of playing: Playing) -> TextDocument? {
        guard playing.item.kind == .text else { return nil }
        let uri = playing.item.uri
        let state = machine.state
        // While an item is opened, its place is already one in the new text.
        if state.phase == .loading, state.current?.item.uri == uri { return items[content: uri]?.document }
        return (desk[known: uri]?.content ?? items[content: uri])?.document
    }

    /// Returns a saved place in the text as it is now, and saves it there if the words have moved.
    func inPresentText(_ place: SavedPlace, of found: FoundItem) async -> MediaPosition {
        items[notice: found.item.uri] = nil
        guard let document = found.content.document, let context = place.context,
            let now = await document.place(by: context)
        else { return place.position }
        let position = now.shifted(place.position, context)
        guard now.match != .unmoved else { return position }
        tell(now, title: found.item.title, uri: found.item.uri)
        // A place that was only guessed is saved once it is heard: the words may come back.
        guard now.match != .share else { return position }
        keeping.saves.append(on: self) { controller in
            var moved = place
            moved.position = position
            moved.context = await document.context(at: position.units)
            try? await controller.ports.store.save(moved, durably: true)
        }
        return position
    }

    /// Returns a place of this session in the text as it is now.
    func inPresentText(
        _ place: MediaPosition, from before: TextDocument, of found: FoundItem
    ) async -> MediaPosition {
        items[notice: found.item.uri] = nil
        guard place > .start, let document = found.content.document,
            let context = await before.context(at: place.units), let now = await document.place(by: context)
        else { return place }
        let position = now.shifted(place, context)
        if now.match != .unmoved {
            tell(now, title: found.item.title, uri: found.item.uri)
        }
        return position
    }

    /// Returns an item that is about to be opened at its place in the text as it is now.
    ///
    /// The text of an item that this session does not have is read for that, and may have changed since the place was saved.
    /// A start that was worked out from the place moves along.
    func inPresentText(_ playing: Playing) async throws(PlaybackError) -> Playing {
        let uri = playing.item.uri
        guard playing.item.kind == .text else { return playing }
        await restorePaces()
        guard items[content: uri] == nil else { return playing }
        let content = try await content(of: playing.item)
        guard let document = content.document, playing.position > .start,
            case .progress(let saved) = await ports.store.place(of: uri, owner: machine.state.owner),
            let context = saved.context, let now = await document.place(by: context), now.match != .unmoved
        else { return playing }
        let position = now.shifted(playing.position, context)
        if case .rewound(let old, let seconds) = items[opening: uri].start {
            items[opening: uri].start = .rewound(now.shifted(old, context), seconds: seconds)
        } else if items[opening: uri].start == nil {
            items[opening: uri].start = .rewound(position, seconds: 0)
        }
        tell(now, title: content.title, uri: uri)
        var moved = playing
        moved.position = position
        return moved
    }

    private func tell(_ now: TextDocument.FoundPlace, title: String, uri: String) {
        guard now.match != .moved else { return record(note: "“\(title)” has changed; its place was found again") }
        let words =
            now.words.isEmpty ? "\(now.size > 0 ? now.position * 100 / now.size : 0) % of it" : "“\(now.words)”"
        let notice =
            now.match == .near
            ? "the text of “\(title)” has changed; goes on near \(words)"
            : "the text of “\(title)” has changed, and the words at the place are gone; goes on near \(words)"
        items[notice: uri] = notice
        record(note: notice)
    }
}

extension TextDocument {
    /// A place that was looked for by its context.
    struct FoundPlace: Sendable {
        var position: Int64
        var size: Int64
        var match: TextContext.Match
        /// The first words there, for the listener.
        var words: String

        /// Returns a place near that of a context, moved as that was.
        func shifted(_ place: MediaPosition, _ context: TextContext) -> MediaPosition {
            if match == .share {
                var own = context
                own.position = place.units
                return MediaPosition(track: place.track, units: own.share(of: size))
            }
            return MediaPosition(
                track: place.track, units: min(max(0, position + place.units - context.position), size))
        }
    }

    private static let longestRead = Duration.seconds(1)
    /// The time that a search through the whole text has; what is not found by then is looked for by its share.
    private static let longestSearch = Duration.seconds(5)
    private static let mostWords = 48

    /// Reads the words around a place; `nil` if the disk does not answer.
    func context(at position: Int64) async -> TextContext? {
        let text = text
        return await BlockingQueue(label: "rostrum.context").run(within: Self.longestRead) {
            TextContext(at: position, in: text.rawValue)
        }.flatMap(\.self)
    }

    /// Returns where the place of a context is in this text.
    func place(by context: TextContext) async -> FoundPlace? {
        let text = text
        let queue = BlockingQueue(label: "rostrum.context")
        let found = await queue.run(within: Self.longestSearch) { () -> FoundPlace? in
            guard let size = TextBytes.size(of: text.rawValue), let found = context.place(in: text.rawValue) else {
                return nil
            }
            let bytes = TextBytes.read(text.rawValue, from: found.position, count: 4 * Self.mostWords) ?? []
            return FoundPlace(
                position: found.position, size: size, match: found.match,
                words: Self.words(String(decoding: bytes, as: UTF8.self)))
        }
        if let found { return found }
        // The whole of a huge text was not searched in time.
        return TextBytes.size(of: text.rawValue).map {
            FoundPlace(position: context.share(of: $0), size: $0, match: .share, words: "")
        }
    }

    private static func words(_ text: String) -> String {
        // A place may be within a letter.
        let text = text.drop { $0 == "\u{FFFD}" }
        let words = text.split(whereSeparator: \.isWhitespace)
        var line = ""
        for word in words where line.count < mostWords {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if longer.count > mostWords { return line.isEmpty ? String(longer.prefix(mostWords)) : line }
            line = longer
        }
        return line
    }
}
