// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
public import PlaybackCore
import TaskChains
import TransitionRecords

/// The history of what the user did, and undo.
extension MediaPlaybackController {
    /// Goes back to where the newest jump came from.
    ///
    /// That may be another item, and the jump may be from an earlier session. Returns when it is audible; paused
    /// playback stays paused. An item that is still being looked up is given up, and that is all. Throws `unavailable`
    /// if there is nothing to undo.
    public func undo(origin: CommandOrigin = .user) async throws(PlaybackError) {
        if machine.state.isComing(.main) {
            return command(origin) { _ in giveUpLookUp() }
        }
        try await command(origin) { id async throws(PlaybackError) in
            do throws(PlaybackError) {
                try await lookUp(ComingItem(command: id), of: .main, for: .jump) {
                    controller async throws(PlaybackError) in
                    try await controller.lookUpJump(id)
                }
            } catch {
                // An item that is gone must not keep the jumps before it from being undone.
                let entry = keeping.undone(by: id)
                if let entry, error.kind == .noInput { await markUndone(entry) }
                throw error
            }
            if let entry = keeping.undone(by: id) { await markUndone(entry) }
        }
    }

    /// Looks up the newest jump, and hands the way back to the machine.
    private func lookUpJump(_ id: UInt64) async throws(PlaybackError) {
        await restore()
        // A jump that is made while those before it are being stored is the newest.
        while isLookingUp(id) {
            let state = machine.state
            if state.owner == .main, state.phase == .loading, let coming = state.loaded.pendingJump {
                // The newest jump is the one to what is being opened, or the move within it, which is in no history yet.
                guard let from = state.loaded.pendingMove?.from else { return try await playAgain(coming.from, id) }
                return carryOut(id) { undoing(to: from, id) }
            }
            let saves = keeping.saves.last
            await saves?.value
            if keeping.saves.last == saves, machine.state.generation == state.generation { break }
        }
        guard let entry = try await lastJump() else {
            throw PlaybackError(.unavailable, message: "there is no jump to take back; see rostrum history")
        }
        guard isLookingUp(id) else { return }
        keeping.note(undone: entry, by: id)
        let from = entry.jump.from
        let state = machine.state
        let isThere =
            state.owner == .main
            ? state.current?.item.uri == from.item.uri
            : state.places(of: .main).contains { $0.item.uri == from.item.uri }
        if isThere { carryOut(id) { undoing(to: from, id) } } else { try await playAgain(from, id) }
    }

    private func undoing(to from: Playing, _ id: UInt64) -> PlaybackEvent {
        let hasFocus = machine.state.owner == .main
        if hasFocus { keeping.noteSeek() }
        return .seek(
            SeekOrder(
                to: from.position, owner: .main, uri: from.item.uri, heard: hasFocus ? heardAtOnce : nil, cause: .undo,
                id: id))
    }

    private func markUndone(_ entry: HistoryEntry) async {
        do throws(PlaceStoreError) {
            try await ports.history?.markUndone(entry)
        } catch {
            recordHistory(error)
        }
    }

    /// Returns the latest jumps, the newest first; empty if this session keeps no history.
    public func history(limit: Int) async throws(PlaybackError) -> [HistoryEntry] {
        await keeping.saves.last?.value
        do throws(PlaceStoreError) {
            return try await ports.history?.history(limit: limit) ?? []
        } catch {
            throw PlaybackError(.io, message: "cannot read the history: \(error.message)")
        }
    }

    /// Returns the passages that were listened to, the newest first.
    public func listeningSpans(limit: Int) async throws(PlaybackError) -> [ListeningSpan] {
        await keeping.saves.last?.value
        do throws(PlaceStoreError) {
            return try await ports.history?.spans(limit: limit) ?? []
        } catch {
            throw PlaybackError(.io, message: "cannot read the history: \(error.message)")
        }
    }

    private func lastJump() async throws(PlaybackError) -> HistoryEntry? {
        do throws(PlaceStoreError) {
            return try await ports.history?.lastJump()
        } catch {
            throw PlaybackError(.io, message: "cannot read the history: \(error.message)")
        }
    }

    /// Plays an item from a place where it was left before.
    private func playAgain(_ from: Playing, _ id: UInt64) async throws(PlaybackError) {
        let uri = from.item.uri
        let preferences = await preferences(of: uri, owner: .main)
        carryOut(id) {
            items[opening: uri].start = nil
            items[opening: uri].moves = []
            if items[opening: uri].voice == nil {
                items[opening: uri].voice = preferences?.voice
                items[opening: uri].voiceEngine = preferences?.engine
            }
            items[opening: uri].limit = nil
            return .play(
                id: id,
                PlayOrder(
                    item: from.item, engine: from.engine, start: from.position, provenance: .user, owner: .main,
                    rate: preferences?.rate, volume: preferences?.volume, cause: .undo, wasLookedUp: true),
                heard: heardAtOnce)
        }
    }

    // MARK: Storage

    func keep(_ jump: Jump) {
        let entry = HistoryEntry(
            at: ports.wallClock(), jump: jump, fromMilliseconds: milliseconds(of: jump.from),
            toMilliseconds: milliseconds(of: jump.to))
        inHistory { history throws(PlaceStoreError) in try await history.record(entry) }
    }

    func keep(_ span: ListeningSpan) {
        var span = span
        let timeline = desk[known: span.uri]?.timeline
        span.fromMilliseconds = timeline?.milliseconds(of: span.from)
        span.toMilliseconds = timeline?.milliseconds(of: span.to)
        noteServed(span)
        inHistory { [span] history throws(PlaceStoreError) in try await history.record(span) }
    }

    private func inHistory(_ work: @escaping @Sendable (any HistoryStore) async throws(PlaceStoreError) -> Void) {
        guard let history = ports.history else { return }
        keeping.saves.append(on: self) { controller in
            do throws(PlaceStoreError) {
                try await work(history)
            } catch {
                controller.recordHistory(error)
            }
        }
    }

    private func recordHistory(_ error: PlaceStoreError) {
        ports.log.record(
            TransitionEntry(
                .place, cause: .engine, command: log.command,
                fields: ["action": "history", "result": "failed", "errorMessage": .string(error.message)]))
    }

    /// Returns the book time of a place, if the item was open recently.
    func milliseconds(of playing: Playing) -> Int64? {
        desk.media(of: playing)?.timeline.milliseconds(of: playing.position)
    }
}
