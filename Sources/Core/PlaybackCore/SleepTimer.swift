// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// Something that is to end the sound while the listener falls asleep.
///
/// A state among the others: a fade is one of its conditions, and what comes meanwhile is answered (Voice#991).
public struct SleepTimer: Sendable, Codable, Hashable {
    public enum End: Sendable, Codable, Hashable {
        /// After so long a time of playing, by the clock on the wall; how much is left is the controller's to count.
        case time
        /// Before this place: media time, whatever the speed.
        case place(MediaPosition)
        /// With the book.
        case book
    }

    public var id: UInt64
    public var end: End
    /// What was heard when it was set: `undo` leads back there.
    public var setAt: Playing
    public var isFading = false
    /// The clock counts.
    public var runs = false

    public init(id: UInt64, end: End, setAt: Playing) {
        self.id = id
        self.end = end
        self.setAt = setAt
    }
}

/// What `sleep` asks for.
public enum SleepOrder: Sendable, Codable, Hashable {
    case time(milliseconds: Int)
    /// A timer that runs is given more; without one it is set.
    case extend(milliseconds: Int)
    /// Where the chapter that is heard ends.
    case place(MediaPosition)
    case book
    case off
}

/// Falling asleep (lessons of players that play all night, or stop where they should not).
extension PlaybackMachine {
    mutating func setSleep(_ order: SleepOrder, heard: MediaPosition?) {
        if let heard, state.phase == .ready, state.current != nil { note(heard, .heard) }
        guard let current = state.current else { return }
        switch order {
        case .off: endSleep()
        case .extend(let milliseconds):
            guard let timer = state.sleep, timer.end == .time else {
                begin(.time, at: current, milliseconds: milliseconds)
                return
            }
            if timer.isFading {
                state.sleep?.isFading = false
                effects.append(.endFade)
            }
            effects.append(.sleepClock(id: timer.id, adding: milliseconds, runs: timer.runs))
        case .time(let milliseconds): begin(.time, at: current, milliseconds: milliseconds)
        case .place(let place): begin(.place(place), at: current)
        case .book: begin(.book, at: current)
        }
    }

    /// What an earlier session had set.
    mutating func restoredSleep(_ timer: SleepTimer, milliseconds: Int) {
        guard state.sleep == nil else { return }
        begin(timer.end, at: timer.setAt, milliseconds: milliseconds)
    }

    private mutating func begin(_ end: SleepTimer.End, at setAt: Playing, milliseconds: Int = 0) {
        endSleep()
        state.slept = nil
        state.lastSleep &+= 1
        state.sleep = SleepTimer(id: state.lastSleep, end: end, setAt: setAt)
        switch end {
        case .time: effects.append(.sleepClock(id: state.lastSleep, adding: milliseconds, runs: false))
        case .place: effects.append(.setLimit)
        case .book: break
        }
    }

    /// Whoever stops, or sets another one, is awake.
    mutating func endSleep() {
        guard let timer = state.sleep else { return }
        state.sleep = nil
        if timer.isFading { effects.append(.endFade) }
        switch timer.end {
        case .time: effects.append(.stopSleepClock)
        case .place: effects.append(.setLimit)
        case .book: break
        }
    }

    mutating func sleepFading(_ id: UInt64) {
        guard state.sleep?.id == id, state.isPlaying else {
            effects.append(.dropped(.stale))
            return
        }
        state.sleep?.isFading = true
        effects.append(.fade)
    }

    mutating func sleepDue(_ id: UInt64, heard: MediaPosition?) {
        guard state.sleep?.id == id, state.current != nil else {
            effects.append(.dropped(.stale))
            return
        }
        if let heard, state.phase == .ready { note(heard, .heard) }
        state.intent = .pause
        endOutage()
        supersede()
        hold()
        fallAsleep()
    }

    /// The place before which sound was to end is reached; the exact one comes with `silenced`.
    mutating func sleepPlaceReached(_ generation: UInt32) {
        guard generation == state.generation, state.phase == .ready, state.stream != .closed,
            var current = state.current,
            case .place(let place)? = state.sleep?.end
        else {
            effects.append(.dropped(.stale))
            return
        }
        supersede()
        note(place, .heard)
        // If the device cannot say where it ended, it was here.
        current.position = place
        current.provenance = .heard
        state.intent = .pause
        state.attempt = 0
        endOutage()
        state.leaving[generation] = Leaving(
            owner: state.owner, playing: current, floor: state.floor, pace: state.pace)
        effects.append(.closeStream(generation: generation))
        state.stream = .closed
        saveCurrent(durably: true)
        fallAsleep()
    }

    private mutating func fallAsleep() {
        guard let timer = state.sleep, let current = state.current else { return }
        endSleep()
        state.suppressions.insert(.sleep)
        state.slept = timer.setAt
        tell(Jump(from: timer.setAt, to: current, cause: .sleep), of: state.owner)
    }

    /// A chapter's end that was left behind, or belongs to another item, is looked for anew where the listener is now; one
    /// that lies ahead stays, also after a step back.
    mutating func rearmSleep(from position: MediaPosition) {
        guard let timer = state.sleep, case .place(let place) = timer.end, let current = state.current,
            timer.setAt.item != current.item || position >= place
        else { return }
        effects.append(.rearmSleep(id: timer.id))
    }

    /// nil: there is no chapter; it ends with the book.
    mutating func rearmedSleep(_ id: UInt64, _ place: MediaPosition?) {
        guard state.sleep?.id == id, let current = state.current else { return }
        state.sleep?.setAt = current
        let end = place.map { SleepTimer.End.place($0) } ?? .book
        state.sleep?.end = end
        effects.append(.setLimit)
    }

    /// It counts while something plays.
    mutating func setSleepClock() {
        guard let timer = state.sleep, timer.end == .time, timer.runs != state.isPlaying else { return }
        let runs = state.isPlaying
        state.sleep?.runs = runs
        if timer.isFading, !state.isPlaying {
            state.sleep?.isFading = false
            effects.append(.endFade)
        }
        effects.append(.sleepClock(id: timer.id, adding: 0, runs: state.isPlaying))
    }
}
