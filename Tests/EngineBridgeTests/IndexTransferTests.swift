// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineBridge
import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Testing
import TrackIndexes

extension EngineBridgeTests {
    /// Tests that the results of an engine go to the session, and return with the same content.
    @Suite(.timeLimit(.minutes(1)))
    struct IndexTransferTests {
        let reactor: EngineReactor
        let folder: TemporaryFolder

        init() throws {
            reactor = try EngineReactor()
            folder = try TemporaryFolder()
        }

        /// A store that reports when something was kept.
        private struct Watched: TrackIndexStore {
            let store: TrackIndexes
            let kept: AsyncStream<Int>.Continuation

            func key(of descriptor: Int32, engine: EngineID) -> TrackIndexKey? {
                store.key(of: descriptor, engine: engine)
            }
            func open(_ key: TrackIndexKey) -> SharedDescriptor? { store.open(key) }
            func keep(_ index: [UInt8], for key: TrackIndexKey) {
                store.keep(index, for: key)
                kept.yield(index.count)
            }
        }

        private func content(_ name: String) throws -> Content {
            let path = try folder.write(name, Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }))
            return Content(
                uri: "fixture:index", kind: .audio, tracks: [.file(path: path)], title: "x", language: "index")
        }

        private func open(
            _ name: String, _ hosting: TestHosting, _ indexes: (any TrackIndexStore)?
        ) async throws -> (HostedEngine, MediaDescription) {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor, indexes: indexes)
            return (engine, try await engine.load(LoadRequest(content(name))))
        }

        @Test(arguments: TestHosting.allCases)
        func `an index is kept, and returned with the same content elsewhere`(_ hosting: TestHosting) async throws {
            let (kept, continuation) = AsyncStream.makeStream(of: Int.self)
            let store = Watched(store: TrackIndexes(folder: folder.path + "/indexes"), kept: continuation)
            let (first, media) = try await open("a.bin", hosting, store)
            #expect(media.title == "nothing kept")
            #expect(try await first.measureLater(track: 0) == 200_000)
            for await count in kept {
                #expect(count == 100_000)
                break
            }
            await first.shutDown()
            let (second, again) = try await open("moved/b.bin", hosting, store)
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let sum = bytes.enumerated().reduce(UInt32(0)) { $0 &+ UInt32($1.element) &* UInt32($1.offset % 1000 + 1) }
            #expect(again.title == "100000 bytes, sum \(sum)")
            await second.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `everything works without a store`(_ hosting: TestHosting) async throws {
            let (engine, media) = try await open("a.bin", hosting, nil)
            #expect(media.title == "nothing kept")
            #expect(try await engine.measure(track: 0) == 200_000)
            #expect(try await engine.measureLater(track: 0) == 200_000)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `another load cancels a measurement in the background`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor)
            _ = try await engine.load(LoadRequest(fixture("wait-measure")))
            async let measured = failure { () throws(EngineError) in _ = try await engine.measureLater(track: 0) }
            // It answers meanwhile, though its measurement never ends by itself.
            try await engine.seek(to: MediaPosition(track: 0, units: 5), generation: 2)
            try await engine.setRate(2)
            _ = try await engine.load(LoadRequest(fixture()))
            #expect(await measured?.code == -105)
            await engine.shutDown()
        }
    }
}
