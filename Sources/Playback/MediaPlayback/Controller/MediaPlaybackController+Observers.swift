// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

/// What observers are told; what changed is in the snapshot.
public enum PlaybackChange: Sendable, Hashable {
    case state
    /// The item was heard to its end or was stopped, or could not be played on.
    /// Of this item; nil: of whatever played. `unspoken`: what of a text was left out, in words, when it is over.
    case finished(uri: String?, PlaybackError?, unspoken: String? = nil)
}

/// Who watches, and what is told.
extension MediaPlaybackController {
    /// Everything there is to show, as of now.
    public func snapshot() async -> PlaybackSnapshot {
        // The place came with the command that is being carried out; the device is not kept waiting for, nor asked, meanwhile.
        shown(at: outputCalls == 0 ? await heardAbout() : nil)
    }

    /// What one owner sees: the stage while he holds it, else what is his own.
    public func snapshot(of owner: OwnerID?) async -> PlaybackSnapshot {
        await snapshot().seen(by: owner)
    }

    /// Changes from now on.
    ///
    /// Ends when the controller shuts down.
    public func observe() -> AsyncStream<PlaybackChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlaybackChange.self, bufferingPolicy: .bufferingNewest(64))
        lastCommand += 1
        let id = lastCommand
        observers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { [weak self] in await self?.forget(observer: id) }
        }
        return stream
    }

    private func forget(observer id: UInt64) {
        observers[id] = nil
    }

    /// Tells each change of the state with the step that made it, before what the step asks of devices and engines.
    ///
    /// `told` is called in order, between two steps of the playback: it must not wait for anything. Until the controller
    /// shuts down.
    public func follow(_ told: @escaping @Sendable (PlaybackSnapshot) -> Void) {
        followers.append(told)
    }

    /// Shows the present state, between two steps: a change is told either before that, or after it.
    ///
    /// `body` must not wait. The device is not asked for the place.
    public func show<Answer: Sendable>(_ body: @Sendable (PlaybackSnapshot) -> Answer) -> Answer {
        body(shown(at: fed()))
    }

    /// Tells what a step has changed.
    ///
    /// What else is told of it is changed before: the countdown, and the words that were spoken.
    func tell(_ before: PlaybackState, _ effects: [PlaybackEffect]) {
        var isTold = machine.state != before
        for effect in effects {
            switch effect {
            case .sleepClock, .stopSleepClock:
                carryOut(effect)
                isTold = true
            case .seek:
                if let current = machine.state.current { media[current.engine]?.forgetMarks() }
            default: break
            }
        }
        if isTold { publish(.state) }
    }

    /// The session may have come to the stage, have left it, or be heard elsewhere.
    func publishSession() {
        if session.view != publishedSession { publish(.state) }
    }

    /// What observers are told.
    func publish(_ change: PlaybackChange) {
        if change == .state { publishedSession = session.view }
        if change == .state, !followers.isEmpty {
            let snapshot = shown(at: fed())
            for told in followers { told(snapshot) }
        }
        for observer in observers.values { observer.yield(change) }
    }

    /// What is audible now, as the output said it ahead; it may be late with more.
    private func fed() -> MediaPosition? {
        let state = machine.state
        guard state.stream == .sounding || state.stream == .starved, state.phase == .ready else { return nil }
        return lastSaid
    }

    /// `heard`: what is audible; nil: the place that the machine knows is the best there is.
    private func shown(at heard: MediaPosition?) -> PlaybackSnapshot {
        let state = machine.state
        let open = state.current.flatMap { current in
            let open = media[current.engine]
            return open?.content.uri == current.item.uri ? open : known[current.item.uri]
        }
        var position = state.current?.position
        var provenance = state.current?.provenance ?? .unknown
        if let heard, state.phase == .ready {
            position = heard
            provenance = .heard
        } else if state.phase == .ended, let timeline = open?.timeline, let last = timeline.tracks.indices.last,
            let end = timeline.tracks[last].duration
        {
            position = MediaPosition(track: last, units: end)
        }
        let view = session.view
        return PlaybackSnapshot(
            state: state, position: position, provenance: provenance, media: open,
            // What is heard has the stage, also if the call that took it is only about to return.
            isSessionActive: view.state == .active || state.stream == .sounding, route: view.route,
            hungOutputs: view.hungOutputs,
            sleep: sleepView(at: position), sound: sound,
            warning: saveFault.map { "the place is not saved: \($0.message)" } ?? unspokenNote(in: state), known: known)
    }

    /// Told once, when the text is over.
    private func unspokenNote(in state: PlaybackState) -> String? {
        guard state.phase == .ended, let unspoken = state.unspoken else { return nil }
        return unspoken.words
    }
}

extension UnspokenText {
    /// As a listener is told.
    var words: String {
        let total = total.map { " of \(max($0, sentences))" } ?? ""
        return "\(sentences)\(total) sentences could not be spoken"
    }
}
