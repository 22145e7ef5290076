// SPDX-License-Identifier: Apache-2.0

import Clocks

/// The playback of one request through one device stream: the logic that all outputs with a clock share.
///
/// It runs on the output's thread. A command acts at once: it finds the first frame that can still be replaced, lets
/// the renderer revise from there, and writes again. `turn` does the rest: it fills the device, reports what is heard,
/// and stops the device when there is nothing to hear.
public final class StreamSession {
    public let renderer: StreamRenderer
    public let device: any StreamDevice
    public var format: AudioFormat { renderer.format }
    public internal(set) var condition = StreamRenderer.Condition.starved

    private var news: StreamNews
    /// The room for what goes to the device in one write.
    private let room: SampleBuffer
    private var buffer: UnsafeMutablePointer<Float> { room.samples }
    private var bufferFrames: Int { room.frames }
    private var isRunning = false
    /// The time until which old sound continues while a seek is under way.
    private var hushAt: Int64?
    /// The feed to publish to; `nil` if nobody needs it, or if another stream publishes now.
    public var feed: HeardFeed?
    /// `false` if a reader kept the forecast from being published.
    private var isFed = true
    /// `true` if less than 300 ms were ahead of what was heard.
    private var isNearlyDry = true

    /// The time that old sound continues after a seek.
    ///
    /// New sound usually arrives within a few milliseconds, and then there is no gap at all.
    private static let patience = 100 * MonotonicTime.millisecond

    public init(
        _ request: StreamRequest, device: any StreamDevice, aheadFrames: Int, alreadyStarted: UInt32? = nil
    ) {
        self.device = device
        feed = request.feed
        news = StreamNews(alreadyStarted: alreadyStarted)
        renderer = StreamRenderer(
            source: request.source, format: device.format, generation: request.generation,
            settings: request.settings, aheadFrames: aheadFrames, softens: alreadyStarted == nil,
            isPaused: request.isPaused, boundaries: request.boundaries)
        // A sound server provides memory in blocks of 64 KiB and wakes the thread for each, so writes fill them.
        let channels = device.format.channels
        room = SampleBuffer(
            frames: min(device.format.frames(milliseconds: 400), 64_000 / (4 * channels)), channels: channels)
    }

    public var isPaused: Bool { renderer.isPaused }

    /// `true` if the device runs, so that there is something to fade out.
    public var isSounding: Bool { isRunning }

    /// `true` if the current generation has begun to sound.
    public var hasStarted: Bool { news.hasStarted(renderer.generation) }

    /// Returns the audible position; `nil` if it is not of the current generation.
    public func heard(at now: Int64) -> HeardPosition? {
        let frame = device.heard(at: now)
        guard hasStarted || renderer.generationStart.map({ frame >= $0 }) == true else { return nil }
        return present(renderer.place(at: frame))
    }

    /// Returns the position that was heard last, of any generation.
    public func lastHeard(at now: Int64) -> HeardPosition? {
        renderer.place(at: device.heard(at: now))
    }

    /// Returns `true` if everything that was rendered has been heard.
    ///
    /// Nothing was rendered if the first sound has another format than was requested.
    public func lastFrameIsHeard(at now: Int64) -> Bool {
        renderer.written == 0 || device.heard(at: now) >= renderer.written
    }

    /// Returns the events since the last call.
    public func takeEvents() -> [OutputEvent] { news.take() }

    // MARK: Commands

    public func pause() throws(OutputError) -> HeardPosition? {
        if !isPaused { try rewrite(written: renderer.written, from: renderer.pause(from: device.replaceable())) }
        hushAt = nil
        return present(renderer.place(at: renderer.silentFrom))
    }

    public func resume(at now: Int64) throws(OutputError) {
        guard isPaused else { return }
        try rewrite(written: renderer.written, from: renderer.resume(from: device.replaceable()))
        try run()
        if renderer.isCrossing { _ = try crossOver(at: now) }
        device.push()
    }

    public func reposition(to generation: UInt32, at now: Int64) throws(OutputError) {
        renderer.reposition(to: generation)
        news.reposition()
        hushAt = now + Self.patience
        _ = try crossOver(at: now)
    }

    public func set(_ setting: StreamSetting) throws(OutputError) {
        let urgency = renderer.urgency(of: setting)
        guard urgency != .none else { return }
        var frame = try device.replaceable()
        if urgency == .low {
            let later = frame + Int64(format.frames(milliseconds: Self.lowUrgencyDelay))
            if later < renderer.written { frame = later }
        }
        try rewrite(written: renderer.written, from: renderer.set(setting, from: frame))
    }

    /// The delay of a change that nobody waits for, in milliseconds.
    ///
    /// What is written that far ahead of the device comes in time on a busy machine, too.
    static let lowUrgencyDelay = 40.0

    // MARK: Turns

    /// Does what is due, and returns the time at which it must be called again at the latest.
    public func turn(at now: Int64) throws(OutputError) -> Int64? {
        let heard = device.heard(at: now)
        renderer.heard(upTo: heard)
        if renderer.isCrossing {
            if try !crossOver(at: now), let due = hushAt, now >= due {
                hushAt = nil
                try rewrite(written: renderer.written, from: renderer.hush(from: device.replaceable()))
            }
        }
        try fill(at: now)
        say(heard: heard)
        if isRunning, mayStop(heard: heard) {
            isRunning = false
            try device.stop()
        }
        foretell(at: now, heard: heard)
        return deadline(at: now, heard: heard)
    }

    /// Publishes when the rendered sound will be heard, for readers that must not wake this thread.
    private func foretell(at now: Int64, heard: Int64) {
        guard let feed else { return }
        let step = Double(format.sampleRate) * Double(HeardFeed.step) / 1e9
        // Sound that waits for a device that has not begun may wait for long.
        let ahead = isRunning && device.flows ? max(0, Int(Double(renderer.written - heard) / step)) + 2 : 1
        isFed = feed.publish(count: ahead) { index in
            renderer.place(at: min(heard + Int64(step * Double(index)), renderer.written)).map {
                HeardFeed.Point(time: now + Int64(index) * HeardFeed.step, place: $0)
            }
        }
    }

    /// `true` if the next turn should come as soon as the source has sound.
    public var awaitsSource: Bool {
        // Sound of a seek that was not yet announced cannot be taken, and would be signalled again and again.
        if let block = renderer.source.next(), block.generation != renderer.generation { return false }
        if renderer.isCrossing { return true }
        guard condition == .starved, !renderer.isPaused else { return false }
        return isNearlyDry
    }

    // MARK: Parts

    private func present(_ place: HeardPosition?) -> HeardPosition? {
        place?.generation == renderer.generation ? place : nil
    }

    /// Crosses over to the new generation if its sound has arrived.
    private func crossOver(at now: Int64) throws(OutputError) -> Bool {
        guard renderer.source.next() != nil else { return false }
        let written = renderer.written
        switch try renderer.crossOver(from: device.replaceable()) {
        case .waiting: return false
        case .formatChange(let format):
            condition = .formatChange(format)
            return false
        case .from(let frame):
            hushAt = nil
            try rewrite(written: written, from: frame)
            return true
        }
    }

    /// Writes the first part of the revised sound; the rest follows in the next turn.
    ///
    /// - Parameters:
    ///   - written: The frames that were written before the revision.
    ///   - start: The frame from which the revision has to be written.
    private func rewrite(written: Int64, from start: Int64) throws(OutputError) {
        if renderer.isPaused, !isRunning { return }
        let isRevised = start < written
        // The first frames are needed soon, so they go ahead of the others.
        try write(format.frames(milliseconds: 15))
        device.push()
        try write(format.frames(milliseconds: renderer.isPaused ? 200 : 50))
        if isRevised, renderer.written == start, isRunning {
            // There is nothing to replace it with yet, so write silence, or the old sound would go on. A revision that took
            // nothing back leaves no old sound, and its silence would be a gap.
            let frames = format.frames(milliseconds: 10)
            renderer.renderGap(into: buffer, frames: frames)
            try device.write(buffer, frames: frames, at: start)
        }
        if !renderer.isPaused { try run() }
        device.push()
    }

    private func fill(at now: Int64) throws(OutputError) {
        if renderer.isPaused || renderer.isCrossing, !isRunning { return }
        let wanted = device.wanted(at: now)
        guard wanted > 0 || (condition == .starved && isNearlyDry) else { return }
        if renderer.isPaused { return }
        let written = renderer.written
        let wasDry = device.heard(at: now) >= written && hasStarted
        // This holds whether sound is there now or not, because it may arrive before the next line checks.
        if wasDry, condition == .starved || renderer.source.next() != nil { renderer.softenAfterGap() }
        try write(max(wanted, bufferFrames))
        if renderer.written > written {
            news.supply()
            try run()
            if wasDry || written == 0 { device.push() }
        }
    }

    private func write(_ frames: Int) throws(OutputError) {
        var left = frames
        while left > 0 {
            let start = renderer.written
            let asked = min(left, bufferFrames)
            let rendered = renderer.render(into: buffer, frames: asked)
            if rendered.frames > 0 { try device.write(buffer, frames: rendered.frames, at: start) }
            condition = rendered.condition
            left -= rendered.frames
            if rendered.frames < asked { return }
        }
    }

    private func run() throws(OutputError) {
        guard !isRunning, !renderer.isPaused, renderer.written > 0 || !renderer.isCrossing else { return }
        isRunning = true
        try device.start()
    }

    private func mayStop(heard: Int64) -> Bool {
        if renderer.isPaused { return heard >= renderer.silentFrom }
        return condition == .ended && !renderer.isCrossing && heard >= renderer.written
    }

    private func say(heard: Int64) {
        let generation = renderer.generation
        if let start = renderer.generationStart, heard >= start, isRunning { news.start(generation) }
        // An empty rest, at the very end, has nothing to hear.
        let isDry = heard >= renderer.written || renderer.written == 0
        guard !renderer.isCrossing, !renderer.isPaused, isDry else { return }
        if condition == .ended { news.end(generation, atLimit: renderer.isAtLimit) }
        if condition == .starved { news.starve(generation) }
    }

    private func deadline(at now: Int64, heard: Int64) -> Int64? {
        guard isRunning else { return hushAt }
        var due = hushAt ?? .max
        if renderer.isPaused { return min(due, time(ofHearing: renderer.silentFrom, now, heard)) }
        due = min(due, device.wantsAgain(at: now) ?? .max)
        if !isFed { due = min(due, now + HeardFeed.step / 2) }
        if !hasStarted, let start = renderer.generationStart { due = min(due, time(ofHearing: start, now, heard)) }
        // A device that has not begun answers when it is asked, and nobody knows the position before.
        if !device.flows, let start = renderer.generationStart, heard < start {
            due = min(due, time(ofHearing: start, now, heard))
        }
        let left = renderer.written - heard
        isNearlyDry = left < Int64(format.frames(milliseconds: 300))
        switch condition {
        case .ended, .formatChange:
            if !news.hasEnded(renderer.generation) { due = min(due, time(ofHearing: renderer.written, now, heard)) }
        case .starved, .held:
            let early = isNearlyDry ? 0 : 290 * MonotonicTime.millisecond
            if left > 0 { due = min(due, time(ofHearing: renderer.written, now, heard, less: early)) }
        case .complete, .silent: break
        }
        return due == .max ? nil : due
    }

    /// Returns the time at which a frame is heard: just after it, never just before it, which would cause a turn for
    /// nothing.
    private func time(ofHearing frame: Int64, _ now: Int64, _ heard: Int64, less early: Int64 = 0) -> Int64 {
        let left = Double(max(0, frame - heard)) / Double(format.sampleRate)
        let least = (device.flows ? 1 : 40) * MonotonicTime.millisecond / 2
        return now + max(0, Int64(left * 1e9) - early) + least
    }
}
