// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// `play` and `read` without an item.
extension MediaPlaybackController {
    /// Resumes the last item of this kind, with the given options.
    ///
    /// Returns when it is audible. Throws `unavailable` if there is no such item or engine, `badContent` if the engine
    /// does not play it, and `usage` for a voice if the item is not a text.
    public func resume(
        lastOf kind: ContentKind, _ options: ResumeOptions = ResumeOptions()
    ) async throws(PlaybackError) {
        if options.voice != nil { try Self.refuseVoice(for: kind, nil) }
        var engine: InstalledEngine?
        if let id = options.engine { engine = try await check(id, plays: kind, of: options.owner) }
        if joinsComing(kind, options, engine) { return try await joinComing(options.owner) }
        await restore()
        await learnLeft()
        if joinsComing(kind, options, engine) { return try await joinComing(options.owner) }
        if var again = unlocatedRequest(options.owner), machine.state.current?.item.kind == kind {
            if let start = options.start { again.start = .at(start) }
            if let engine = options.engine { again.engine = engine }
            if let voice = options.voice { again.voice = voice }
            if let until = options.until { again.until = until }
            if let rate = options.rate { again.rate = rate }
            if let volume = options.volume { again.volume = volume }
            return try await play(again)
        }
        guard let current = focused(kind, of: options.owner), !opensAnew(current, options),
            machine.state.phase == .ready || options.start == nil
        else { return try await playLast(kind, options) }
        if let rate = options.rate { try await setRate(rate) }
        if let volume = options.volume { try await setVolume(volume) }
        if let until = options.until {
            items[opening: current.item.uri].limit = until
            setLimit()
        }
        if machine.state.phase == .ready, let start = options.start { try await seek(start, uri: current.item.uri) }
        try await resume()
    }

    private func focused(_ kind: ContentKind, of owner: OwnerID) -> Playing? {
        let state = machine.state
        return state.owner == owner && state.current?.item.kind == kind ? state.current : nil
    }

    /// Returns whether another engine or another voice requires opening the item again.
    private func opensAnew(_ current: Playing, _ options: ResumeOptions) -> Bool {
        if let engine = options.engine, engine != current.engine { return true }
        return options.voice.map { $0 != items[opening: current.item.uri].voice } ?? false
    }

    private func playLast(_ kind: ContentKind, _ options: ResumeOptions) async throws(PlaybackError) {
        let owner = options.owner
        let held = machine.state.held.last { $0.owner == owner && $0.playing?.item.kind == kind }?.playing
        guard var last = focused(kind, of: owner) ?? held ?? machine.state.remembered[owner]?[kind] else {
            throw memory.fault
                ?? PlaybackError(
                    .unavailable, message: "no \(kind == .audio ? "audio" : "text") was played yet; say what to play")
        }
        try await command { id async throws(PlaybackError) in
            decide(by: id)
            let heard = await heardNow()
            guard orders.isDecided(by: id) else { return }
            let uri = last.item.uri
            var asked = OpeningOptions(start: options.start, limit: options.until, voice: options.voice)
            if asked.voice == nil, options.engine ?? last.engine == last.engine {
                asked.voice = items[opening: uri].voice
            }
            if focused(kind, of: owner)?.item.uri == uri {
                if let heard { last.position = heard }
                // Starts from where the item was about to start.
                if asked.start == nil, machine.state.phase == .loading { asked.start = items[opening: uri].start }
            } else if asked.start == nil {
                asked.start = rewound(last.position, of: uri)
            }
            items[opening: uri] = asked
            let preferences = items[preferences: uri, owner]
            try await answered(
                id,
                .play(
                    id: id,
                    PlayOrder(
                        item: last.item, engine: options.engine ?? last.engine, start: last.position,
                        provenance: .restored, owner: owner, rate: options.rate ?? preferences?.rate,
                        volume: options.volume ?? preferences?.volume),
                    heard: heard))
        }
    }
}
