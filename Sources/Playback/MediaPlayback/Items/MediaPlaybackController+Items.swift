// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore
import SpeechScript

extension MediaPlaybackController {
    private var finder: ItemFinder {
        ItemFinder(
            engines: ports.engines, resolver: ports.resolver, books: ports.books, scanner: ports.scanner,
            log: ports.log)
    }

    var cutter: ClipCutter { ClipCutter(finder: finder, command: log.command) }

    private var inspector: BookInspector {
        BookInspector(finder: finder, syntheticChapters: settings.syntheticSeconds, command: log.command)
    }

    /// Opens an item in an engine process of its own and finds out everything about it.
    ///
    /// Counts durations that the container only claims. Plays nothing and remembers nothing.
    public func inspect(_ item: ItemRequest, engine: EngineID? = nil) async throws(PlaybackError) -> LoadedMedia {
        try await inspector.inspect(item, engine: engine)
    }

    /// Inspects a book for the library in the same way; also returns the picture in its files if that is wanted.
    public func inspect(
        _ item: ItemRequest, engine: EngineID? = nil, wantsPicture: Bool
    ) async throws(PlaybackError) -> BookInspection {
        try await inspector.inspect(item, engine: engine, wantsPicture: wantsPicture)
    }

    /// Returns the URI of an item as playback uses it, and the items that open it again; starts no engine.
    public func source(of item: ItemRequest) async throws(PlaybackError) -> (uri: String, items: [String]) {
        let found = try await find(item, engine: nil)
        return (found.item.uri, found.item.items)
    }

    /// Returns the picture embedded in an item's files; they are opened, but not read through.
    public func picture(in item: ItemRequest) async throws(PlaybackError) -> EmbeddedPicture {
        try await inspector.picture(in: item)
    }

    /// Returns what an item consists of, and the engine that would play it; starts no engine and remembers nothing.
    public func content(of item: ItemRequest) async throws(PlaybackError) -> (content: Content, engine: EngineID) {
        let found = try await find(item, engine: nil)
        return (found.content, found.engine)
    }

    /// Finds an item and the engine for it.
    func find(_ request: ItemRequest, engine: EngineID?) async throws(PlaybackError) -> FoundItem {
        let found = try await finder.find(request, engine: engine, command: log.command)
        return engine == nil ? await choosingByLanguage(found) : found
    }

    /// Returns a named engine if it can play the owner's content of this kind.
    ///
    /// Throws `unavailable` if the engine is not available, `notPermitted` if it is refused, and `badContent` if it does
    /// not play this kind, or takes over nothing that another engine played and has played nothing of this kind itself.
    func check(_ wanted: EngineID, plays kind: ContentKind, of owner: OwnerID) async throws(PlaybackError)
        -> InstalledEngine
    {
        let installed = await ports.engines.installed()
        guard let engine = installed.first(where: { $0.id == wanted && $0.state == .available }) else {
            throw EngineChoice.unavailable(wanted, among: installed)
        }
        guard engine.kinds.contains(kind) else {
            throw PlaybackError(
                .badContent, message: "engine “\(wanted)” does not play \(kind.rawValue); choose another")
        }
        await restore()
        let state = machine.state
        let own = [state.owner == owner ? state.current : nil].compactMap(\.self) + state.places(of: owner)
        guard engine.opensByContent || own.contains(where: { $0.engine == wanted && $0.item.kind == kind }) else {
            throw PlaybackError(
                .badContent,
                message: "engine “\(wanted)” takes over nothing from other engines; name an item: rostrum play "
                    + "--engine \(wanted) FILE")
        }
        return engine
    }

    func noSuchEngine(_ id: EngineID) async -> PlaybackError {
        EngineChoice.unavailable(id, among: await ports.engines.installed())
    }

    /// Returns the content of an item; it is resolved again if this session has not seen it.
    func content(of item: ItemReference) async throws(PlaybackError) -> Content {
        // A text whose script came to a bad end is read again.
        if let content = items[content: item.uri], content.document?.making?.hasFailed != true { return content }
        guard !item.items.isEmpty else {
            throw PlaybackError(.noInput, message: "“\(item.title)” came through a pipe and is gone")
        }
        let known = KnownExtensions(of: await ports.engines.installed())
        do throws(ItemError) {
            let resolved = try await finder.resolve(
                ItemRequest(items: item.items, asText: item.kind == .text, extensions: known), command: log.command)
            var content = resolved.content
            if content.kind == .text { items.add(remarks: resolved.notes, to: item.uri) }
            // The name that its address would give differs.
            if WebIdentity.isGiven(item.uri) || content.uri == WebIdentity.uri(of: item.uri) { content.uri = item.uri }
            // The present location of a book is the library's concern: here it stays the item that was left.
            if content.uri != item.uri, (try? await ports.books?.formerBook(uri: item.uri))??.uri == content.uri {
                content.uri = item.uri
            }
            items.keep(content)
            return content
        } catch {
            throw PlaybackError(error.reason == .missing ? .noInput : .io, message: WebIdentity.redacted(error.message))
        }
    }

    func loaded(
        _ content: Content, _ description: MediaDescription, voice: String?, by engine: EngineID
    ) -> LoadedMedia {
        LoadedMedia(
            content: content, description: description, syntheticChapters: settings.syntheticSeconds,
            pace: pace(of: content, description, voice: voice, by: engine))
    }

    /// Returns the position that a target names in what an engine has open.
    func position(
        of target: SeekTarget, from now: MediaPosition, playing: Playing
    ) async throws(PlaybackError) -> MediaPosition {
        if let position = try positionAtOnce(of: target, from: now, playing: playing) { return position }
        guard var open = desk.media(of: playing) else { throw Self.notOpen }
        if let document = open.content.document {
            if case .spoken = target, case .position(let place) = try await located(target, in: open.content) {
                return place
            }
            try await reach(try Self.position(of: target, from: now, in: open), in: document)
        } else if let live = desk.pool[playing.engine] {
            do throws(EngineError) {
                open.update(try await live.engine.describeAll())
                // The engine may have another item by now.
                desk.update(open, of: playing.engine)
            } catch {
                throw PlaybackError(error)
            }
        }
        return try Self.position(of: target, from: now, in: open)
    }

    /// Returns once it is known what is said at a position of a text, whose script may still be made.
    func reach(_ position: MediaPosition, in document: TextDocument?) async throws(PlaybackError) {
        do throws(ItemError) {
            try await document?.reach(position.units)
        } catch {
            throw PlaybackError(error)
        }
    }

    /// Returns the same as `position`, or `nil` if the engine has to be asked for the lengths of the tracks, or if it is
    /// not known yet what is said there.
    func positionAtOnce(
        of target: SeekTarget, from now: MediaPosition, playing: Playing
    ) throws(PlaybackError) -> MediaPosition? {
        let id = playing.engine
        desk.takeUpTracks(of: id)
        guard let open = desk.media(of: playing) else {
            if case .position(let position) = target { return position }
            throw Self.notOpen
        }
        // Sentences are counted elsewhere: there may be a million of them.
        if case .spoken = target, open.content.document != nil { return nil }
        // A target within a track needs no knowledge of the other tracks.
        let needsAll = !target.isWithinTrack && open.timeline.summed == nil && open.timeline.tracks.count > 1
        if needsAll, desk.isOpen(playing), desk.pool[id] != nil { return nil }
        let position = try Self.position(of: target, from: now, in: open)
        return open.content.document?.hasReached(position.units) ?? true ? position : nil
    }

    private static let notOpen = PlaybackError(.busy, message: "the item is not open; try again when it plays")

    static func position(
        of target: SeekTarget, from now: MediaPosition, in open: LoadedMedia
    ) throws(PlaybackError) -> MediaPosition {
        if let position = open.position(of: target, from: now) { return position }
        switch target {
        case .chapter(let index):
            throw PlaybackError(
                .noInput, message: "no chapter \(index + 1): “\(open.title)” has \(open.timeline.chapters.count)")
        case .page(let label):
            guard let document = open.content.document else {
                throw PlaybackError(.usage, message: "page:\(label): “\(open.title)” is no text; give a time")
            }
            throw PlaybackError(.noInput, message: "no page \(label): \(document.pageExtent(of: open.title))")
        case .spoken(let unit, let number) where open.content.document == nil:
            throw PlaybackError(.usage, message: "\(unit.rawValue):\(number): “\(open.title)” is no text; give a time")
        case .nextChapter:
            throw PlaybackError(.noInput, message: "no next chapter in “\(open.title)”")
        case .track(let index, _):
            throw PlaybackError(
                .noInput, message: "no track \(index + 1): “\(open.title)” has \(open.timeline.tracks.count)")
        case .fraction:
            throw PlaybackError(.badContent, message: "the length of “\(open.title)” is not known; give a time")
        case .seconds, .relative, .spoken, .previousChapter, .position, .rewound:
            throw PlaybackError(.noInput, message: "no such place in “\(open.title)”")
        }
    }

    /// Takes out what there is to say about the item of an owner that nobody was told yet, one line each.
    public func takeRemarks(of owner: OwnerID) -> [String] {
        guard let uri = machine.state.view(of: owner).playing?.item.uri else { return [] }
        return items.takeRemarks(of: uri)
    }

    /// Returns the installed engines, from manifests alone.
    public func installedEngines() async -> [InstalledEngine] {
        await ports.engines.installed()
    }
}
