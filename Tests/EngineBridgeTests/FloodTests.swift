// SPDX-License-Identifier: Apache-2.0

import AudioSession
import EngineTransport
import Foundation
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import EngineBridge

extension EngineBridgeTests {
    /// Tests of engines that bypass their host and send more than was requested: `Tests/Fixtures/Engines/flooding.h`.
    @Suite(.timeLimit(.minutes(2)))
    struct FloodTests {
        private func engine(
            _ reactor: EngineReactor, _ change: (inout EngineDeadlines) -> Void = { _ in }
        ) throws -> HostedEngine {
            var deadlines = EngineDeadlines()
            change(&deadlines)
            return try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: deadlines)
        }

        /// Time stands still, so what is taken is what may be taken at once.
        @Test(arguments: ["log", "marks", "tracks", "nothing", "errors"])
        func `the messages of an engine are limited, and the rest has to wait`(_ what: String) async throws {
            let reactor = try EngineReactor { 1_000_000_000 }
            let engine = try engine(reactor)
            _ = try await engine.load(LoadRequest(fixture("flood-\(what)")))
            var block = engine.source.take()
            while block == nil { block = engine.source.take() }
            let taken = Int(try #require(block).first)
            // The socket and the pipe hold some, too.
            let most =
                switch what {
                case "log", "nothing": InputAllowance.most / InputAllowance.message + 2_000
                case "marks": InputAllowance.most / 1_000 + 2_000
                case "tracks": InputAllowance.most / InputAllowance.trackAgain + 2_000
                default: InputAllowance.most + 65_536 / 6 + 2_000
                }
            #expect(taken > 10 && taken < most, "\(taken) were taken")
            #expect(!engine.isGone)
            await engine.shutDown()
        }

        @Test(arguments: ["ask-unread", "ask-nowhere"])
        func `an engine that requests sources and reads no answer is ended`(_ mode: String) async throws {
            let engine = try engine(EngineReactor())
            _ = try await engine.load(LoadRequest(fixture(mode, source: .file(path: #filePath))))
            let error = await engine.fate()
            #expect(error?.message == "the engine fixture asks for too many sources at once")
        }

        @Test func `an engine that repeats descriptions fails at the deadline`() async throws {
            let engine = try engine(EngineReactor()) { $0.describe = .milliseconds(300) }
            _ = try await engine.load(LoadRequest(fixture("repeat-track", tracks: 2)))
            let error = await failure { () throws(EngineError) in _ = try await engine.describeAll() }
            #expect(error?.message == "the engine fixture did not describe all of its tracks in time")
            await engine.shutDown()
        }
    }

    @Suite struct InputAllowanceTests {
        static let second: UInt64 = 1_000_000_000

        private func isOpen(_ allowance: inout InputAllowance, at time: UInt64) -> Bool { allowance.isOpen(at: time) }

        @Test func `a flood is limited to an amount a second, however long it lasts`() {
            var allowance = InputAllowance()
            var taken = 0
            // Offers of ten units, every ten microseconds for a minute.
            for time in stride(from: Self.second, to: 61 * Self.second, by: 10_000) where allowance.isOpen(at: time) {
                allowance.charge(10)
                taken += 10
            }
            let most = InputAllowance.most + 60 * InputAllowance.perSecond
            #expect(taken <= most + 10 && taken > most - InputAllowance.perSecond)
        }

        @Test func `a used-up allowance stays closed until enough has returned`() throws {
            var allowance = InputAllowance()
            #expect(isOpen(&allowance, at: Self.second))
            #expect(allowance.opening == nil)
            allowance.charge(InputAllowance.most)
            #expect(!isOpen(&allowance, at: Self.second))
            let opening = try #require(allowance.opening)
            #expect(opening > Self.second && opening <= 2 * Self.second)
            #expect(!isOpen(&allowance, at: opening - 1_000_000))
            #expect(isOpen(&allowance, at: opening))
            #expect(allowance.opening == nil)
        }

        @Test func `one message never costs more than the maximum`() {
            var allowance = InputAllowance()
            #expect(isOpen(&allowance, at: 0))
            allowance.charge(.max)
            #expect(!isOpen(&allowance, at: 0))
            #expect(isOpen(&allowance, at: Self.second))
        }

        @Test func `a clock that goes back does not open the allowance`() {
            var allowance = InputAllowance()
            #expect(isOpen(&allowance, at: 10 * Self.second))
            allowance.charge(InputAllowance.most + 1)
            #expect(!isOpen(&allowance, at: Self.second))
            #expect(!isOpen(&allowance, at: 0))
            #expect(isOpen(&allowance, at: 20 * Self.second))
        }
    }
}
