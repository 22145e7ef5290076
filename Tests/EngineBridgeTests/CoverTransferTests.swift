// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineTransport
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import EngineBridge

extension EngineBridgeTests {
    /// Tests that a picture gets from an engine to the session, and nothing that is not a picture.
    @Suite(.timeLimit(.minutes(1)))
    struct CoverTransferTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        private func load(
            _ mode: String, _ hosting: TestHosting, deadlines: EngineDeadlines = EngineDeadlines()
        ) async throws -> HostedEngine {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor, deadlines: deadlines)
            _ = try await engine.load(LoadRequest(fixture(mode, tracks: 2)))
            return engine
        }

        @Test(arguments: TestHosting.allCases)
        func `a picture arrives complete, and a track without one has none`(_ hosting: TestHosting) async throws {
            let engine = try await load("cover", hosting)
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 11) }
            for _ in 0..<2 {
                #expect(try await engine.cover(track: 0) == CoverPicture(mediaType: "image/png", bytes: bytes))
                #expect(try await engine.cover(track: 1) == nil)
            }
            // It still plays from its start.
            #expect(engine.source.take()?.position == 0)
            let error = await failure { () throws(EngineError) in _ = try await engine.cover(track: 2) }
            #expect(error?.code == -102)
            await engine.shutDown()
        }

        @Test(
            arguments: [
                "cover-type", "cover-text", "cover-no-type", "cover-null", "cover-empty", "cover-long", "cover-huge",
            ],
            TestHosting.allCases)
        func `an invalid picture is refused, and the engine keeps working`(_ mode: String, _ hosting: TestHosting)
            async throws
        {
            let engine = try await load(mode, hosting)
            let error = await failure { () throws(EngineError) in _ = try await engine.cover(track: 0) }
            #expect(error?.code == EngineError.misbehaved)
            #expect(error?.message.contains("an invalid picture of track 0") == true)
            #expect(try await engine.measure(track: 0) == 200_000)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `an engine's own reason is reported`(_ hosting: TestHosting) async throws {
            let engine = try await load("cover-fails", hosting)
            let error = await failure { () throws(EngineError) in _ = try await engine.cover(track: 0) }
            #expect(error?.message == "the picture is damaged")
            await engine.shutDown()
        }

        @Test(arguments: [("cover-hangs", EngineError.timeout), ("cover-dies", EngineError.crashed)])
        func `an engine that hangs or dies of a picture is ended`(_ mode: String, _ code: Int32) async throws {
            var deadlines = EngineDeadlines()
            deadlines.cover = .milliseconds(200)
            let engine = try await load(mode, .isolated, deadlines: deadlines)
            let error = await failure { () throws(EngineError) in _ = try await engine.cover(track: 0) }
            #expect(error?.code == code)
            await engine.shutDown()
        }

        /// Returns the outcome of a request for a cover, number 1, that is answered with these messages.
        private func outcome(_ messages: [EngineMessage]) throws -> Result<EngineLink.Reply, EngineError>? {
            let reader = RingReader(try RingMemory(capacity: RingLayout.defaultCapacity), alarm: reactor.alarm)
            let link = EngineLink(
                id: EngineID("liar"), deadlines: EngineDeadlines(), now: { 0 }, ring: RingWatch(reader, follows: false),
                events: EventOutlet(),
                services: LinkServices(openSource: { _, _ in }, keepIndex: { _, _ in }, leaveBehind: { _ in }))
            let box = Box()
            link.cover(track: 0) { outcome in box.result.withLock { $0 = outcome } }
            for message in messages { link.take(message) }
            return box.result.withLock { $0 }
        }

        private final class Box: Sendable {
            // The lock is needed because a completion may be called on any thread.
            let result = Mutex<Result<EngineLink.Reply, EngineError>?>(nil)
        }

        private static let limit = UInt32(16 << 20)

        @Test(
            arguments: [
                [.coverPart(request: 1, total: limit + 1, part: [1])],
                [.coverPart(request: 1, total: 1, part: [1, 2])],
                [.coverPart(request: 1, total: 4, part: [])], [.coverPart(request: 2, total: 4, part: [1])],
                [.coverPart(request: 1, total: 4, part: [1]), .coverPart(request: 1, total: 5, part: [1])],
                [.coverPart(request: 1, total: 2, part: [1]), .cover(request: 1, mediaType: "image/png")],
                [.coverPart(request: 1, total: 1, part: [1]), .cover(request: 1, mediaType: nil)],
                [.cover(request: 1, mediaType: "image/png")], [.cover(request: 2, mediaType: nil)],
                [.index(request: 1, total: 1, part: [1])], [.measured(request: 1, duration: 4)],
            ] as [[EngineMessage]])
        func `an engine's process that lies about a picture is ended`(_ messages: [EngineMessage]) throws {
            guard case .failure(let error) = try outcome(messages) else {
                Issue.record("it was believed")
                return
            }
            #expect(error.code == EngineError.misbehaved)
        }

        @Test func `parts of a picture are joined in order`() throws {
            let result = try outcome([
                .coverPart(request: 1, total: 3, part: [1, 2]), .coverPart(request: 1, total: 3, part: [3]),
                .cover(request: 1, mediaType: "image/gif"),
            ])
            guard case .success(.cover(let picture)) = result else {
                Issue.record("\(String(describing: result))")
                return
            }
            #expect(picture == CoverPicture(mediaType: "image/gif", bytes: [1, 2, 3]))
        }
    }
}
