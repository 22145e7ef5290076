// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
public import PlaybackCore
import TaskChains

/// Seeks, whose targets are worked out at once if that is possible.
extension MediaPlaybackController {
    /// Seeks to a place; for an owner without audio focus, moves only the start of its next `play`.
    ///
    /// Seeks in an item take effect in the order in which they came: a relative one counts from where those before it
    /// lead, and one that names a place overtakes those whose places are still being worked out.
    ///
    /// - Parameter uri: the item that the caller believes to be there; if it is another one by now, nothing happens.
    public func seek(
        _ target: SeekTarget, owner: OwnerID? = nil, uri: String? = nil, origin: CommandOrigin = .user,
        cause: Jump.Cause = .seek
    ) async throws(PlaybackError) {
        if keepsMove(to: target, owner: owner, uri: uri, origin: origin) { return }
        let who = owner ?? machine.state.owner
        let move = Move(target: target, owner: who, asked: owner, uri: uri, cause: cause)
        guard let playing = try playing(for: move) else {
            // Only the library may know the item.
            return try await seekInTurn(move, origin)
        }
        if uri != nil, playing.item.uri != uri { return isLate(move, origin) }
        let isFirst = !target.isRelative || !machine.state.seeks.contains { $0.owner == who }
        guard isFirst, let now = reference(for: move, playing),
            let position = try positionAtOnce(of: target, from: now, playing: playing)
        else { return try await seekInTurn(move, origin) }
        command(origin) { _ in handle(seek(move, to: position, in: playing)) }
    }

    /// A seek whose target is not worked out yet.
    private struct Move {
        var target: SeekTarget
        var owner: OwnerID
        /// The owner as the command names it; `nil` for the one that has audio focus.
        var asked: OwnerID?
        var uri: String?
        var cause: Jump.Cause

        /// Returns the same move for this item, unless it names one.
        func bound(to uri: String?) -> Move {
            var move = self
            move.uri = move.uri ?? uri
            return move
        }
    }

    /// Returns the item that a move is for; `nil` if the library has not been asked for it.
    private func playing(for move: Move) throws(PlaybackError) -> Playing? {
        let state = machine.state
        if move.owner == state.owner {
            guard let current = state.current else { throw Self.nothingLoaded }
            return current
        }
        let own = state.places(of: move.owner)
        if let playing = own.first(where: { move.uri == nil || $0.item.uri == move.uri }) ?? own.first {
            return playing
        }
        guard memory.isComplete else { return nil }
        throw PlaybackError(.unavailable, message: "owner “\(move.owner)” has nothing loaded")
    }

    /// Returns the position from which a target counts; `nil` if only the device knows it.
    private func reference(for move: Move, _ playing: Playing) -> MediaPosition? {
        guard move.owner == machine.state.owner, [.sounding, .starved].contains(machine.state.stream) else {
            return playing.position
        }
        if !move.target.isRelative { return heardAtOnce ?? playing.position }
        return position(output.feed.foretoldPlace(at: MonotonicTime.now()), of: machine.state.generation)
    }

    /// Works out a target after those that came before it, as a state of the machine.
    private func seekInTurn(_ move: Move, _ origin: CommandOrigin) async throws(PlaybackError) {
        try await command(origin) { id async throws(PlaybackError) in
            let found = try playing(for: move)
            // A target that counts from a place in this item is for no other.
            let bound = move.bound(to: found?.item.uri)
            let work: @Sendable (isolated MediaPlaybackController) async -> Void = { controller in
                do throws(PlaybackError) {
                    try await controller.locate(bound, id)
                } catch {
                    controller.handle(.notLocated(id: id, error))
                }
            }
            // Nobody needs to wait for seeks that were given up.
            if machine.state.seeks.isEmpty { orders.seeks.abandon() }
            // A target that counts from nothing waits for no other, but those that come later count from there.
            if move.target.isRelative {
                orders.seeks.append(on: self, work)
            } else {
                orders.seeks.join(Task { await work(self) })
            }
            try await answered(id, .locate(id: id, owner: move.owner, uri: bound.uri))
        }
    }

    private func locate(_ move: Move, _ id: UInt64) async throws(PlaybackError) {
        func isWanted() -> Bool { machine.state.seeks.contains { $0.id == id } }
        guard isWanted() else { return }
        if try playing(for: move) == nil { await restore() }
        guard isWanted() else { return }
        guard let playing = try playing(for: move) else { throw memory.fault ?? Self.nothingLoaded }
        if let uri = move.uri, playing.item.uri != uri {
            return handle(.seek(SeekOrder(to: .start, owner: move.owner, uri: uri, id: id)))
        }
        let now = reference(for: move, playing)
        let heard = if let now { now } else { await heardNow() ?? playing.position }
        let search = Task { () -> Result<MediaPosition, PlaybackError> in
            do throws(PlaybackError) {
                return .success(try await position(of: move.target, from: heard, playing: playing))
            } catch {
                return .failure(error)
            }
        }
        orders.begin(search, of: id)
        let found = await search.value
        orders.endSearch(id)
        guard isWanted() else { return }
        handle(seek(move, to: try found.get(), in: playing, id: id))
    }

    private func seek(_ move: Move, to position: MediaPosition, in playing: Playing, id: UInt64? = nil) -> PlaybackEvent
    {
        let hasFocus = move.owner == machine.state.owner
        if hasFocus { keeping.noteSeek() }
        return .seek(
            SeekOrder(
                to: position, owner: id == nil ? move.asked : move.owner, uri: playing.item.uri,
                heard: hasFocus ? heardAtOnce : nil,
                cause: move.cause, id: id))
    }

    /// Reports a command for an item that the owner no longer has; the machine drops it, and says why.
    private func isLate(_ move: Move, _ origin: CommandOrigin) {
        command(origin) { _ in handle(.seek(SeekOrder(to: .start, owner: move.asked, uri: move.uri))) }
    }
}
