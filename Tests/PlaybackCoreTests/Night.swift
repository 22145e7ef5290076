// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// A user in bed, with every request of the machine carried out at once.
///
/// They listen to a book of an hour, with chapters from 0:00, 10:00, 25:00 and 40:00 on. Time is counted in
/// milliseconds, as are the units of the book.
struct Night {
    static let book = BookTimeline(
        tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 3_600_000, confidence: .exact)],
        chapters: [0, 600_000, 1_500_000, 2_400_000].map {
            Chapter(title: nil, track: 0, start: $0, end: nil, source: "test")
        })

    private(set) var stage: Stage
    private(set) var place: Double
    /// The wall-clock time of sound.
    private(set) var listened = 0.0
    private var clock: (id: UInt64, left: Double, runs: Bool)?
    private let most: Double

    /// Starts to play the book.
    ///
    /// - Parameter most: The longest step back, in seconds.
    init(at start: Int64, rate: Double, most: Double = 30) {
        stage = Stage.playingBook(at: start)
        place = Double(start)
        self.most = most
        send(.setRate(rate, heard: nil, byEngine: false))
    }

    var isPlaying: Bool { stage.state.isPlaying }
    private var heard: MediaPosition { at(Int64(place)) }

    /// Sends an event, and then the answers to everything that was decided.
    private mutating func send(_ event: PlaybackEvent) {
        for answer in stage.all(event).flatMap({ answers(to: $0) }) { send(answer) }
    }

    private mutating func answers(to effect: PlaybackEffect) -> [PlaybackEvent] {
        switch effect {
        case .sleepClock(let id, let added, let runs):
            clock = (id, (clock?.id == id ? clock?.left ?? 0 : 0) + Double(added), runs)
            return []
        case .stopSleepClock:
            clock = nil
            return []
        case .rearmSleep(let id):
            return [.rearmedSleep(id: id, chapterEnd(at: stage.state.current?.position ?? heard))]
        case .seek(let generation, let target):
            place = Double(target.units)
            return stage.state.intent == .play ? [.started(generation: generation)] : []
        case .openStream(let generation):
            return [.streamOpened(generation: generation), .started(generation: generation)]
        case .resumeStream: return [.started(generation: stage.state.generation)]
        case .pauseStream(let generation), .closeStream(let generation):
            return [.silenced(generation: generation, heard: heard)]
        default: return []
        }
    }

    private func chapterEnd(at place: MediaPosition) -> MediaPosition? {
        Self.book.chapterIndex(at: place).flatMap { Self.book.end(ofChapter: $0) }
    }

    mutating func sleep(_ timer: Timer) {
        switch timer {
        case .minutes(let minutes): send(.setSleep(.time(milliseconds: minutes * 60_000), heard: heard))
        case .chapter: if let end = chapterEnd(at: heard) { send(.setSleep(.place(end), heard: heard)) }
        case .book: send(.setSleep(.book, heard: heard))
        }
    }

    mutating func seek(to seconds: Int64) { send(.seek(to: at(seconds * 1000), heard: heard)) }

    mutating func setRate(_ rate: Double) { send(.setRate(rate, heard: heard, byEngine: false)) }

    /// Pauses, unless the sound has ended by itself, and resumes after this many seconds.
    ///
    /// - Returns: The seconds that it went back.
    mutating func pause(seconds: Double) -> Double {
        if isPlaying { send(.pause(owner: nil, heard: heard)) }
        let before = stage.state.current?.position ?? heard
        let back = Self.book.rewound(before, bySeconds: AutoRewind.seconds(after: seconds, most: most))
        send(.resume(id: 2, owner: nil, heard: nil, back: back < before ? back : nil))
        place = Double(stage.state.current?.position.units ?? 0)
        return Double(before.units) / 1000 - place / 1000
    }

    /// Listens for this long, or until it is silent.
    mutating func listen(seconds: Double = .infinity) {
        var left = seconds * 1000
        let rate = stage.state.rate
        while isPlaying, left > 0 {
            var step = min(left, (3_600_000 - place) / rate)
            var limit: MediaPosition?
            if case .place(let end)? = stage.state.sleep?.end, Double(end.units) > place {
                limit = end
                step = min(step, (Double(end.units) - place) / rate)
            }
            if let clock, clock.runs { step = min(step, clock.left) }
            place += step * rate
            listened += step
            left -= step
            if clock?.runs == true { clock?.left -= step }
            if let clock, clock.runs, clock.left <= 0 {
                send(.sleepDue(id: clock.id, heard: heard))
            } else if let limit, place >= Double(limit.units) {
                send(.sleepPlaceReached(generation: stage.state.generation))
            } else if place >= 3_600_000 {
                send(.ended(generation: stage.state.generation, atLimit: false))
            }
        }
    }

    enum Timer: CustomStringConvertible {
        case minutes(Int)
        case chapter
        case book

        var description: String {
            switch self {
            case .minutes(let minutes): "\(minutes) min"
            case .chapter: "chapter"
            case .book: "book"
            }
        }
    }

    /// Returns a time in the form `25:00.0`.
    static func time(_ milliseconds: Double) -> String {
        let tenths = Int((milliseconds / 100).rounded())
        let seconds = tenths / 10 % 60
        return "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
    }

    /// Returns right-aligned columns.
    static func row(_ cells: [String], _ widths: [Int]) -> String {
        zip(cells, widths).map { cell, width in String(repeating: " ", count: max(0, width - cell.count)) + cell }
            .joined(separator: "  ")
    }
}
