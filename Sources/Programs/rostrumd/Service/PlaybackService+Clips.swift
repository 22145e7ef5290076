// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// Commands about the clips of the library.
extension PlaybackService {
    func manageClips(_ action: ClipAction, client: ClientID) async throws(PlaybackError) -> SessionReply {
        guard action.action != .play else {
            try await playClip(action, client: client)
            return .done
        }
        if action.action == .range {
            try await controller.setRange(
                try ClipRange(action), owner: OwnerID(action.owner ?? ""))
            return .done
        }
        let outcome = try await clips.perform(action)
        makeFiles(of: outcome.incomplete)
        return outcome.reply
    }

    /// Makes the files that an earlier session did not get to.
    func makeLeftClipFiles() async { makeFiles(of: await clips.leftIncomplete()) }

    /// Makes files; the session stays until that is done, as it does for a render.
    private func makeFiles(of incomplete: [Clip]) {
        guard !incomplete.isEmpty else { return }
        lifetime.renderBegan()
        Task {
            await clips.makeFiles(of: incomplete)
            lifetime.renderEnded()
            if lifetime.isDue { await endIfDone() }
        }
    }

    /// Gives audio focus to an owner; an attached one is released if its client disconnects.
    func claim(_ owner: OwnerID, _ isAttached: Bool, client: ClientID) async throws(PlaybackError) {
        let isNew = isAttached && players.note(client, playsClipFor: owner)
        players.noteClaim(of: owner)
        do throws(PlaybackError) {
            try await controller.claim(owner)
        } catch {
            if isNew { await forget(client, playsClipFor: owner) }
            throw error
        }
    }

    /// Releases an owner, unless another client than the one that asks is attached to it as well.
    func release(_ owner: OwnerID, client: ClientID) async throws(PlaybackError) {
        if !players.withdraw(client, from: owner) { try await release(owner) }
    }

    func release(_ owner: OwnerID) async throws(PlaybackError) {
        players.noteRelease(of: owner)
        try await controller.release(owner)
    }

    /// Withdraws what a command noted that failed, unless its owner waits for audio focus nevertheless.
    func forget(_ client: ClientID, playsClipFor owner: OwnerID) async {
        if await !isThere(owner) { players.forget(client, playsClipFor: owner) }
    }

    /// Returns whether an owner has audio focus, or waits for it.
    func isThere(_ owner: OwnerID) async -> Bool {
        await controller.show { snapshot in
            snapshot.state.owner == owner || snapshot.state.held.contains { $0.owner == owner }
        }
    }

    /// Plays a clip from its book, or from its own file if the book is gone.
    private func playClip(_ action: ClipAction, client: ClientID) async throws(PlaybackError) {
        let clip = try await clips.clip(action.ids[0])
        let owner = action.owner.map { OwnerID($0) } ?? OwnerID("clip-viewer-\(clip.id)")
        if clip.quote != nil { return try await playQuote(clip, owner, action, client: client) }
        let loops = action.loop == true
        do throws(PlaybackError) {
            try clip.checkSource()
            let range = ClipRange(
                start: .position(clip.start.position), end: .position(clip.end.position), loops: loops,
                name: "clip-\(clip.id)\(loops ? ",loop" : "")")
            return try await playPart(range, of: clip.sourceRequest, owner, action.play, client: client)
        } catch {
            guard [.noInput, .badContent].contains(error.kind) else { throw error }
            guard await clips.hasFile(clip) else { throw await clips.isLost(clip, error) }
        }
        guard let file = clip.file else { return }
        let range = ClipRange(
            start: .position(.start), end: .position(MediaPosition(track: 0, units: file.frames)), loops: loops,
            name: "clip-\(clip.id)\(loops ? ",loop" : "")")
        let item = ItemRequest(
            items: [clips.files.path(of: file.name)], extensions: KnownExtensions(audio: []))
        try await playPart(range, of: item, owner, action.play, client: client)
    }
}

extension PlaybackService {
    /// Reads a quote from its text, or from its own words if these are not there any more.
    private func playQuote(
        _ clip: Clip, _ owner: OwnerID, _ action: ClipAction, client: ClientID
    ) async throws(PlaybackError) {
        guard action.loop != true else {
            throw PlaybackError(
                .usage, message: "clip \(clip.id) is of a text, which is not repeated; leave --loop out")
        }
        let reader = await controller.reader(of: clip.uri)
        do throws(PlaybackError) {
            if let passage = try await clips.passage(of: clip), let bounds = ClipBounds(ofText: passage) {
                let range = ClipRange(
                    start: .position(bounds.start), end: .position(bounds.end), loops: false, name: "clip-\(clip.id)")
                return try await playPart(
                    range, of: clip.sourceRequest, owner, action.play, client: client, engine: .some(reader?.engine),
                    voice: reader?.voice)
            }
        } catch {
            guard [.noInput, .badContent].contains(error.kind) else { throw error }
        }
        let words = try await QuoteFile.descriptor(of: clip.quote?.text ?? "")
        let item = ItemRequest(
            items: ["descriptor:0"], descriptors: [words], descriptorNames: ["\(clip.title).txt"], asText: true,
            extensions: KnownExtensions(audio: []))
        let whole = ClipRange(
            start: .position(.start), end: .fraction(1), loops: false, name: "clip-\(clip.id)")
        try await playPart(
            whole, of: item, owner, action.play, client: client, engine: .some(reader?.engine), voice: reader?.voice)
    }
}

extension ClipRange {
    /// Takes the bounds of `range`, which the parameters are known to have.
    fileprivate init(_ action: ClipAction) throws(PlaybackError) {
        self.init(
            start: try SeekTarget(action.start ?? "", relativeAllowed: false),
            end: try SeekTarget(action.end ?? "", relativeAllowed: false), loops: action.loop == true, name: "")
    }
}
