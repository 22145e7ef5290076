// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// What the server last said of a stream's progress, and what follows from it by now.
struct StreamTiming {
    /// The frame that the sink reads next, when it was asked.
    var read: Int64
    /// From there to the ear.
    var latency: Int64
    /// When that was (as `MonotonicTime`).
    var time: Int64
    /// The sink takes frames by itself.
    var isFlowing: Bool
    /// It has taken all that there is; what is on its way to the ear goes by nevertheless.
    var isDry: Bool
    var sampleRate: Int

    func elapsed(at now: Int64) -> Int64 {
        guard isFlowing || isDry else { return 0 }
        return Int64(Double(max(0, now - time)) / 1e9 * Double(sampleRate))
    }

    func heard(at now: Int64) -> Int64 { read - latency + elapsed(at: now) }

    func read(at now: Int64) -> Int64 { isDry ? read : read + elapsed(at: now) }
}

/// The first frame that a server has not taken for good.
struct ReplacementRule {
    /// The sink gives frames back that it has taken.
    var rewinds: Bool
    /// Frames that its next turn takes are unknown: longest time between two turns.
    var graphPeriod: Int64?
    /// The largest latency that a short sink showed is the time between its turns.
    private(set) var period: Int64 = 0

    /// Longer ones are worth to be rewound.
    private static let short = 50 * MonotonicTime.millisecond
    /// What is written now reaches the sink within this time, on a machine that is not busy.
    private let transit: Int64
    /// How long we needed lately to render and send what replaces.
    private var preparation: Int64 = 0

    init(rewinds: Bool, graphPeriod: Int64?, transit: Int64) {
        self.rewinds = rewinds
        self.graphPeriod = graphPeriod
        self.transit = transit
    }

    /// Learns how long it took from the answer of `firstFrame` until the new sound was on its way.
    mutating func note(preparation time: Int64) {
        preparation = max(time, preparation - preparation / 8)
    }

    /// - Parameter answer: how long the server took to tell the timing: on a busy machine, much longer.
    mutating func firstFrame(_ timing: StreamTiming, at now: Int64, answer: Int64) -> Int64 {
        let rate = Double(timing.sampleRate)
        func frames(_ time: Int64) -> Int64 { Int64((Double(time) / 1e9 * rate).rounded(.up)) }
        guard timing.isFlowing else { return timing.read }
        let latency = Int64(Double(timing.latency) / rate * 1e9)
        if let graphPeriod { return timing.read(at: now) + frames(graphPeriod) }
        if latency > Self.short, rewinds {
            // ALSA refuses to rewind the last moment in front of the hardware's pointer.
            return timing.heard(at: now) + frames(10 * MonotonicTime.millisecond)
        }
        period = max(period, min(latency, Self.short), 5 * MonotonicTime.millisecond)
        // The sink has sound for this long; then it takes another period of what is there.
        let left = latency - (now - timing.time)
        let missing = transit + min(preparation, Self.short) + 2 * max(0, answer - MonotonicTime.millisecond / 2) - left
        guard missing > 0 else { return timing.read }
        return timing.read + frames((missing + period - 1) / period * period)
    }
}
