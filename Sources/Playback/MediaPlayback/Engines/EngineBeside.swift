// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Another process of an engine, which has, or opens, other tracks of what plays, and is not heard yet.
struct EngineBeside {
    /// The swap that it is for.
    let swap: UInt64
    let content: Content
    /// The process; `nil` until it is started.
    private(set) var process: (engine: any PlaybackEngine, serial: Int, reader: Task<Void, Never>)?
    /// The tracks; `nil` until they are open.
    var media: LoadedMedia?
    /// The joints of the stream when the process was offered to it; `nil` if it was not.
    private(set) var joints: Int?
    private var deadline: Task<Void, Never>?

    init(swap: UInt64, content: Content, deadline: Task<Void, Never>) {
        self.swap = swap
        self.content = content
        self.deadline = deadline
    }

    mutating func begin(_ engine: any PlaybackEngine, _ serial: Int, _ reader: Task<Void, Never>) {
        process = (engine, serial, reader)
    }

    /// Notes that the tracks are open in time.
    mutating func opened(_ media: LoadedMedia) {
        self.media = media
        endWaiting()
    }

    mutating func noteOffer(joints: Int) { self.joints = joints }

    func endWaiting() { deadline?.cancel() }

    /// Returns the greatest distance between a place in the tracks and the same place in those that play, in
    /// milliseconds; `nil` if places are counted in other units.
    ///
    /// Lengths that are only estimated say nothing.
    func distance(from playing: MediaDescription) -> Int? {
        guard let tracks = media?.description.tracks else { return nil }
        var distance = 0
        for (one, other) in zip(playing.tracks.map(\.timeline), tracks.map(\.timeline)) {
            guard one.duration == nil || other.duration == nil || one.unitsPerSecond == other.unitsPerSecond else {
                return nil
            }
            guard let length = one.duration, let otherLength = other.duration, one.confidence != .estimated,
                other.confidence != .estimated
            else { continue }
            let milliseconds = abs(Double(length) - Double(otherLength)) / one.unitsPerSecond * 1000
            distance = max(distance, Int(min(milliseconds, 1e12)))
        }
        return distance
    }
}
