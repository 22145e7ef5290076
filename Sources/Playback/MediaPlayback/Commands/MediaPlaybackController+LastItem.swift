// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// `play` and `read` without an item.
extension MediaPlaybackController {
    /// Resumes the last item of this kind, with the given wishes.
    ///
    /// Returns when it is audible. Throws 69 if there is no such item or engine, 65 if the engine does not play it, and
    /// 64 for a voice if the item is not a text.
    public func resume(
        lastOf kind: ContentKind, _ wishes: LastItemWishes = LastItemWishes()
    ) async throws(PlaybackError) {
        if wishes.voice != nil { try Self.refuseVoice(for: kind, nil) }
        var engine: InstalledEngine?
        if let id = wishes.engine { engine = try await check(id, plays: kind, of: wishes.owner) }
        if joinsComing(kind, wishes, engine) { return try await joinComing() }
        await restore()
        if joinsComing(kind, wishes, engine) { return try await joinComing() }
        if var again = unlocatedRequest(wishes.owner), machine.state.current?.item.kind == kind {
            if let start = wishes.start { again.start = .at(start) }
            if let engine = wishes.engine { again.engine = engine }
            if let voice = wishes.voice { again.voice = voice }
            if let until = wishes.until { again.until = until }
            if let rate = wishes.rate { again.rate = rate }
            if let volume = wishes.volume { again.volume = volume }
            return try await play(again)
        }
        guard let current = staged(kind, of: wishes.owner), !opensAnew(current, wishes),
            machine.state.phase == .ready || wishes.start == nil
        else { return try await playLast(kind, wishes) }
        if let rate = wishes.rate { try await setRate(rate) }
        if let volume = wishes.volume { try await setVolume(volume) }
        if let until = wishes.until {
            items[wishes: current.item.uri].limit = until
            setLimit()
        }
        if machine.state.phase == .ready, let start = wishes.start { try await seek(start, uri: current.item.uri) }
        try await resume()
    }

    private func staged(_ kind: ContentKind, of owner: OwnerID) -> Playing? {
        let state = machine.state
        return state.owner == owner && state.current?.item.kind == kind ? state.current : nil
    }

    /// Returns whether another engine or another voice requires opening the item again.
    private func opensAnew(_ current: Playing, _ wishes: LastItemWishes) -> Bool {
        if let engine = wishes.engine, engine != current.engine { return true }
        return wishes.voice.map { $0 != items[wishes: current.item.uri].voice } ?? false
    }

    private func playLast(_ kind: ContentKind, _ wishes: LastItemWishes) async throws(PlaybackError) {
        let owner = wishes.owner
        let held = machine.state.held.last { $0.owner == owner && $0.playing?.item.kind == kind }?.playing
        guard var last = staged(kind, of: owner) ?? held ?? machine.state.remembered[owner]?[kind] else {
            throw memory.fault
                ?? PlaybackError(
                    code: 69, message: "no \(kind == .audio ? "audio" : "text") was played yet; say what to play")
        }
        try await command { id async throws(PlaybackError) in
            orders.decide(by: id)
            let heard = await heardNow()
            guard orders.isDecided(by: id) else { return }
            let uri = last.item.uri
            var asked = PlayWishes(start: wishes.start, limit: wishes.until, voice: wishes.voice)
            if asked.voice == nil, wishes.engine ?? last.engine == last.engine {
                asked.voice = items[wishes: uri].voice
            }
            if staged(kind, of: owner)?.item.uri == uri {
                if let heard { last.position = heard }
                // Starts from where the item was about to start.
                if asked.start == nil, machine.state.phase == .loading { asked.start = items[wishes: uri].start }
            } else if asked.start == nil {
                asked.start = rewound(last.position, of: uri)
            }
            items[wishes: uri] = asked
            let habit = items[habit: uri, owner]
            try await answered(
                id,
                .play(
                    id: id,
                    PlayOrder(
                        item: last.item, engine: wishes.engine ?? last.engine, start: last.position,
                        provenance: .restored, owner: owner, rate: wishes.rate ?? habit?.rate,
                        volume: wishes.volume ?? habit?.volume),
                    heard: heard))
        }
    }
}
