// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore
import Testing

@testable import EngineBridge

extension EngineBridgeTests {
    /// Tests that the names of voices get from an engine to the session.
    @Suite(.timeLimit(.minutes(1)))
    struct VoiceTransferTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        @Test(arguments: TestHosting.allCases)
        func `an engine that speaks lists its voices, whatever is loaded`(_ hosting: TestHosting) async throws {
            let path = try FixtureModule.temporaryFolder() + "/conformant.so"
            try FixtureModule.compile(
                "conformant.c", to: path, ["-shared", "-fPIC", "-fvisibility=hidden", "-lm", "-lpthread"])
            let launch = EngineLaunch(id: EngineID("conformant"), module: path, hosting: hosting.launch)
            let engine = try HostedEngine(launch, reactor: reactor)
            for _ in 0..<2 {
                #expect(
                    try await engine.voices() == [
                        EngineVoice(name: "low", language: "en"), EngineVoice(name: "high", language: "de-AT"),
                    ])
            }
            await engine.shutDown()
            let error = await failure { () throws(EngineError) in _ = try await engine.voices() }
            #expect(error?.kind == .unavailable)
        }

        @Test(arguments: TestHosting.allCases)
        func `an engine without a choice has none`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor)
            #expect(try await engine.voices() == [])
            await engine.shutDown()
        }
    }
}
