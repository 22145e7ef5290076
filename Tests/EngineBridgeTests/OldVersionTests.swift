// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

extension EngineBridgeTests {
    /// Tests that an engine built once against a published minor version of the contract loads for ever.
    @Suite(.timeLimit(.minutes(1)))
    struct OldVersionTests {
        /// The origin of the module.
        enum Module: String, CaseIterable, CustomTestStringConvertible {
            /// The module as it was compiled then, for one architecture.
            case kept
            /// The module compiled now, from the source and the headers of that version.
            case compiledAgain
            var testDescription: String { rawValue }
        }

        /// The published minor versions, and the digest of the module that is kept of each.
        static let versions = [("1.0", "b285092726a265074704af8816a883b2dde71e8e2a968da694a7e7af78cf5854")]

        #if arch(x86_64)
            static let modules = Module.allCases
        #else
            static let modules = [Module.compiledAgain]
        #endif

        static let rows = versions.flatMap { version in
            modules.flatMap { module in
                TestHosting.allCases.map { (version: version.0, digest: version.1, module: module, hosting: $0) }
            }
        }

        private func path(_ version: String, _ digest: String, _ module: Module) throws -> String {
            let folder = FixtureModule.package + "/Tests/Fixtures/Engines/abi-\(version)"
            switch module {
            case .compiledAgain:
                let path = try FixtureModule.temporaryFolder() + "/fixture.so"
                try FixtureModule.run([folder + "/build.sh", path])
                return path
            case .kept:
                let path = folder + "/x86_64/fixture.so"
                // It must not be the output of a later compiler.
                try FixtureModule.run(["sh", "-c", #"echo "$0  $1" | sha256sum --check --status"#, digest, path])
                return path
            }
        }

        @Test(arguments: rows)
        func `an engine of an old version still works completely`(
            _ row: (version: String, digest: String, module: Module, hosting: TestHosting)
        ) async throws {
            let path = try path(row.version, row.digest, row.module)
            let reactor = try EngineReactor()
            let launch = EngineLaunch(id: EngineID("fixture"), module: path, hosting: row.hosting.launch)
            let engine = try HostedEngine(launch, reactor: reactor)
            // Chapters, and the extensions for rate and measuring.
            let media = try await engine.load(LoadRequest(fixture("chapters", tracks: 2)))
            #expect(media.chapters.count == 10_000)
            #expect(media.chapters.last?.start == 9_999)
            #expect(media.tracks[0].timeline.duration == 200_000)
            #expect(media.nativeRates == 0.25...4)
            #expect(try await engine.measure(track: 1) == 200_001)
            try await engine.setRate(2)
            // Blocks, their positions and their samples, from a seek on to the end.
            engine.source.discard(before: 2)
            try await engine.seek(to: MediaPosition(track: 1, units: 150_000), generation: 2)
            var position: Int64 = 150_000
            while let block = engine.source.take() {
                #expect(block.position == position)
                #expect(block.first == Float(position % 65_536))
                position = block.positionEnd
                if block.isEnd { break }
            }
            #expect(position == 200_000)
            // Marks, a source, and a failure with its message.
            engine.source.discard(before: 3)
            _ = try await engine.load(LoadRequest(fixture("marks"), generation: 3))
            let mark = await engine.firstEvent { event -> Int64? in
                if case .mark(3, .word, 0, let length) = event { length } else { nil }
            }
            #expect(mark == 10)
            let refused = await failure { () throws(EngineError) in
                _ = try await engine.load(LoadRequest(fixture("refuse"), generation: 4))
            }
            #expect(refused?.number == -301)
            await engine.shutDown()
        }
    }
}
