// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import FoundationEssentials
public import PlaybackCore

/// What `sleep` asks for, as a listener says it.
public enum SleepRequest: Sendable, Hashable {
    case duration(milliseconds: Int)
    case extend(milliseconds: Int)
    case chapter
    case book
    case off
}

/// What the status tells of the sleep timer.
public struct SleepView: Sendable, Hashable {
    /// `time`, `chapter` or `book`; `over` once it has ended the sound.
    public var end: String
    /// Of playing, by the clock on the wall; nil: not known.
    public var remaining: Int64?
    /// Where it was set, in book time.
    public var setAt: Int64?
}

/// The sleep timer: the machine decides, this counts and fades.
extension MediaPlaybackController {
    /// Sets, extends or ends the sleep timer.
    ///
    /// Throws 69 if nothing is there to fall asleep with, 66 if it has no chapters.
    public func sleep(_ request: SleepRequest) async throws(PlaybackError) {
        await restore()
        let heard = await heardNow()
        guard let current = machine.state.current else {
            if request == .off { return }
            throw Self.nothingLoaded
        }
        _ = nextCommand()
        switch request {
        case .off: handle(.setSleep(.off, heard: heard))
        case .duration(let milliseconds): handle(.setSleep(.time(milliseconds: milliseconds), heard: heard))
        case .extend(let milliseconds): handle(.setSleep(.extend(milliseconds: milliseconds), heard: heard))
        case .book: handle(.setSleep(.book, heard: heard))
        case .chapter:
            guard let place = chapterEnd(of: current, at: heard ?? current.position) else {
                throw PlaybackError(
                    code: 66, message: "“\(current.item.title)” has no chapter here; give a time: rostrum sleep 30")
            }
            handle(.setSleep(.place(place), heard: heard))
        }
        persistSleep()
    }

    /// Where the chapter ends that holds a place.
    private func chapterEnd(of playing: Playing, at position: MediaPosition) -> MediaPosition? {
        let open = media[playing.engine]
        guard let timeline = open?.content.uri == playing.item.uri ? open?.timeline : known[playing.item.uri]?.timeline,
            let index = timeline.chapterIndex(at: position)
        else { return nil }
        return timeline.end(ofChapter: index)
    }

    func rearmSleep(_ id: UInt64) {
        guard let current = machine.state.current else { return }
        let place = chapterEnd(of: current, at: current.position)
        // Not within the event that asks for it.
        Task {
            handle(.rearmedSleep(id: id, place))
            persistSleep()
        }
    }

    // MARK: Time

    func countDown(_ id: UInt64, adding added: Duration, runs: Bool) {
        countdown?.task?.cancel()
        var next = SleepCountdown(id: id, left: (countdown?.id == id ? countdown?.now ?? .zero : .zero) + added)
        if runs {
            let left = next.left
            let fade = min(settings.sleepFade, left)
            next.elapsed = SleepCountdown.stopwatch(clock)
            let clock = clock
            next.task = Task { [weak self] in
                try? await clock.sleep(for: left - fade)
                guard !Task.isCancelled else { return }
                await self?.beginFade(id)
                try? await clock.sleep(for: fade)
                guard !Task.isCancelled else { return }
                await self?.ringSleep(id)
            }
        }
        countdown = next
        persistSleep()
    }

    func stopCountdown() {
        countdown?.task?.cancel()
        countdown = nil
        persistSleep()
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
        fading?.cancel()
        let clock = clock
        // A timer that is shorter than the fade is silent at its end, too.
        let step = min(settings.sleepFade, countdown?.now ?? settings.sleepFade) / Self.fadeSteps
        let elapsed = SleepCountdown.stopwatch(clock)
        fading = Task { [weak self] in
            for number in 1...Self.fadeSteps {
                try? await clock.sleep(for: max(.zero, step * number - elapsed()))
                guard !Task.isCancelled else { return }
                await self?.soften(to: 1 - Double(number) / Double(Self.fadeSteps))
            }
        }
    }

    private func soften(to part: Double) async {
        try? await session.setVolume(machine.state.volume * part)
    }

    /// Behind the calls that are under way: what is to fall silent does so first.
    func endFade() {
        fading?.cancel()
        fading = nil
        let volume = machine.state.volume
        outputInTurn { controller in try? await controller.session.setVolume(volume) }
    }

    // MARK: Place

    /// Where the sound ends in this item because the listener sleeps.
    func sleepPlace(in uri: String) -> MediaPosition? {
        guard let timer = machine.state.sleep, case .place(let place) = timer.end, timer.setAt.item.uri == uri else {
            return nil
        }
        return place
    }

    func setLimit() {
        outputInTurn { controller in
            guard let limit = await controller.presentLimit() else { return }
            try? await controller.session.setLimit(limit.place)
        }
    }

    private func presentLimit() -> (place: HeardPosition?, Void)? {
        guard let current = machine.state.current, let media = media[current.engine],
            media.content.uri == current.item.uri
        else { return nil }
        return (limit(in: media, from: current.position, generation: machine.state.generation), ())
    }

    /// The end that was come to is the one of the sleep timer, not a nearer one that the listener named.
    func endsAsleep(_ generation: UInt32) -> Bool {
        guard generation == machine.state.generation, let current = machine.state.current,
            let place = sleepPlace(in: current.item.uri), let media = media[current.engine]
        else { return false }
        let wish = items[wishes: current.item.uri].limit.flatMap { media.position(of: $0, from: current.position) }
        return wish.map { $0 >= place } ?? true
    }

    // MARK: Telling

    /// `position` is what is heard now.
    func sleepView(at position: MediaPosition?) -> SleepView? {
        let state = machine.state
        if let slept = state.slept { return SleepView(end: "over", remaining: 0, setAt: milliseconds(of: slept)) }
        guard let timer = state.sleep else { return nil }
        let setAt = milliseconds(of: timer.setAt)
        switch timer.end {
        case .time:
            let left = countdown?.now.components
            return SleepView(
                end: "time", remaining: left.map { $0.seconds * 1000 + $0.attoseconds / 1_000_000_000_000_000 },
                setAt: setAt)
        case .place(let place):
            var end = timer.setAt
            end.position = place
            var now = timer.setAt
            now.position = position ?? now.position
            var remaining: Int64?
            if let end = milliseconds(of: end), let now = milliseconds(of: now) {
                remaining = Int64(Double(max(0, end - now)) / state.rate)
            }
            return SleepView(end: "chapter", remaining: remaining, setAt: setAt)
        case .book: return SleepView(end: "book", remaining: nil, setAt: setAt)
        }
    }

    // MARK: Keeping it over a restart

    private struct Kept: Codable {
        var timer: SleepTimer
        var items: [String]
        var left: Int
    }

    /// A restart in the middle of the night must not play on till morning.
    func persistSleep() {
        let value: String? = machine.state.sleep.flatMap { timer in
            let left = countdown?.now.components
            let kept = Kept(
                timer: timer, items: timer.setAt.item.items,
                left: Int(left.map { $0.seconds * 1000 + $0.attoseconds / 1_000_000_000_000_000 } ?? 0))
            return (try? JSONEncoder().encode(kept)).map { String(decoding: $0, as: UTF8.self) }
        }
        guard value != nil || hasKeptSleep else { return }
        hasKeptSleep = value != nil
        let before = storeTurn
        storeTurn = Task {
            await before?.value
            try? await store.set(.sleep, to: value)
        }
    }

    /// What an earlier session had set, if its item is still the last one.
    func restoreSleep() async {
        guard machine.state.sleep == nil, let text = try? await store.setting(.sleep),
            let kept = try? JSONDecoder().decode(Kept.self, from: Data(text.utf8))
        else { return }
        hasKeptSleep = true
        var timer = kept.timer
        timer.setAt.item.items = kept.items
        handle(.restoredSleep(timer, milliseconds: kept.left))
    }
}

extension PlaybackEffect {
    /// Carried out before the others: what is left of the sleep timer is part of what is told of the step.
    var isOfSleepClock: Bool {
        switch self {
        case .sleepClock, .stopSleepClock: true
        default: false
        }
    }
}
