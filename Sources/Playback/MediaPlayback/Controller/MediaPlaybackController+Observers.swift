// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

/// A notification for observers; the snapshot contains what changed.
public enum PlaybackChange: Sendable, Hashable {
    case state
    /// The item was heard to its end, was stopped, or could not be played further.
    ///
    /// `uri` is the item; `nil` for whatever played. `unspoken` says in words how much of a finished text was left out.
    case finished(uri: String?, PlaybackError?, unspoken: String? = nil)
}

/// The observers, and what they are told.
extension MediaPlaybackController {
    /// Returns everything there is to show, as of now.
    public func snapshot() async -> PlaybackSnapshot {
        // The place arrived with the command that is being carried out; meanwhile the device is neither waited for nor
        // asked.
        shown(at: output.isIdle ? await foretoldPosition() : nil)
    }

    /// Returns what one owner sees: what has audio focus while that is its own, or else its own view.
    public func snapshot(of owner: OwnerID?) async -> PlaybackSnapshot {
        await snapshot().seen(by: owner)
    }

    /// Returns `true` if nothing is audible, here or in another program, and nothing waits to be.
    ///
    /// An owner that has claimed audio focus counts as audible: a call makes its sound elsewhere.
    public func isSilent() async -> Bool {
        guard isIdle else { return false }
        do throws(OutputError) {
            let others = try await session.othersPlay()
            // The device was asked meanwhile, and something may have been started.
            return isIdle && others != true
        } catch {
            return false
        }
    }

    private var isIdle: Bool {
        !machine.state.isInUse && machine.state.owner == .main && machine.state.suppressions.isEmpty
    }

    /// Returns the changes from now on.
    ///
    /// The stream ends when the controller shuts down.
    public func observe() -> AsyncStream<PlaybackChange> {
        observers.add { [weak self] number in
            Task { [weak self] in await self?.forget(observer: number) }
        }
    }

    private func forget(observer id: UInt64) {
        observers.remove(id)
    }

    /// Reports each change of the state, before the step that made it asks anything of devices and engines.
    ///
    /// `notify` is called in order, between two steps of the playback, until the controller shuts down. It must not wait
    /// for anything.
    public func follow(_ notify: @escaping @Sendable (PlaybackSnapshot) -> Void) {
        observers.follow(notify)
    }

    /// Shows the current state between two steps: a change is reported either before that or after it.
    ///
    /// `body` must not wait. The device is not asked for the position.
    public func show<Answer: Sendable>(_ body: @Sendable (PlaybackSnapshot) -> Answer) -> Answer {
        body(shown(at: fed()))
    }

    /// Reports what a step has changed.
    ///
    /// Other reported values, the countdown and the spoken words, are updated before.
    func tell(_ before: PlaybackState, _ effects: [PlaybackEffect]) {
        var isTold = machine.state != before
        for effect in effects {
            switch effect {
            case .sleepClock, .stopSleepClock:
                carryOut(effect)
                isTold = true
            case .seek:
                if let current = machine.state.current { desk.forgetMarks(of: current.engine) }
            default: break
            }
        }
        if isTold { publish(.state) }
    }

    /// Reports a change of the session: it may have become active or inactive, or have another route.
    func publishSession() {
        if observers.isUnpublished(session.view) { publish(.state) }
    }

    /// Publishes a change to the observers.
    func publish(_ change: PlaybackChange) {
        observers.publish(change, session: session.view) { shown(at: fed()) }
    }

    /// Returns the audible position as the output predicted it; the output may be late with further predictions.
    private func fed() -> MediaPosition? {
        isReported ? lastSaid : nil
    }

    /// `true` if the output reports positions of the current state.
    private var isReported: Bool {
        let state = machine.state
        return (state.stream == .sounding || state.stream == .starved) && state.phase == .ready
    }

    /// Returns the snapshot.
    ///
    /// - Parameter heard: the audible position; `nil` if the place that the machine knows is the best there is.
    private func shown(at heard: MediaPosition?) -> PlaybackSnapshot {
        let state = machine.state
        let open = state.current.flatMap(desk.media)
        var position = state.current?.position
        var provenance = state.current?.provenance ?? .unknown
        if let heard, state.phase == .ready {
            position = heard
            provenance = .heard
        } else if state.phase == .ended, let end = open?.partEnd {
            position = end
        } else if state.phase == .ended, let timeline = open?.timeline, let last = timeline.tracks.indices.last,
            let end = timeline.tracks[last].duration
        {
            position = MediaPosition(track: last, units: end)
        } else if let open {
            // A part that was heard to its end begins again, and for the machine that is the beginning of the item.
            position = position.map(open.inPart)
        }
        let view = session.view
        return PlaybackSnapshot(
            state: state, position: position, provenance: provenance, media: open,
            // A sound that is audible has the session, even if the call that activated it is only about to return.
            isSessionActive: view.state == .active || state.stream == .sounding, route: view.route,
            hungOutputs: view.hungOutputs,
            sleep: sleepView(at: position), sound: sound,
            warning: keeping.fault.map { "the place is not saved: \($0.message)" }
                ?? state.current?.substitution ?? unspokenNote(in: state)
                ?? state.current.flatMap { items[notice: $0.item.uri] },
            saveFault: keeping.fault?.message, known: desk.recent, isRestored: memory.isComplete,
            feed: isReported ? output.feed : nil)
    }

    /// Returns the note about unspoken text, once the text is over.
    private func unspokenNote(in state: PlaybackState) -> String? {
        guard state.phase == .ended, let unspoken = state.unspoken else { return nil }
        return unspoken.words
    }
}

extension PlaybackState {
    /// The message for the user of what is not as it was asked for, once the item is over.
    var warning: String? { unspoken?.words ?? current?.substitution }
}

extension UnspokenText {
    /// The message for the user.
    var words: String {
        let total = total.map { " of \(max($0, sentences))" } ?? ""
        return "\(sentences)\(total) sentences could not be spoken"
    }
}
