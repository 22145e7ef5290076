// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// A timer that ends the sound while the user falls asleep.
///
/// It is part of the state like everything else: a fade is one of its conditions, and commands during a fade are
/// answered (Voice#991).
public struct SleepTimer: Sendable, Codable, Hashable {
    public enum End: Sendable, Codable, Hashable {
        /// Ends after an amount of playing, in wall-clock time; the controller counts what is left.
        case time
        /// Ends before this position, in media time, at any rate.
        case place(MediaPosition)
        /// Ends with this chapter of an item that is still being opened; `nil` for the chapter that is heard first.
        ///
        /// An item without chapters ends the timer with its own end.
        case chapter(index: Int?)
        /// Ends with the book.
        case book
    }

    public var id: UInt64
    public var end: End
    /// The item and position when the timer was set, or when it got its present end.
    public var setAt: Playing
    /// The item and position when the timer was set, if a gap of a recording was crossed since then.
    ///
    /// Nobody moved then, so `undo` leads back there, and not to where the other side began.
    public internal(set) var origin: Playing?
    public var isFading = false
    /// `true` while the time counts.
    public var runs = false
    /// The owner whose listening the timer ends; what others play meanwhile neither ends nor moves it.
    public var owner: OwnerID

    public init(id: UInt64, end: End, setAt: Playing, owner: OwnerID = .main) {
        self.id = id
        self.end = end
        self.setAt = setAt
        self.owner = owner
    }

    /// The place to which `undo` leads back.
    public var listenedAt: Playing { origin ?? setAt }

    /// Decodes a timer; older logs and libraries have no owner.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(UInt64.self, forKey: .id)
        end = try members.decode(End.self, forKey: .end)
        setAt = try members.decode(Playing.self, forKey: .setAt)
        origin = try members.decodeIfPresent(Playing.self, forKey: .origin)
        isFading = try members.decode(Bool.self, forKey: .isFading)
        runs = try members.decode(Bool.self, forKey: .runs)
        owner = try members.decodeIfPresent(OwnerID.self, forKey: .owner) ?? .main
    }
}

/// A request of the `sleep` command.
public enum SleepOrder: Sendable, Codable, Hashable {
    case time(milliseconds: Int)
    /// Extends a timer for a time, or sets one if none is running.
    case extend(milliseconds: Int)
    /// The end of the chapter that is heard.
    case place(MediaPosition)
    /// The end of a chapter of an item that is still being opened, as in ``SleepTimer/End/chapter(index:)``.
    case chapter(index: Int?)
    case book
    case off
}

/// The sleep timer.
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
                state.sleeping.timer?.isFading = false
                effects.append(.endFade)
            }
            effects.append(.sleepClock(id: timer.id, adding: milliseconds, runs: timer.runs))
        case .time(let milliseconds): begin(.time, at: current, of: owner, milliseconds: milliseconds)
        case .place(let place): begin(.place(place), at: current, of: owner)
        case .chapter(let index): begin(.chapter(index: index), at: current, of: owner)
        case .book: begin(.book, at: current, of: owner)
        }
    }

    /// Restores a timer that an earlier session had set.
    mutating func restoredSleep(_ timer: SleepTimer, milliseconds: Int) {
        guard state.sleep == nil else { return }
        begin(timer.end, at: timer.setAt, of: timer.owner, milliseconds: milliseconds)
        state.sleeping.timer?.origin = timer.origin
        // The timer may arrive when its item is already open and beyond the position.
        if state.phase == .ready, let position = state.current?.position { rearmSleep(from: position) }
    }

    private mutating func begin(
        _ end: SleepTimer.End, at setAt: Playing, of owner: OwnerID, milliseconds: Int = 0
    ) {
        endSleep()
        state.sleeping.slept = nil
        state.sleeping.last &+= 1
        state.sleeping.timer = SleepTimer(id: state.sleeping.last, end: end, setAt: setAt, owner: owner)
        switch end {
        case .time: effects.append(.sleepClock(id: state.sleeping.last, adding: milliseconds, runs: false))
        case .place: effects.append(.setLimit)
        case .chapter, .book: break
        }
    }

    /// Ends the timer: a user who stops playback or sets another timer is awake.
    mutating func endSleep() {
        guard let timer = state.sleep else { return }
        state.sleeping.timer = nil
        if timer.isFading { effects.append(.endFade) }
        switch timer.end {
        case .time: effects.append(.stopSleepClock)
        case .place: effects.append(.setLimit)
        case .chapter, .book: break
        }
    }

    /// Ends the timer of an owner that stops or is gone; a timer of another owner stays.
    mutating func endSleep(of owner: OwnerID) {
        if state.sleep?.owner == owner { endSleep() }
    }

    mutating func sleepFading(_ id: UInt64) {
        guard state.sleep?.id == id, state.isPlaying else {
            effects.append(.dropped(.stale))
            return
        }
        state.sleeping.timer?.isFading = true
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

    /// Handles reaching the position before which the sound was to end; the exact one comes with `silenced`.
    mutating func sleepPlaceReached(_ generation: UInt32, at nearer: MediaPosition? = nil) {
        guard generation == state.generation, state.phase == .ready, state.stream != .closed,
            var current = state.current,
            let timer = state.sleep, timer.owner == state.owner, case .place(let end) = timer.end
        else {
            effects.append(.dropped(.stale))
            return
        }
        let place = nearer ?? end
        supersede()
        note(place, .heard)
        // This is the position if the device cannot tell where the sound ended.
        current.position = place
        current.provenance = .heard
        state.intent = .pause
        state.recovery.attempt = 0
        endOutage()
        state.memory.leaving[generation] = Leaving(
            owner: state.owner, playing: current, floor: state.floor, unitsPerSecond: state.unitsPerSecond)
        effects.append(.closeStream(generation: generation))
        state.output.stream = .closed
        saveCurrent(durably: true)
        fallAsleep()
    }

    private mutating func fallAsleep() {
        guard let timer = state.sleep, let current = state.current else { return }
        endSleep()
        state.suppressions.insert(.sleep)
        state.sleeping.slept = timer.listenedAt
        // Another owner may have been audible. What is taken back is the listening that the timer was for.
        let own = timer.owner == state.owner ? current : state.places(of: timer.owner).first
        tell(Jump(from: timer.listenedAt, to: own ?? timer.setAt, cause: .sleep), of: timer.owner)
    }

    /// Notes where the listener was before another item begins, if that is the other side of a gap.
    mutating func keepSleepOrigin(for order: PlayOrder) {
        guard let timer = state.sleep, timer.owner == order.owner else { return }
        state.sleeping.timer?.origin = order.change == .gap ? timer.listenedAt : nil
    }

    /// Looks for a new boundary at the current position if the old one was passed or belongs to another item.
    ///
    /// A boundary that lies ahead stays, also after a step back.
    ///
    /// - Parameter isMove: `true` if the listener moved there; nobody has if a crash opens the item again.
    mutating func rearmSleep(from position: MediaPosition, isMove: Bool = false) {
        // An item that is still being opened has no chapters yet; this is called again when it is open.
        guard state.phase == .ready, let timer = state.sleep, timer.owner == state.owner, let current = state.current
        else { return }
        switch timer.end {
        case .place(let place) where timer.setAt.item == current.item && position < place: return
        case .time, .book: return
        case .place, .chapter: break
        }
        if isMove { state.sleeping.timer?.origin = nil }
        effects.append(.rearmSleep(id: timer.id))
    }

    /// Sets the new boundary; without one there is no chapter, and the timer ends with this item.
    ///
    /// The next item that has chapters gets a boundary again.
    mutating func rearmedSleep(_ id: UInt64, _ place: MediaPosition?) {
        guard let timer = state.sleep, timer.id == id, timer.owner == state.owner, let current = state.current else {
            return
        }
        state.sleeping.timer?.setAt = current
        let end = place.map { SleepTimer.End.place($0) } ?? .chapter(index: nil)
        state.sleeping.timer?.end = end
        effects.append(.setLimit)
    }

    /// Runs the timer's clock while something plays.
    mutating func setSleepClock() {
        guard let timer = state.sleep, timer.end == .time, timer.runs != state.isPlaying else { return }
        let runs = state.isPlaying
        state.sleeping.timer?.runs = runs
        if timer.isFading, !state.isPlaying {
            state.sleeping.timer?.isFading = false
            effects.append(.endFade)
        }
        effects.append(.sleepClock(id: timer.id, adding: 0, runs: state.isPlaying))
    }
}

extension PlaybackState {
    /// The owner who would fall asleep, and with what.
    ///
    /// While a part plays that hands audio focus back, it is the owner that gets focus back.
    public var sleeper: (owner: OwnerID, playing: Playing)? {
        if handsBack, let back = held.last, let playing = back.playing { return (back.owner, playing) }
        return current.map { (owner, $0) }
    }
}
