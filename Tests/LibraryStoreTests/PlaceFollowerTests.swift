// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
import FileTestSupport
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct `Place follower` {
    /// A clock that the test moves.
    final class SettableTime: Sendable {
        /// Locked for one access.
        private let state = Mutex<Int64>(0)
        var milliseconds: Int64 {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    static func subject(generation: UInt32 = 1, floor: Int64? = nil) -> JournalSubject {
        JournalSubject(
            owner: .main, uri: "file:///a.m4b", kind: .audio, engine: EngineID("ffmpeg"), generation: generation,
            floor: floor.map { MediaPosition(track: 1, units: $0) })
    }

    static func tell(_ feed: HeardFeed, units: Int64, at time: Int64, generation: UInt32 = 1) {
        _ = feed.publish(count: 1) { _ in
            HeardFeed.Point(time: time, place: HeardPosition(generation: generation, track: 1, units: units))
        }
    }

    @Test func `the audible position, and nothing else, is written every 125 ms`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        let clock = Mutex<Int64>(0)
        let follower = PlaceFollower(
            path: path, now: { clock.withLock { $0 } }, wallClock: { 1 }, complain: { _ in })
        let feed = HeardFeed()
        func written(at milliseconds: Int64) async throws -> Int64? {
            clock.withLock { $0 = milliseconds * MonotonicTime.millisecond }
            _ = await follower.turn()
            try await follower.settle()
            return PlaceJournalFile.read(path).first?.place.position.units
        }
        Self.tell(feed, units: 100, at: 0)
        #expect(try await written(at: 0) == nil, "nothing is followed")
        await follower.follow(Self.subject(floor: 90), feed: feed)
        #expect(try await written(at: 0) == 100)
        Self.tell(feed, units: 200, at: 0)
        #expect(try await written(at: 124) == 100, "not due")
        #expect(try await written(at: 125) == 200)
        Self.tell(feed, units: 80, at: 0)
        #expect(try await written(at: 250) == 200, "below what was heard already")
        Self.tell(feed, units: 300, at: 0, generation: 2)
        #expect(try await written(at: 375) == 200, "of another listening")
        Self.tell(feed, units: 300, at: 0)
        await follower.follow(Self.subject(floor: 95), feed: feed)
        #expect(try await written(at: 500) == 300, "a floor that rises puts nothing off")
        await follower.follow(nil, feed: feed)
        Self.tell(feed, units: 500, at: 0)
        #expect(try await written(at: 5000) == 300, "silence")
    }

    @Test func `the place after a jump is written as soon as it is heard`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        let clock = Mutex<Int64>(0)
        let follower = PlaceFollower(
            path: path, now: { clock.withLock { $0 } }, wallClock: { 1 }, complain: { _ in })
        let feed = HeardFeed()
        /// Runs a turn at a given time, and returns the time at which the next one is due.
        func turn(at milliseconds: Int64) async throws -> Int64? {
            clock.withLock { $0 = milliseconds * MonotonicTime.millisecond }
            let due = await follower.turn()
            try await follower.settle()
            return due.map { $0 / MonotonicTime.millisecond }
        }
        func written() -> Int64? { PlaceJournalFile.read(path).first?.place.position.units }
        Self.tell(feed, units: 100, at: 0)
        await follower.follow(Self.subject(), feed: feed)
        #expect(try await turn(at: 0) == 125)
        #expect(written() == 100)

        clock.withLock { $0 = 30 * MonotonicTime.millisecond }
        await follower.follow(Self.subject(generation: 2), feed: feed)
        #expect(try await turn(at: 30) == 50, "the output does not speak of it yet")
        Self.tell(feed, units: 60_000, at: 45 * MonotonicTime.millisecond, generation: 2)
        #expect(try await turn(at: 50) == 175)
        #expect(written() == 60_000)
    }

    /// A follower with a clock and a feed that the test controls.
    private struct Following {
        let path: String
        let follower: PlaceFollower
        let feed = HeardFeed()
        /// The clock in milliseconds.
        let clock: SettableTime

        init(in folder: TemporaryFolder) {
            let clock = SettableTime()
            path = folder.path + "/places.journal"
            follower = PlaceFollower(
                path: path, now: { clock.milliseconds * MonotonicTime.millisecond }, wallClock: { 1 },
                complain: { _ in })
            self.clock = clock
        }

        func written(at milliseconds: Int64) async throws -> Int64? {
            clock.milliseconds = milliseconds
            _ = await follower.turn()
            try await follower.settle()
            return PlaceJournalFile.read(path).first?.place.position.units
        }
    }

    @Test func `the target of a jump is kept at once, and the old place does not overwrite it`() async throws {
        let folder = try TemporaryFolder()
        let following = Following(in: folder)
        Self.tell(following.feed, units: 100, at: 0)
        await following.follower.follow(Self.subject(), feed: following.feed)
        #expect(try await following.written(at: 0) == 100)
        await following.follower.keep(`Place journal`.place(60_000), generation: 2)
        Self.tell(following.feed, units: 200, at: 0)
        #expect(try await following.written(at: 125) == 60_000)
        Self.tell(following.feed, units: 60_100, at: 0, generation: 2)
        await following.follower.follow(Self.subject(generation: 2), feed: following.feed)
        #expect(try await following.written(at: 130) == 60_100)
        // A place of the same generation, as at a pause.
        await following.follower.keep(`Place journal`.place(60_150), generation: 2)
        #expect(try await following.written(at: 131) == 60_150)
        Self.tell(following.feed, units: 60_200, at: 0, generation: 2)
        #expect(try await following.written(at: 300) == 60_200)
    }

    @Test func `a place beyond the exact end of a track is its end`() async throws {
        let folder = try TemporaryFolder()
        let following = Following(in: folder)
        var subject = Self.subject()
        for (confidence, units) in [(Confidence.container, 900), (.exact, 500)] as [(Confidence, Int64)] {
            subject.generation += 1
            subject.tracks = Array(
                repeating: TimelineTrack(unitsPerSecond: 1000, duration: 500, confidence: confidence), count: 2)
            Self.tell(following.feed, units: 900, at: 0, generation: subject.generation)
            await following.follower.follow(subject, feed: following.feed)
            #expect(try await following.written(at: 0) == units)
        }
    }

    @Test func `a place is not dated later than it was heard, so that a decision made meanwhile counts`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        let feed = HeardFeed()
        // Whoever asks for the date is held up until something else is heard.
        let follower = PlaceFollower(
            path: path, now: { 0 },
            wallClock: {
                Self.tell(feed, units: 700, at: 0)
                return 1
            }, complain: { _ in })
        Self.tell(feed, units: 100, at: 0)
        await follower.follow(Self.subject(), feed: feed)
        _ = await follower.turn()
        try await follower.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.position.units) == [700])
    }

    @Test func `an output that never publishes a position is polled less often after a while`() async throws {
        let folder = try TemporaryFolder()
        let clock = Mutex<Int64>(0)
        let follower = PlaceFollower(
            path: folder.path + "/places.journal", now: { clock.withLock { $0 } }, wallClock: { 1 },
            complain: { _ in })
        await follower.follow(Self.subject(), feed: HeardFeed())
        var turns = 0
        while let due = await follower.turn(), due < 20 * MonotonicTime.second {
            clock.withLock { $0 = due }
            turns += 1
        }
        #expect((100...300).contains(turns))
    }

    @Test func `a journal that cannot be written is reported once`() async throws {
        let folder = try TemporaryFolder()
        let clock = Mutex<Int64>(0)
        let complaints = Mutex<[String]>([])
        let follower = PlaceFollower(
            path: folder.path + "/nowhere/places.journal", now: { clock.withLock { $0 } }, wallClock: { 1 },
            complain: { error in complaints.withLock { $0.append(error.message) } })
        let feed = HeardFeed()
        await follower.follow(Self.subject(), feed: feed)
        for tick in 1...5 {
            Self.tell(feed, units: Int64(tick), at: 0)
            clock.withLock { $0 = Int64(tick) * PlaceFollower.interval }
            _ = await follower.turn()
        }
        #expect(
            complaints.withLock { $0 }
                == ["\(folder.path)/nowhere/places.journal: open: No such file or directory"])
    }
}
