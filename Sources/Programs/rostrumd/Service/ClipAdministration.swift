// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Clocks
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SettingsFile

/// The clips of the library: carries out `clip` with an action, apart from playing.
actor ClipAdministration {
    let clips: any ClipStore
    private let books: any BookStore
    let controller: MediaPlaybackController
    let files: any ClipFileStore
    let maker: ClipFileMaker
    private var settings: Settings

    init(
        clips: any ClipStore, books: any BookStore, files: any ClipFileStore, controller: MediaPlaybackController,
        settings: Settings
    ) {
        self.clips = clips
        self.books = books
        self.files = files
        self.controller = controller
        self.settings = settings
        maker = ClipFileMaker(clips: clips, files: files) { cut, item throws(PlaybackError) in
            try await controller.cut(cut, of: item)
        }
    }

    func set(_ settings: Settings) { self.settings = settings }

    /// Leaves nothing behind of the files that are being written.
    func end() async { await files.discardAll() }

    /// The answer to an action, and the clips whose files are still to be made.
    struct Outcome: Sendable {
        var reply: SessionReply
        var incomplete: [Clip] = []
    }

    /// Carries out an action; ``makeFiles(of:)`` follows.
    func perform(_ action: ClipAction) async throws(PlaybackError) -> Outcome {
        switch action.action {
        case .add: return changed([try await add(action)])
        case .list: return Outcome(reply: try await list(action))
        case .show: return Outcome(reply: page([try await clip(action.ids[0])]))
        case .edit:
            let (clip, hasMoved) = try await edit(action)
            return hasMoved ? changed([clip]) : Outcome(reply: page([clip]))
        case .delete: return Outcome(reply: try await delete(action))
        case .export: return Outcome(reply: .clipExport(try await export(action)))
        case .import: return changed(try await bring(action))
        case .repair: return Outcome(reply: .clipRepair(try await repair()))
        case .play, .range: throw PlaybackError(.defect, message: "\(action.action) is not carried out here")
        }
    }

    /// Makes files, one after the other.
    ///
    /// A source that cannot be read now is tried again by the next session, and by `clip repair`, which says why.
    func makeFiles(of clips: [Clip]) async {
        for clip in clips { try? await maker.make(clip) }
    }

    private func changed(_ clips: [Clip]) -> Outcome {
        Outcome(reply: page(clips), incomplete: settings.keepsClipFiles ? clips.filter { $0.quote == nil } : [])
    }

    /// Returns the clip that an id, or the beginning of one, names.
    func clip(_ id: String) async throws(PlaybackError) -> Clip {
        switch try await read({ () throws(PlaceStoreError) in try await clips.clip(id: id.lowercased()) }) {
        case .found(let clip): return clip
        case .none: throw PlaybackError(.noInput, message: "no such clip: \(id); see `rostrum clip list`")
        case .ambiguous(let ids):
            throw PlaybackError(
                .usage, message: "several clips begin with \(id): \(ids.joined(separator: ", ")); give more of the id")
        }
    }

    private func page(_ clips: [Clip]) -> SessionReply {
        .clips(ClipPage(clips: clips.map { ClipInfo($0, path: files.path) }))
    }

    // MARK: Making and changing

    private func add(_ action: ClipAction) async throws(PlaybackError) -> Clip {
        let owner = OwnerID(action.owner ?? OwnerID.main.rawValue)
        let (source, place) = try await source(of: action.items, owner: owner)
        if let document = source.document { return try await add(action, of: document, source, place) }
        let bounds: ClipBounds?
        if let start = action.start {
            let bases = try CountingBases(start, place: place, title: source.title)
            let first = try position(start, from: bases.start, in: source)
            let last = try action.end.map { end throws(PlaybackError) in
                try position(end, from: bases.end ?? first, in: source)
            }
            bounds = ClipBounds(
                from: first,
                to: last
                    ?? source.timeline.move(
                        first, bySeconds: seconds(settings.clipBefore) + seconds(settings.clipAfter)),
                in: source.timeline)
        } else {
            guard let place else {
                throw PlaybackError(.usage, message: "say where in “\(source.title)”: --start TIME --end TIME")
            }
            bounds = ClipBounds(
                around: place, before: seconds(settings.clipBefore), after: seconds(settings.clipAfter),
                in: source.timeline)
        }
        guard let bounds else { throw badBounds(source.title) }
        return try await keep(bounds, nil, action, source)
    }

    private func keep(
        _ bounds: ClipBounds, _ quote: ClipQuote?, _ action: ClipAction, _ source: ClipSource
    ) async throws(PlaybackError) -> Clip {
        var clip = Clip(
            uri: source.uri, items: source.items, title: source.title, author: source.author,
            start: Clip.Bound(bounds.start, unitsPerSecond: 1), end: Clip.Bound(bounds.end, unitsPerSecond: 1),
            note: action.note ?? "", tags: unique(action.tags ?? []), createdAt: WallClock.milliseconds())
        source.apply(bounds, to: &clip)
        clip.quote = quote
        return try await read { [clip] () throws(PlaceStoreError) in try await clips.add(clip) }
    }

    /// Keeps a passage of a text: the sentences around the place, or between two places.
    private func add(
        _ action: ClipAction, of document: TextDocument, _ source: ClipSource, _ place: MediaPosition?
    ) async throws(PlaybackError) -> Clip {
        let (before, after) = (seconds(settings.clipBefore), seconds(settings.clipAfter))
        let first: ClipSource.TextEnd
        let last: ClipSource.TextEnd
        if let start = action.start {
            let bases = try CountingBases(start, place: place, title: source.title)
            first = try await source.textEnd(start, from: bases.start, in: document)
            let from = MediaPosition(track: 0, units: first.byte)
            if let end = action.end {
                last = try await source.textEnd(end, from: bases.end ?? from, in: document)
            } else {
                last = .init(byte: source.timeline.move(from, bySeconds: before + after).units, isExact: false)
            }
        } else {
            guard let place else {
                throw PlaybackError(.usage, message: "say where in “\(source.title)”: --start TIME --end TIME")
            }
            first = .init(byte: source.timeline.move(place, bySeconds: -before).units, isExact: false)
            last = .init(byte: source.timeline.move(place, bySeconds: after).units, isExact: false)
        }
        let (bounds, quote) = try await source.passage(from: first, to: last, in: document)
        return try await keep(bounds, quote, action, source)
    }

    /// The times that a change is tried again because another one overtook it.
    private static let mostAttempts = 50

    /// Changes a clip, and says whether its bounds have moved.
    private func edit(_ action: ClipAction) async throws(PlaybackError) -> (clip: Clip, hasMoved: Bool) {
        for _ in 0..<Self.mostAttempts {
            if let changed = try await editOnce(action) { return changed }
        }
        throw PlaybackError(.busy, message: "clip \(action.ids[0]) is being changed by others; try again")
    }

    /// Changes a clip; returns `nil` if another change overtook this one.
    private func editOnce(_ action: ClipAction) async throws(PlaybackError) -> (clip: Clip, hasMoved: Bool)? {
        let before = try await clip(action.ids[0])
        var clip = before
        if action.start != nil || action.end != nil {
            let source = try await source(of: before)
            if before.quote != nil {
                try await move(&clip, action, source)
            } else {
                let first = try action.start.map { start throws(PlaybackError) in
                    try position(start, from: before.start.position, in: source)
                }
                let last = try action.end.map { end throws(PlaybackError) in
                    try position(end, from: before.end.position, in: source)
                }
                guard
                    let bounds = ClipBounds(
                        from: first ?? before.start.position, to: last ?? before.end.position, in: source.timeline)
                else { throw badBounds(before.title) }
                source.apply(bounds, to: &clip)
            }
        }
        if let note = action.note { clip.note = note }
        if let tags = action.tags { clip.tags = unique(tags) }
        clip.changedAt = max(WallClock.milliseconds(), before.changedAt)
        let change = try await read { [clip] () throws(PlaceStoreError) in try await clips.change(clip, from: before) }
        switch change {
        case .done: break
        case .overtaken: return nil
        case .gone:
            throw PlaybackError(.noInput, message: "clip \(clip.id) was removed meanwhile; see `rostrum clip list`")
        }
        return (clip, !clip.hasBounds(of: before))
    }

    private func delete(_ action: ClipAction) async throws(PlaybackError) -> SessionReply {
        var doomed: [Clip] = []
        // All ids are looked up first, so that a mistake in one removes nothing.
        for id in action.ids { doomed.append(try await clip(id)) }
        for clip in doomed {
            let removed = try await read { () throws(PlaceStoreError) in try await clips.removeClip(id: clip.id) }
            if let name = removed?.file?.name { await maker.drop(name) }
        }
        let ids = doomed.map(\.id).joined(separator: ", ")
        return .message("deleted \(ids)")
    }

    /// Adds the clips of a list, apart from those that are there.
    private func bring(_ action: ClipAction) async throws(PlaybackError) -> [Clip] {
        var added: [Clip] = []
        for info in action.clips ?? [] {
            let clip = Clip(info)
            if try await isThere(clip) { continue }
            added.append(try await read { () throws(PlaceStoreError) in try await clips.add(clip) })
        }
        return added
    }

    /// Returns `true` if the clip was brought in before, although it may have been changed since.
    private func isThere(_ clip: Clip) async throws(PlaybackError) -> Bool {
        if case .found(let known) = try await read({ () throws(PlaceStoreError) in try await clips.clip(id: clip.id) }),
            known.id == clip.id, known.createdAt == clip.createdAt
        {
            return true
        }
        var query = ClipQuery()
        query.uri = clip.uri
        (query.since, query.until) = (clip.createdAt, clip.createdAt + 1)
        let others = try await read { [query] () throws(PlaceStoreError) in try await clips.clips(query) }
        return others.contains { $0.hasBounds(of: clip) }
    }

    // MARK: Lists and files

    private func list(_ action: ClipAction) async throws(PlaybackError) -> SessionReply {
        var uri: String?
        if !action.items.isEmpty { uri = try await source(of: action.items, owner: .main).source.uri }
        let query = ClipQuery(action, uri: uri)
        return page(try await read { () throws(PlaceStoreError) in try await clips.clips(query) })
    }

    private func repair() async throws(PlaybackError) -> ClipRepair {
        let (incomplete, aside) = try await maker.sweep(setsAside: true)
        var failed: [ClipExport.Failure] = []
        for clip in incomplete {
            do throws(PlaybackError) {
                try await maker.make(clip)
            } catch {
                failed.append(ClipExport.Failure(id: clip.id, message: error.message))
            }
        }
        return ClipRepair(
            made: incomplete.count - failed.count, aside: aside, lost: aside > 0 ? files.lost : nil, failed: failed)
    }

    /// Returns the clips whose files an earlier session did not get to, and removes its drafts.
    func leftIncomplete() async -> [Clip] {
        guard let (incomplete, _) = try? await maker.sweep(setsAside: false), settings.keepsClipFiles else {
            return []
        }
        return incomplete.filter(\.isSourceThere)
    }

    // MARK: Sources

    /// Returns the recording that a new clip is made of, and the current place in it.
    private func source(
        of items: [String], owner: OwnerID
    ) async throws(PlaybackError) -> (source: ClipSource, place: MediaPosition?) {
        let snapshot = await controller.snapshot(of: owner)
        let playing = snapshot.state.view(of: owner).playing
        guard items.isEmpty else {
            let found = try await controller.source(
                of: ItemRequest(items: items, extensions: KnownExtensions(audio: [])))
            let book = await book(found.uri)
            let place = playing?.item.uri == found.uri ? snapshot.position : nil
            if place != nil, let media = snapshot.media {
                try Self.checkDocument(media)
                return (ClipSource(media, items: found.items, book: book), place)
            }
            if let book { return (ClipSource(book), place) }
            let media = try await controller.inspect(ItemRequest(items: items, extensions: KnownExtensions(audio: [])))
            try Self.checkDocument(media)
            return (ClipSource(media, items: found.items, book: nil), nil)
        }
        guard let playing else {
            throw PlaybackError(
                .noInput, message: "nothing is loaded; name a book: rostrum clip add --book FILE --start TIME")
        }
        guard !playing.item.items.isEmpty else {
            throw PlaybackError(
                .badContent, message: "“\(playing.item.title)” came through a pipe and cannot be opened again")
        }
        let book = await book(playing.item.uri)
        let place = snapshot.position ?? playing.position
        if let media = snapshot.media, media.content.clip == nil {
            try Self.checkDocument(media)
            return (ClipSource(media, items: playing.item.items, book: book), place)
        }
        if let book { return (ClipSource(book), place) }
        let media = try await controller.inspect(
            ItemRequest(
                items: playing.item.items, asText: playing.item.kind == .text, extensions: KnownExtensions(audio: [])))
        try Self.checkDocument(media)
        return (ClipSource(media, items: playing.item.items, book: nil), place)
    }

    /// Throws for a text that only its engine has.
    private static func checkDocument(_ media: LoadedMedia) throws(PlaybackError) {
        guard media.content.kind == .audio || media.content.document != nil else {
            throw PlaybackError(.badContent, message: "“\(media.title)” is a text that only its engine has")
        }
    }

    /// Returns the source of a clip as it is now.
    func source(of clip: Clip) async throws(PlaybackError) -> ClipSource {
        do throws(PlaybackError) {
            try clip.checkSource()
            // The files are looked for, since the library may not have noticed that they are gone.
            let uri = try await controller.source(of: clip.sourceRequest).uri
            if let book = await book(uri) { return ClipSource(book) }
            let media = try await controller.inspect(clip.sourceRequest)
            return ClipSource(media, items: clip.items, book: nil)
        } catch {
            if error.kind == .noInput, !(await hasFile(clip)) { throw isLost(clip, error) }
            throw PlaybackError(
                error.kind,
                message: "the bounds of clip \(clip.id) stay, since its book cannot be opened: \(error.message)")
        }
    }

    private func book(_ uri: String) async -> Book? {
        guard case .book(let book)? = try? await books.whereabouts(of: uri) else { return nil }
        return book
    }

    private func position(
        _ text: String, from now: MediaPosition, in source: ClipSource
    ) throws(PlaybackError) -> MediaPosition {
        let target = try SeekTarget(text, relativeAllowed: true)
        guard let position = source.timeline.position(of: target, from: now) else {
            throw PlaybackError(.noInput, message: "no place \(text) in “\(source.title)”")
        }
        return position
    }

    /// The places from which the bounds of a new clip count.
    private struct CountingBases {
        /// The current place; the beginning, if the start does not count from anything.
        var start: MediaPosition
        /// The current place, if the start counts from it, too; otherwise the end counts from the start of the clip.
        var end: MediaPosition?

        init(_ start: String, place: MediaPosition?, title: String) throws(PlaybackError) {
            // What is no time is refused where it is looked up.
            let isRelative = (try? TimeExpression(start, relativeAllowed: true))?.isRelative ?? false
            if isRelative, place == nil {
                throw PlaybackError(
                    .usage, message: "\(start) counts from the current place, and “\(title)” has none; give a time")
            }
            self.start = place ?? .start
            end = isRelative ? place : nil
        }
    }

    private func badBounds(_ title: String) -> PlaybackError {
        PlaybackError(.usage, message: "no such passage in “\(title)”: give a start before the end, within the book")
    }

    private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    private func unique(_ tags: [String]) -> [String] {
        tags.reduce(into: []) { known, tag in if !known.contains(tag) { known.append(tag) } }
    }

    func cover(of clip: Clip) async -> String? { await book(clip.uri)?.cover }

    func read<Value>(_ body: () async throws(PlaceStoreError) -> Value) async throws(PlaybackError) -> Value {
        do throws(PlaceStoreError) {
            return try await body()
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }
}
