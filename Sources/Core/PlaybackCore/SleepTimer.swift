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
        /// At the end of this chapter of an item that is still being opened; `nil`: of the one that is heard first. An item
        /// without chapters ends it with its own end.
        case chapter(index: Int?)
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
    /// Whose listening it ends: what others play meanwhile neither ends nor moves it.
    public var owner: OwnerID

    public init(id: UInt64, end: End, setAt: Playing, owner: OwnerID = .main) {
        self.id = id
        self.end = end
        self.setAt = setAt
        self.owner = owner
    }

    /// Older logs and libraries know no owner.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(UInt64.self, forKey: .id)
        end = try members.decode(End.self, forKey: .end)
        setAt = try members.decode(Playing.self, forKey: .setAt)
        isFading = try members.decode(Bool.self, forKey: .isFading)
        runs = try members.decode(Bool.self, forKey: .runs)
        owner = try members.decodeIfPresent(OwnerID.self, forKey: .owner) ?? .main
    }
}

/// What `sleep` asks for.
public enum SleepOrder: Sendable, Codable, Hashable {
    case time(milliseconds: Int)
    /// A timer that runs is given more; without one it is set.
    case extend(milliseconds: Int)
    /// Where the chapter that is heard ends.
    case place(MediaPosition)
    /// The end of a chapter of what is still being opened, as ``SleepTimer/End/chapter(index:)``.
    case chapter(index: Int?)
    case book
    case off
}

/// Falling asleep (lessons of players that play all night, or stop where they should not).
extension PlaybackMachine {
    mutating func setSleep(_ order: SleepOrder, heard: MediaPosition?) {
        if let heard, state.phase == .ready, state.current != nil { note(heard, .heard) }
        if order == .off { endSleep() }
        guard let (owner, current) = state.sleeper else { return }
        switch order {
        case .off: break
        case .extend(let milliseconds):
            guard let timer = state.sleep, timer.end == .time else {
                begin(.time, at: current, of: owner, milliseconds: milliseconds)
                return
            }
            if timer.isFading {
                state.sleep?.isFading = false
                effects.append(.endFade)
            }
            effects.append(.sleepClock(id: timer.id, adding: milliseconds, runs: timer.runs))
        case .time(let milliseconds): begin(.time, at: current, of: owner, milliseconds: milliseconds)
        case .place(let place): begin(.place(place), at: current, of: owner)
        case .chapter(let index): begin(.chapter(index: index), at: current, of: owner)
        case .book: begin(.book, at: current, of: owner)
        }
    }

    /// What an earlier session had set.
    mutating func restoredSleep(_ timer: SleepTimer, milliseconds: Int) {
        guard state.sleep == nil else { return }
        begin(timer.end, at: timer.setAt, of: timer.owner, milliseconds: milliseconds)
        // It may have come when its item was there already, and beyond the place.
        if state.phase == .ready, let position = state.current?.position { rearmSleep(from: position) }
    }

    private mutating func begin(
        _ end: SleepTimer.End, at setAt: Playing, of owner: OwnerID, milliseconds: Int = 0
    ) {
        endSleep()
        state.slept = nil
        state.lastSleep &+= 1
        state.sleep = SleepTimer(id: state.lastSleep, end: end, setAt: setAt, owner: owner)
        switch end {
        case .time: effects.append(.sleepClock(id: state.lastSleep, adding: milliseconds, runs: false))
        case .place: effects.append(.setLimit)
        case .chapter, .book: break
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
        case .chapter, .book: break
        }
    }

    /// Of an owner who stops, or is gone; of others it stays.
    mutating func endSleep(of owner: OwnerID) {
        if state.sleep?.owner == owner { endSleep() }
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
        hold()
        fallAsleep()
    }

    /// The place before which sound was to end is reached; the exact one comes with `silenced`.
    mutating func sleepPlaceReached(_ generation: UInt32) {
        guard generation == state.generation, state.phase == .ready, state.stream != .closed,
            var current = state.current,
            let timer = state.sleep, timer.owner == state.owner, case .place(let place) = timer.end
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
        // What sounded may have been somebody else's: what is taken back is the listening that the timer was for.
        let own = timer.owner == state.owner ? current : state.places(of: timer.owner).first
        tell(Jump(from: timer.setAt, to: own ?? timer.setAt, cause: .sleep), of: timer.owner)
    }

    /// A chapter's end that was left behind, or belongs to another item, is looked for anew where the listener is now; one
    /// that lies ahead stays, also after a step back.
    mutating func rearmSleep(from position: MediaPosition) {
        // What is still opened has no chapters yet; when it is there it is asked again.
        guard state.phase == .ready, let timer = state.sleep, timer.owner == state.owner, let current = state.current
        else { return }
        switch timer.end {
        case .place(let place) where timer.setAt.item != current.item || position >= place:
            effects.append(.rearmSleep(id: timer.id))
        case .chapter: effects.append(.rearmSleep(id: timer.id))
        case .time, .place, .book: break
        }
    }

    /// Without a place there is no chapter: it ends with this item, and the next one with chapters has a boundary again.
    mutating func rearmedSleep(_ id: UInt64, _ place: MediaPosition?) {
        guard let timer = state.sleep, timer.id == id, timer.owner == state.owner, let current = state.current else {
            return
        }
        state.sleep?.setAt = current
        let end = place.map { SleepTimer.End.place($0) } ?? .chapter(index: nil)
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

extension PlaybackState {
    /// Who would fall asleep, and with what: with a part that hands the stage back it is the one who has it again.
    public var sleeper: (owner: OwnerID, playing: Playing)? {
        if handsBack, let back = held.last, let playing = back.playing { return (back.owner, playing) }
        return current.map { (owner, $0) }
    }
}
