// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Clocks

/// The server's last report of a stream's progress, and the estimates that follow from it.
struct StreamTiming {
    /// The frame that the sink read next at the time of the report.
    var read: Int64
    /// The latency, in frames, from there to the ear.
    var latency: Int64
    /// The time of the report, as `MonotonicTime`.
    var time: Int64
    /// `true` if the sink takes frames by itself.
    var isFlowing: Bool
    /// `true` if the sink has taken everything; what is on its way to the ear still passes.
    var isDry: Bool
    var sampleRate: Int

    func elapsed(at now: Int64) -> Int64 {
        guard isFlowing || isDry else { return 0 }
        return Int64(Double(max(0, now - time)) / 1e9 * Double(sampleRate))
    }

    func heard(at now: Int64) -> Int64 { read - latency + elapsed(at: now) }

    func read(at now: Int64) -> Int64 { isDry ? read : read + elapsed(at: now) }
}

/// The rule that finds the first frame that a server has not taken for good.
struct ReplacementRule {
    /// `true` if the sink gives back frames that it has taken.
    var rewinds: Bool
    /// The longest time between two turns of the graph; `nil` if it has none.
    ///
    /// The number of frames that its next turn takes is unknown.
    var graphPeriod: Int64?
    /// The time between the turns of a short sink: the largest latency that it showed.
    private(set) var period: Int64 = 5 * MonotonicTime.millisecond

    /// The latency above which rewinding the sink is worthwhile.
    private static let short = 50 * MonotonicTime.millisecond
    /// The time in which written frames reach the sink, on a machine that is not busy.
    private let transit: Int64
    /// The recent time to render and send a replacement.
    ///
    /// The first one takes longest, because its code was never run.
    private var preparation = 2 * MonotonicTime.millisecond

    init(rewinds: Bool, graphPeriod: Int64?, transit: Int64) {
        self.rewinds = rewinds
        self.graphPeriod = graphPeriod
        self.transit = transit
    }

    /// Returns the frames of the longest turn of the graph, or 0.
    ///
    /// PipeWire reports a turn's frames as taken, and as no longer ahead of the ear, when the turn begins.
    func turnFrames(_ format: AudioFormat) -> Int64 {
        graphPeriod.map { Int64(format.frames(milliseconds: Double($0) / 1e6)) } ?? 0
    }

    /// Returns the index up to which a graph may have taken sound by the time that a write arrives.
    func mostTaken(_ timing: StreamTiming, at now: Int64) -> Int64 {
        let time = max(0, now - timing.time) + (graphPeriod ?? 0) + transit
        return timing.read + Int64((Double(time) / 1e9 * Double(timing.sampleRate)).rounded(.up))
    }

    /// Records the time from the answer of `firstFrame` until the new sound was on its way.
    mutating func note(preparation time: Int64) {
        preparation = max(time, preparation - preparation / 8)
    }

    /// Records a report of the sink, whose latency shows how far it is ahead of the ear.
    mutating func note(_ timing: StreamTiming) {
        guard timing.isFlowing else { return }
        let latency = Int64(Double(timing.latency) / Double(timing.sampleRate) * 1e9)
        period = max(period, min(latency, Self.short))
    }

    /// Returns the first frame that can still be replaced.
    ///
    /// - Parameter answer: The time that the server took to report the timing; it is much longer on a busy machine.
    mutating func firstFrame(_ timing: StreamTiming, at now: Int64, answer: Int64) -> Int64 {
        let rate = Double(timing.sampleRate)
        func frames(_ time: Int64) -> Int64 { Int64((Double(time) / 1e9 * rate).rounded(.up)) }
        guard timing.isFlowing else { return timing.read }
        // The time until the replacement is there.
        let reach = transit + min(preparation, Self.short) + 2 * max(0, answer - MonotonicTime.millisecond / 2)
        if let graphPeriod { return timing.read(at: now) + frames(graphPeriod + reach - transit) }
        let latency = Int64(Double(timing.latency) / rate * 1e9)
        if latency > Self.short, rewinds {
            // ALSA refuses to rewind the last moment in front of the hardware's pointer.
            return timing.heard(at: now) + frames(10 * MonotonicTime.millisecond)
        }
        note(timing)
        // The sink has sound for this long; its next turn comes then.
        guard reach > latency - (now - timing.time) else { return timing.read }
        // Turns come late, and one that is late takes more than a period: up to a period ahead of the ear, and no further.
        return timing.heard(at: now) + frames(reach + period)
    }
}
