// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

extension Status {
    /// The status with nothing loaded and nothing known.
    public static let idle = Status(
        status: "idle", intent: "stop", suppression: nil, engine: nil, owner: "main", item: nil,
        position: Position(ms: nil, provenance: "unknown"), duration: Duration(ms: nil, confidence: "unknown"),
        track: nil, chapter: nil, text: nil, rate: 1, volume: 1, sleep: nil,
        session: Session(active: false, output: nil, route: nil), error: nil)

    /// The status of a book that is paused in its third chapter, at 1:02:03.
    public static let paused = Status(
        status: "paused", intent: "pause", suppression: nil, engine: "ffmpeg", owner: "main",
        item: Item(uri: "file:///books/whale.m4b", title: "The Whale", author: "H. Melville"),
        position: Position(ms: 3_723_250, provenance: "heard"),
        duration: Duration(ms: 36_000_000, confidence: "container"),
        track: Track(index: 0, count: 1, positionMs: 3_723_250, durationMs: 36_000_000),
        chapter: Chapter(index: 2, count: 12, title: "The Inn", startMs: 3_600_000, endMs: 5_400_000),
        text: nil, rate: 1.25, volume: 1, sleep: nil,
        session: Session(active: true, output: "pulse", route: "Speakers"), error: nil)

    public func with(_ change: (inout Status) -> Void) -> Status {
        var copy = self
        change(&copy)
        return copy
    }
}
