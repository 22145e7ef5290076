// SPDX-License-Identifier: Apache-2.0

import AudioSession
public import BookTimeline
public import PlaybackCore

/// A request of the user for the sleep timer.
public enum SleepRequest: Sendable, Hashable {
    case duration(milliseconds: Int)
    case extend(milliseconds: Int)
    /// The end of a chapter, counted from 0; `nil` for the chapter that is audible.
    case chapter(Int?)
    case book
    case off
}

/// The state of the sleep timer, as the status shows it.
public struct SleepView: Sendable, Hashable {
    /// The kind of end: `time`, `chapter` or `book`; `over` once it has ended the sound.
    public var end: String
    /// The remaining playing time, in wall-clock time; `nil` if it is not known.
    public var remaining: Int64?
    /// The book time at which the timer was set.
    public var setAt: Int64?
}

/// The chapters that the user can choose to fall asleep with.
public struct SleepChoicesView: Sendable {
    /// The timer that is running.
    public var timer: SleepView?
    /// The chapters, starting with the current one.
    public var chapters: [ChapterCountdown]
    /// The time of day from which they count, in milliseconds since 1970.
    public var now: Int64
}

/// The sleep timer: the machine decides, this extension counts and fades.
extension MediaPlaybackController {
    /// Sets, extends or ends the sleep timer; if an item is being looked up, that happens when the item is there.
    ///
    /// Throws `unavailable` if there is nothing to fall asleep with, and `noInput` if the item has no such chapter.
    public func sleep(_ request: SleepRequest) async throws(PlaybackError) {
        if keepsEarly(request) { return }
        if machine.state.sleeper == nil {
            await restore()
            if keepsEarly(request) { return }
        }
        try setSleep(request, heard: heardAtOnce)
    }

    /// Keeps a timer for the coming item.
    private func keepsEarly(_ request: SleepRequest) -> Bool {
        guard machine.state.isComing(nil) else { return false }
        orders.keep(sleep: request)
        // A running timer ends at once.
        if request == .off { return false }
        keptEarly("a sleep timer")
        return true
    }

    func setSleep(_ request: SleepRequest, heard: MediaPosition?) throws(PlaybackError) {
        if items.gaps.forgetSleep() { persistCrossing() }
        guard let playing = machine.state.sleeper?.playing else {
            guard request == .off else { throw Self.nothingLoaded }
            return forgetKeptSleep()
        }
        try command { _ throws(PlaybackError) in
            switch request {
            case .off:
                forgetKeptSleep()
                handle(.setSleep(.off, heard: heard))
            case .duration(let milliseconds): handle(.setSleep(.time(milliseconds: milliseconds), heard: heard))
            case .extend(let milliseconds): handle(.setSleep(.extend(milliseconds: milliseconds), heard: heard))
            case .book: handle(.setSleep(.book, heard: heard))
            case .chapter(let index):
                handle(.setSleep(try chapterOrder(index, in: playing, heard: heard), heard: heard))
            }
        }
    }

    private func chapterOrder(
        _ index: Int?, in playing: Playing, heard: MediaPosition?
    ) throws(PlaybackError) -> SleepOrder {
        let hasFocus = machine.state.current == playing
        let timeline = timeline(of: playing)
        let title = "“\(playing.item.title)”"
        // Its chapters, or the place where it starts, are known once it is open.
        if hasFocus, machine.state.phase == .loading { return .chapter(index: index) }
        let position = (hasFocus ? heard : nil) ?? playing.position
        guard let index else {
            if let place = chapterEnd(of: playing, at: position) { return .place(place) }
            throw PlaybackError(.noInput, message: "\(title) has no chapter here; give a time: rostrum sleep 30")
        }
        guard let place = timeline?.end(ofChapter: index) else {
            throw PlaybackError(
                .noInput, message: "no chapter \(index + 1): \(title) has \(timeline?.chapters.count ?? 0)")
        }
        guard place > position else {
            throw PlaybackError(.noInput, message: "chapter \(index + 1) is over: see rostrum sleep for those to come")
        }
        return .place(place)
    }

    /// Returns the timeline of an item that is open, or was recently.
    func timeline(of playing: Playing) -> BookTimeline? {
        desk.takeUpTracks(of: playing.engine)
        return desk.media(of: playing)?.timeline
    }

    /// Returns the end of the chapter that contains a position.
    private func chapterEnd(of playing: Playing, at position: MediaPosition) -> MediaPosition? {
        guard let timeline = timeline(of: playing), let index = timeline.chapterIndex(at: position) else { return nil }
        return timeline.end(ofChapter: index)
    }

    func rearmSleep(_ id: UInt64) {
        guard let current = machine.state.current, let timer = machine.state.sleep else { return }
        if let end = sleepEnd(in: current) {
            Task { handle(.rearmedSleep(id: id, end.place)) }
            return
        }
        var place: MediaPosition?
        if case .chapter(let index?) = timer.end {
            place = timeline(of: current)?.end(ofChapter: index).flatMap { $0 > current.position ? $0 : nil }
        }
        let end = place ?? chapterEnd(of: current, at: current.position)
        // The event must not be handled within the one that asks for it.
        Task { handle(.rearmedSleep(id: id, end)) }
    }

    /// Returns the chapters at whose ends the sound could stop.
    ///
    /// See ``/BookTimeline/BookTimeline/chapterCountdowns(from:rate:)``. Empty if there is none, or if the item is still
    /// being opened. Throws `unavailable` if nothing is loaded.
    public func sleepChoices() async throws(PlaybackError) -> SleepChoicesView {
        let heard = await heardNow()
        let state = machine.state
        guard let (owner, playing) = state.sleeper else { throw Self.nothingLoaded }
        let position = (owner == state.owner ? heard : nil) ?? playing.position
        let rate = owner == state.owner ? state.rate : state.view(of: owner).rate
        let chapters = timeline(of: playing)?.chapterCountdowns(from: position, rate: rate) ?? []
        return SleepChoicesView(timer: sleepView(at: heard), chapters: chapters, now: ports.wallClock())
    }

    // MARK: Time

    func countDown(_ id: UInt64, adding added: Duration, runs: Bool) {
        let clock = ports.clock
        let longest = settings.sleepFade
        sleeping.count(id, adding: added, elapsed: runs ? { SleepCountdown.stopwatch(clock) } : nil) { left in
            let fade = min(longest, left)
            return Task { [weak self] in
                try? await clock.sleep(for: left - fade)
                guard !Task.isCancelled else { return }
                await self?.beginFade(id)
                try? await clock.sleep(for: fade)
                guard !Task.isCancelled else { return }
                await self?.ringSleep(id)
            }
        }
    }

    private func beginFade(_ id: UInt64) { handle(.sleepFading(id: id)) }

    private func ringSleep(_ id: UInt64) async {
        let heard = await heardNow()
        guard !Task.isCancelled else { return }
        handle(.sleepDue(id: id, heard: heard))
    }

    // MARK: Sound

    private static let fadeSteps = 40

    func fade() {
        let clock = ports.clock
        // A timer that is shorter than the fade is silent at its end, too.
        let step = min(settings.sleepFade, sleeping.left ?? settings.sleepFade) / Self.fadeSteps
        let elapsed = SleepCountdown.stopwatch(clock)
        sleeping.fade(
            by: Task { [weak self] in
                for number in 1...Self.fadeSteps {
                    try? await clock.sleep(for: max(.zero, step * number - elapsed()))
                    guard !Task.isCancelled else { return }
                    await self?.soften(to: 1 - Double(number) / Double(Self.fadeSteps))
                }
            })
    }

    private func soften(to part: Double) async {
        try? await session.set(.volume(machine.state.volume * part))
    }

    /// Ends the fade after the calls in progress, so that a sound that is to stop stops first.
    func endFade() {
        sleeping.stopFading()
        let volume = machine.state.volume
        outputInTurn { controller in try? await controller.session.set(.volume(volume)) }
    }

    // MARK: Place

    /// Returns the place in this item where the sound ends because the user sleeps.
    func sleepPlace(in uri: String) -> MediaPosition? {
        guard let timer = machine.state.sleep, timer.owner == machine.state.owner, case .place(let place) = timer.end,
            timer.setAt.item.uri == uri
        else { return nil }
        return place
    }

    func setLimit() {
        outputInTurn { controller in
            guard let limit = controller.presentLimit() else { return }
            try? await controller.session.set(.limit(limit.place))
        }
    }

    private func presentLimit() -> (place: HeardPosition?, Void)? {
        guard let current = machine.state.current, let media = desk[open: current.engine],
            media.content.uri == current.item.uri
        else { return nil }
        return (limit(in: media, from: current.position, generation: machine.state.generation), ())
    }

    /// Returns whether the end that was reached is that of the sleep timer, and not a nearer one: one that the user named, or
    /// a gap.
    func endsAsleep(_ generation: UInt32) -> Bool {
        guard generation == machine.state.generation, let current = machine.state.current,
            let place = sleepPlace(in: current.item.uri), let media = desk[open: current.engine]
        else { return false }
        let asked = items[opening: current.item.uri].limit.flatMap { media.position(of: $0, from: current.position) }
        let gap = items.gaps.next(in: current.item.uri, after: current.position)?.start
        return (asked ?? place) >= place && (gap ?? place) >= place
    }

    // MARK: Status

    /// Returns the state of the sleep timer.
    ///
    /// - Parameter position: the audible position.
    func sleepView(at position: MediaPosition?) -> SleepView? {
        let state = machine.state
        if let slept = state.slept { return SleepView(end: "over", remaining: 0, setAt: milliseconds(of: slept)) }
        guard let timer = state.sleep else { return nil }
        let setAt = milliseconds(of: timer.listenedAt)
        switch timer.end {
        case .time:
            let left = sleeping.left?.components
            return SleepView(
                end: "time", remaining: left.map { $0.seconds * 1000 + $0.attoseconds / 1_000_000_000_000_000 },
                setAt: setAt)
        case .place(let place):
            var end = timer.setAt
            end.position = place
            var now = timer.setAt
            let hasFocus = timer.owner == state.owner
            let own = hasFocus ? position : state.places(of: timer.owner).first?.position
            now.position = own ?? now.position
            var remaining: Int64?
            if let end = milliseconds(of: end), let now = milliseconds(of: now) {
                let rate = hasFocus ? state.rate : state.view(of: timer.owner).rate
                remaining = Int64(min(Double(max(0, end - now)) / max(rate, 0.01), 9e15))
            }
            return SleepView(end: "chapter", remaining: remaining, setAt: setAt)
        case .chapter: return SleepView(end: "chapter", remaining: nil, setAt: setAt)
        case .book: return SleepView(end: "book", remaining: nil, setAt: setAt)
        }
    }
}

extension PlaybackEffect {
    /// `true` if the effect is carried out before the others.
    ///
    /// The remaining time of the sleep timer is part of what is reported about the step.
    var isOfSleepClock: Bool {
        switch self {
        case .sleepClock, .stopSleepClock: true
        default: false
        }
    }
}
