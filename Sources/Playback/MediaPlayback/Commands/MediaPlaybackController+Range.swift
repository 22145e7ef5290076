// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
public import PlaybackCore
import TaskChains

/// Moves the bounds of the part that plays.
extension MediaPlaybackController {
    /// Moves the bounds of the part that an owner plays, while it plays or is paused.
    ///
    /// If what is audible lies within the new bounds, playback continues there, off by what the output foretells wrongly;
    /// otherwise it continues at the new start. Throws
    /// `unavailable` if the owner has no audio focus or plays no part, `usage` for bounds without a length.
    public func setRange(_ range: ClipRange, owner: OwnerID) async throws(PlaybackError) {
        let state = machine.state
        guard state.owner == owner, let current = state.current, state.phase == .ready || state.phase == .ended,
            let open = desk[open: current.engine], open.content.uri == current.item.uri, let before = open.content.clip,
            let live = desk.pool[current.engine]
        else {
            throw PlaybackError(.unavailable, message: "owner “\(owner)” plays no part of a recording; play one first")
        }
        guard current.item.kind == .audio else {
            throw PlaybackError(
                .badContent, message: "“\(current.item.title)” is a text: its bounds do not move while it is read")
        }
        let first = try Self.position(of: range.start, from: .start, in: open)
        let end = try Self.position(of: range.end, from: first, in: open)
        guard first < end else {
            throw PlaybackError(.usage, message: "the part ends before it begins; give an end after the start")
        }
        // The name stays: it is still the same item.
        let clip = ClipRange(start: .position(first), end: .position(end), loops: range.loops, name: before.name)
        desk.limit(current.engine, to: clip)
        var content = open.content
        content.clip = clip
        items.keep(content)
        desk.calls.append(on: self) { controller in
            do throws(EngineError) {
                try await live.engine.setRange(first, end, loops: clip.loops)
            } catch {
                // The engine goes on with the former bounds; one that is gone reports that itself.
                controller.record(note: "the bounds of a part were not moved: \(error.message)")
            }
        }
        // The last report may be old; what is audible now goes on with the smallest jump.
        let isAudible = [.sounding, .starved].contains(state.stream)
        let foretold =
            isAudible ? position(output.feed.foretoldPlace(at: MonotonicTime.now()), of: state.generation) : nil
        let heard = foretold ?? heardAtOnce ?? current.position
        let target = heard >= first && heard < end ? heard : first
        command { _ in
            handle(.seek(SeekOrder(to: target, owner: owner, uri: current.item.uri, heard: heardAtOnce)))
        }
    }
}
