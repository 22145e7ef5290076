// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// A device that exists only as a count of frames against a clock.
final class NullDevice: StreamDevice {
    let format: AudioFormat
    private let faults: NullFaults
    /// The number of frames that are taken and not yet audible.
    private let latency: Int64
    private let depth: Int
    private let sound: CapturedSound
    /// The number of frames written, followed by the number that the device has taken.
    private var written: Int64 = 0
    private var taken: Int64 = 0
    private var isRunning = false
    /// The time of the clock when `taken` was exact.
    private var since: Int64
    private var carry = 0.0
    private var stalledUntil: Int64?
    private var hasStalled = false
    /// The time since the underrun, in frames; what was taken before is heard meanwhile.
    private var dry: Int64 = 0
    private var lastHeard: Int64 = -1

    init(
        format: AudioFormat, latency: Duration, depth: Duration, faults: NullFaults, capture: NullOutput.Capture?,
        now: Int64
    ) {
        self.format = format
        since = now
        self.faults = faults
        self.latency = Int64((latency.milliseconds * Double(format.sampleRate) / 1000).rounded())
        self.depth = format.frames(milliseconds: depth.milliseconds)
        sound = CapturedSound(capture, format: format, frames: self.depth + format.frames(milliseconds: 1000))
    }

    var isLost: Bool { faults.lostAfter.map { taken >= $0 } ?? false }

    /// Takes the frames that are due by now.
    ///
    /// - Returns: `false` after an underrun on the way, so that the caller can fill and continue.
    func advance(to now: Int64) -> Bool {
        guard isRunning, !isLost else {
            since = now
            return true
        }
        if let until = stalledUntil {
            guard now >= until else { return true }
            since = until
            stalledUntil = nil
        }
        let due = carry + Double(now - since) / 1e9 * Double(format.sampleRate) * faults.pace
        var frames = Int64(due)
        if let lost = faults.lostAfter { frames = min(frames, lost - taken) }
        if let stall = faults.stall, !hasStalled, taken + frames >= stall.frame {
            frames = max(0, stall.frame - taken)
            hasStalled = true
            stalledUntil = now + Int64(stall.duration.milliseconds * 1e6)
        }
        let available = min(frames, written - taken)
        take(available)
        if available > 0 { dry = 0 }
        guard available == frames else {
            let used = Double(available) / Double(format.sampleRate) / faults.pace * 1e9
            since = min(now, since + Int64(used))
            carry = 0
            return false
        }
        carry = due - Double(Int64(due))
        since = now
        return true
    }

    /// Lets time pass without sound, because no frames arrived.
    func skip(to now: Int64) {
        dry += Int64(Double(now - since) / 1e9 * Double(format.sampleRate))
        since = now
        carry = 0
    }

    private func take(_ frames: Int64) {
        sound.take(frames, at: taken)
        taken += max(0, frames)
    }

    func replaceable() throws(OutputError) -> Int64 {
        taken
    }

    func heard(at now: Int64) -> Int64 {
        lastHeard = max(lastHeard, isRunning ? taken - max(0, latency - dry) : taken == 0 ? -1 : taken)
        return lastHeard
    }

    var flows: Bool { isRunning && stalledUntil == nil }

    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) throws(OutputError) {
        written = frame + Int64(frames)
        sound.write(samples, frames: frames, at: frame)
    }

    func push() {}

    func wanted(at now: Int64) -> Int {
        let queued = Int(written - taken)
        return queued <= depth / 2 ? depth - queued : 0
    }

    func wantsAgain(at now: Int64) -> Int64? {
        let early = Double(written - taken) - Double(depth) / 2
        return early <= 0 ? nil : now + Int64(early / Double(format.sampleRate) / faults.pace * 1e9) + 1
    }

    func start() throws(OutputError) {
        isRunning = true
    }

    func stop() throws(OutputError) {
        isRunning = false
    }
}

extension Duration {
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
