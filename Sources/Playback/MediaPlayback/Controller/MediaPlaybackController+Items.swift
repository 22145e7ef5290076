// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PlaybackCore
import TransitionRecords

extension MediaPlaybackController {
    struct Found {
        var item: ItemReference
        var content: Content
        var engine: EngineID

        /// Returns a part of the item, identified by a media fragment (W3C Media Fragments 1.0).
        func clipped(to range: ClipRange) -> Found {
            var part = self
            part.content.clip = range
            part.content.uri += "#t=\(range.name)"
            part.item.uri = part.content.uri
            return part
        }
    }

    /// Finds an item and the engine for it.
    func find(
        _ request: ItemRequest, engine wanted: EngineID?, _ told: PlaybackJournal.Told? = nil
    ) async throws(PlaybackError) -> Found {
        let installed = await engines.installed()
        var request = request
        request.extensions = KnownExtensions(of: installed)
        let resolved: ResolvedItem
        do throws(ItemError) {
            resolved = try await resolve(request)
        } catch {
            throw PlaybackError(error)
        }
        for note in resolved.notes {
            recorder.record(
                TransitionEntry(
                    .event, cause: .user, command: (told ?? journal.told).command,
                    fields: ["event": "note", "message": .string(note)])
            )
        }
        let engine = try choose(wanted, for: resolved.content, among: installed)
        let item = ItemReference(
            uri: resolved.content.uri, kind: resolved.content.kind, title: resolved.content.title,
            items: resolved.items,
            isRemote: resolved.content.isRemote)
        return Found(item: item, content: resolved.content, engine: engine)
    }

    private func choose(
        _ wanted: EngineID?, for content: Content, among installed: [InstalledEngine]
    ) throws(PlaybackError) -> EngineID {
        let able = installed.filter { $0.state == .available && $0.kinds.contains(content.kind) }
        if let wanted {
            guard let engine = installed.first(where: { $0.id == wanted && $0.state == .available }) else {
                throw Self.unavailable(wanted, among: installed)
            }
            guard engine.kinds.contains(content.kind) else {
                throw Self.unable(wanted, content.kind, content.title)
            }
            return wanted
        }
        let name = content.tracks.first.map(Self.fileExtension) ?? ""
        guard let best = Self.best(of: able, for: name) else {
            // A matching engine may only be disabled or quarantined, which the user can change.
            let aside = installed.filter {
                [.disabled, .quarantined].contains($0.state) && $0.kinds.contains(content.kind)
                    && $0.opensByContent
            }
            if let engine = aside.first(where: { $0.extensions.contains(name) }) ?? aside.first {
                throw Self.unavailable(engine.id, among: installed)
            }
            throw PlaybackError(
                .unavailable,
                message: "no engine for \(content.kind.rawValue) is installed; see rostrum engines")
        }
        return best.id
    }

    /// Returns the best engine according to the manifests; one that promises nothing (tones) is never a guess.
    static func best(of able: [InstalledEngine], for name: String) -> InstalledEngine? {
        able.first { $0.extensions.contains(name) } ?? able.first { $0.opensByContent }
    }

    static func fileExtension(_ source: TrackSource) -> String {
        let path: String =
            switch source {
            case .file(let path): path
            case .descriptor(_, let name): name
            case .url(let url, _): String(url.prefix { $0 != "?" && $0 != "#" })
            }
        guard let dot = path.lastIndex(of: "."), path.lastIndex(of: "/").map({ $0 < dot }) ?? true else { return "" }
        return path[path.index(after: dot)...].lowercased()
    }

    /// Returns a named engine if it can play the owner's content of this kind.
    ///
    /// Throws 69 if the engine is not available. Throws 65 if it does not play this kind, or if it takes over nothing
    /// that another engine played and has played nothing of this kind itself.
    func check(_ wanted: EngineID, plays kind: ContentKind, of owner: OwnerID) async throws(PlaybackError)
        -> InstalledEngine
    {
        let installed = await engines.installed()
        guard let engine = installed.first(where: { $0.id == wanted && $0.state == .available }) else {
            throw Self.unavailable(wanted, among: installed)
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
                message: "engine “\(wanted)” takes nothing over from others; name what it is to play: rostrum play "
                    + "--engine \(wanted) FILE")
        }
        return engine
    }

    func noSuchEngine(_ id: EngineID) async -> PlaybackError {
        Self.unavailable(id, among: await engines.installed())
    }

    private static func unavailable(_ id: EngineID, among installed: [InstalledEngine]) -> PlaybackError {
        if let engine = installed.first(where: { $0.id == id }) {
            return PlaybackError(
                engine.state == .refused ? .notPermitted : .unavailable,
                message: "engine “\(id)” is \(engine.state.rawValue): \(engine.reason ?? "see rostrum engines")")
        }
        return PlaybackError(.unavailable, message: "there is no engine “\(id)”; see rostrum engines")
    }

    /// Returns the content of an item; it is resolved again if this session has not seen it.
    func content(of item: ItemReference) async throws(PlaybackError) -> Content {
        if let content = items[content: item.uri] { return content }
        guard !item.items.isEmpty else {
            throw PlaybackError(.noInput, message: "“\(item.title)” came through a pipe and is gone")
        }
        let known = KnownExtensions(of: await engines.installed())
        do throws(ItemError) {
            var content = try await resolve(
                ItemRequest(items: item.items, asText: item.kind == .text, extensions: known)
            ).content
            // The name that its address would give differs.
            if WebIdentity.isGiven(item.uri) || content.uri == WebIdentity.uri(of: item.uri) { content.uri = item.uri }
            // The present location of a book is the library's concern: here it stays the item that was left.
            if content.uri != item.uri, (try? await books?.formerBook(uri: item.uri))??.uri == content.uri {
                content.uri = item.uri
            }
            items.keep(content)
            return content
        } catch {
            throw PlaybackError(error.reason == .missing ? .noInput : .io, message: WebIdentity.redacted(error.message))
        }
    }

    func loaded(_ content: Content, _ description: MediaDescription) -> LoadedMedia {
        LoadedMedia(content: content, description: description, syntheticChapters: settings.syntheticSeconds)
    }

    /// Returns the position that a target names in what an engine has open.
    func position(
        of target: SeekTarget, from now: MediaPosition, playing: Playing
    ) async throws(PlaybackError) -> MediaPosition {
        let id = playing.engine
        takeUpTracks(of: id)
        let isOpen = media[id]?.content.uri == playing.item.uri
        guard var open = isOpen ? media[id] : known[playing.item.uri] else {
            if case .position(let position) = target { return position }
            throw PlaybackError(.busy, message: "the item is not open; try again when it plays")
        }
        // A target within a track needs no knowledge of the other tracks.
        if isOpen, !target.isWithinTrack, open.timeline.summed == nil, open.timeline.tracks.count > 1,
            let live = pool[id]
        {
            do throws(EngineError) {
                open.update(try await live.engine.describeAll())
                known.update(open)
                // The engine may have another item by now.
                if media[id]?.content == open.content { media[id]?.update(open.description) }
            } catch {
                throw PlaybackError(error)
            }
        }
        if let position = open.position(of: target, from: now) { return position }
        switch target {
        case .chapter(let index):
            throw PlaybackError(
                .noInput, message: "no chapter \(index + 1): “\(open.title)” has \(open.timeline.chapters.count)")
        case .nextChapter:
            throw PlaybackError(.noInput, message: "no next chapter in “\(open.title)”")
        case .track(let index, _):
            throw PlaybackError(
                .noInput, message: "no track \(index + 1): “\(open.title)” has \(open.timeline.tracks.count)")
        case .fraction:
            throw PlaybackError(.badContent, message: "the length of “\(open.title)” is not known; give a time")
        case .seconds, .relative, .previousChapter, .position, .rewound:
            throw PlaybackError(.noInput, message: "no such place in “\(open.title)”")
        }
    }

    /// Returns the installed engines, from manifests alone.
    public func installedEngines() async -> [InstalledEngine] {
        await engines.installed()
    }
}
