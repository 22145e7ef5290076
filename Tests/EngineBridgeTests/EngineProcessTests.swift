// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import CTransport
import EngineBridge
import EngineTransport
import Foundation
import MediaPlayback
import PlaybackCore
import ProcessTestSupport
import Testing
import WaitTestSupport

extension EngineBridgeTests {
    /// Tests of what can happen to the process of an engine, none of which harms the session.
    @Suite(.timeLimit(.minutes(1)))
    struct EngineProcessTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        private func children() throws -> [pid_t] { try ProcessTestSupport.children(named: "rostrum-engine") }

        private func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }

        private func deadlines(_ change: (inout EngineDeadlines) -> Void) -> EngineDeadlines {
            var deadlines = EngineDeadlines()
            change(&deadlines)
            return deadlines
        }

        @Test func `a killed engine is gone, and the pending call fails`() async throws {
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            _ = try await engine.load(LoadRequest(fixture("wait-measure")))
            #expect(engine.source.waitForSound())
            let before = try children()
            #expect(before.count == 1)
            async let measured = failure { () throws(EngineError) in _ = try await engine.measure(track: 0) }
            kill(before[0], SIGKILL)
            let error = EngineError(
                number: EngineNumber.crashed, message: "the engine fixture was killed by signal 9 (Killed)")
            #expect(await engine.fate() == error)
            let told = await measured
            #expect(told == error || told?.kind == .unavailable)
            #expect(try children().isEmpty)
            // What it had rendered can still be heard.
            #expect(engine.source.take()?.position == 0)
        }

        @Test func `another process continues exactly behind what a dead one left`() async throws {
            let first = try HostedEngine(
                FixtureModule.launch(), reactor: reactor, ringCapacity: RingLayout.minimumCapacity)
            let content = fixture()
            _ = try await first.load(LoadRequest(content, generation: 7))
            var heard: [HeardBlock] = []
            for _ in 0..<2 { heard.append(try #require(first.source.take())) }
            var engine = first
            for _ in 0..<2 {
                // Some of it has not been heard yet.
                #expect(engine.source.waitForSound())
                for pid in try children() { kill(pid, SIGKILL) }
                let fate = await engine.firstEvent { if case .gone = $0 { $0 } else { nil } }
                guard case .gone(_, true, let place?) = fate else {
                    Issue.record("\(String(describing: fate)) after \(heard)")
                    return
                }
                #expect(place.generation == 7)
                let next = try HostedEngine(FixtureModule.launch(), inPlaceOf: engine, reactor: reactor)
                #expect(next.source === first.source)
                _ = try await next.load(LoadRequest(content, at: place.position, generation: 7))
                // Play what was left, and continue behind it.
                while let last = heard.last, last.positionEnd <= place.position.units {
                    heard.append(try #require(next.source.take()))
                }
                engine = next
            }
            for (block, next) in zip(heard, heard.dropFirst()) {
                #expect(next.position == block.positionEnd)
                #expect(next.index == block.index + (block.positionEnd - block.position))
                #expect(next.generation == 7 && !block.isEnd)
            }
            await engine.shutDown()
            #expect(try children().isEmpty)
        }

        @Test func `no process continues for an engine that lives, or has ended its content`() async throws {
            let there = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            let refused = #expect(throws: EngineError.self) {
                try HostedEngine(FixtureModule.launch(), inPlaceOf: there, reactor: reactor)
            }
            #expect(refused?.kind == .unavailable)
            _ = try await there.load(LoadRequest(fixture()))
            while let block = there.source.take(), !block.isEnd {}
            try await there.seek(to: .start, generation: 2)
            there.source.discard(before: 2)
            while there.source.waitForSound(), let block = there.source.next(), !block.isEnd {
                there.source.advance(by: block.frames)
            }
            for pid in try children() { kill(pid, SIGKILL) }
            let end = await there.firstEvent { if case .gone(_, _, let end) = $0 { Optional(end) } else { nil } }
            #expect(end == .some(nil))
        }

        @Test(
            .disabled(if: BuildProducts.isSanitized),
            arguments: [("crash-load", "signal 6 (Aborted)"), ("crash-render", "signal 11 (Segmentation fault)")])
        func `a crash is reported with its signal`(_ mode: String, _ signal: String) async throws {
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            let request = LoadRequest(fixture(mode))
            _ = await failure { () throws(EngineError) in _ = try await engine.load(request) }
            #expect(await engine.fate()?.message == "the engine fixture was killed by \(signal)")
        }

        @Test(arguments: ["hang-load", "hang-seek"])
        func `an engine that does not answer is ended at its deadline`(_ mode: String) async throws {
            let limits = deadlines {
                $0.load = .milliseconds(mode == "hang-load" ? 300 : 10_000)
                $0.seek = .milliseconds(100)
            }
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: limits)
            let request = LoadRequest(fixture(mode))
            let error = await failure { () throws(EngineError) in
                _ = try await engine.load(request)
                try await engine.seek(to: .start, generation: 2)
            }
            #expect(error?.kind == .timedOut)
            #expect(await engine.fate()?.kind == .timedOut)
            #expect(try children().isEmpty)
        }

        @Test func `an engine that hangs while rendering is ended, and its sound so far can be heard`() async throws {
            let limits = deadlines {
                $0.quiet = .milliseconds(20)
                $0.render = .milliseconds(100)
            }
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: limits)
            _ = try await engine.load(LoadRequest(fixture("hang-render")))
            #expect(await engine.fate()?.message == "the engine fixture rendered nothing more and was ended")
            #expect(engine.source.take()?.position == 0)
            #expect(try children().isEmpty)
        }

        @Test func `an engine that has rendered everything is not ended`() async throws {
            let limits = deadlines {
                $0.quiet = .milliseconds(1)
                $0.render = .milliseconds(200)
            }
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: limits)
            _ = try await engine.load(LoadRequest(fixture()))
            var blocks = 0
            while let block = engine.source.take() {
                blocks += 1
                if block.isEnd { break }
                _ = engine.source.waitForSound()
            }
            #expect(blocks > 0)
            // It was asked whether it is alive, and answered; later requests are answered, too.
            try await engine.seek(to: .start, generation: 2)
            #expect(!engine.isGone)
            await engine.shutDown()
        }

        @Test func `a stopped process is ended at its deadline, also during a shutdown`() async throws {
            let limits = deadlines {
                $0.seek = .milliseconds(100)
                $0.shutDown = .milliseconds(50)
            }
            let first = try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: limits)
            _ = try await first.load(LoadRequest(fixture()))
            for pid in try children() { kill(pid, SIGSTOP) }
            let error = await failure { () throws(EngineError) in try await first.seek(to: .start, generation: 2) }
            #expect(error?.kind == .timedOut)
            #expect(await first.fate()?.kind == .timedOut)
            let second = try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: limits)
            _ = try await second.load(LoadRequest(fixture()))
            for pid in try children() { kill(pid, SIGSTOP) }
            await second.shutDown()
            #expect(await second.fate() == nil)
            #expect(try children().isEmpty)
        }

        @Test func `nothing waits for a process that does not end when killed`() async throws {
            let limits = deadlines {
                $0.seek = .milliseconds(100)
                $0.shutDown = .milliseconds(50)
                $0.kill = .milliseconds(50)
            }
            for isAsked in [false, true] {
                let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor, deadlines: limits)
                _ = try await engine.load(LoadRequest(fixture(isAsked ? "" : "hang-seek")))
                let held = try #require(try HeldProcess(children().first ?? -1))
                if isAsked {
                    await engine.shutDown()
                    #expect(await engine.fate() == nil)
                } else {
                    let error = await failure { () throws(EngineError) in
                        try await engine.seek(to: .start, generation: 2)
                    }
                    #expect(error?.kind == .timedOut)
                    #expect(await engine.fate()?.kind == .timedOut)
                }
                #expect(engine.isGone)
                #expect(reactor.leftBehind == 1)
                #expect(try children().count == 1)
                held.release()
                // Its end is noted whenever it comes.
                await until { reactor.leftBehind == 0 }
                #expect(try children().isEmpty)
            }
        }

        @Test(
            .disabled(if: BuildProducts.isSanitized),
            arguments: [
                (["-DFIXTURE_MAJOR=2"], "made for version 2.0 of the engine contract, this is 1.0"),
                (["-DFIXTURE_NO_ENTRY"], "exports no rostrum_engine_entry"),
                (["-DFIXTURE_DECLINES"], "does not work with version 1.0 of the engine contract"),
                (["-DFIXTURE_LACKS_RENDER"], "lacks functions of the engine contract"),
                (["-DFIXTURE_SMALL"], "a module of 16 bytes"),
                (["-DFIXTURE_ID=\"other\""], "calls itself 'other', its manifest 'fixture'"),
                (["-DFIXTURE_EXITS"], "the engine fixture exited with status 3"),
                (["-DFIXTURE_HANGS"], "the engine fixture did not answer in time and was ended"),
            ])
        func `a module that cannot be used is reported in one line`(_ flags: [String], _ reason: String) async throws {
            let module = try FixtureModule.build(flags)
            let limits = deadlines { $0.load = .milliseconds(flags == ["-DFIXTURE_HANGS"] ? 300 : 10_000) }
            let engine = try HostedEngine(
                EngineLaunch(id: EngineID("fixture"), module: module, hosting: TestHosting.isolated.launch),
                reactor: reactor, deadlines: limits)
            let error = await failure { () throws(EngineError) in _ = try await engine.load(LoadRequest(fixture())) }
            #expect(error?.message.hasSuffix(reason) == true, "\(error?.message ?? "no error")")
            #expect(error?.message.contains("\n") == false)
            #expect(await engine.fate() != nil)
            #expect(try children().isEmpty)
        }

        @Test func `a missing module or runner is reported`() async throws {
            let rows: [(EngineLaunch, String)] = [
                (
                    EngineLaunch(id: EngineID("x"), module: "/nowhere/x.so", hosting: TestHosting.isolated.launch),
                    "cannot open /nowhere/x.so: file not found"
                ),
                (
                    EngineLaunch(
                        id: EngineID("x"), module: "/nowhere/x.so", hosting: .isolated(runner: "/nowhere/runner")),
                    "cannot start /nowhere/runner for the engine x: No such file or directory"
                ),
            ]
            for (launch, message) in rows {
                let engine = try HostedEngine(launch, reactor: reactor)
                let error = await failure { () throws(EngineError) in _ = try await engine.load(LoadRequest(fixture()))
                }
                #expect(error?.message == message || error?.message == "the engine x is gone")
                #expect(await engine.fate()?.message == message)
            }
        }

        @Test func `a hundred engines start and end without a leak`() async throws {
            _ = try FixtureModule.standard.get()
            let before = try descriptors()
            for cycle in 0..<100 {
                let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor)
                if cycle % 2 == 0 {
                    _ = try await engine.load(LoadRequest(fixture("source", source: .file(path: #filePath))))
                }
                await engine.shutDown()
            }
            #expect(try children().isEmpty)
            // The last engine may still be releasing some; a leak would be a hundred times one.
            #expect(try descriptors() < before + 20)
        }

        @Test func `an engine without references ends by itself`() async throws {
            var engine: HostedEngine? = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            _ = try await engine?.load(LoadRequest(fixture()))
            let events = try #require(engine?.events)
            engine = nil
            for await _ in events {}
            #expect(try children().isEmpty)
        }

        @Test(.disabled(if: BuildProducts.isSanitized))
        func `the last output of an engine that dies is in the log and in the reason`() async throws {
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            let request = LoadRequest(fixture("last-words"))
            let error = await failure { () throws(EngineError) in _ = try await engine.load(request) }
            #expect(error?.message == "the engine fixture was killed by signal 6 (Aborted): this is why")
            var lines: [String] = []
            for await event in engine.events {
                if case .log("stderr", let line) = event { lines.append(line) }
            }
            #expect(lines == ["first", "this is why"])
        }

        @Test func `the log lines of an engine are limited`() async throws {
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            _ = try await engine.load(LoadRequest(fixture("rave")))
            await engine.shutDown()
            var count = 0
            for await event in engine.events {
                if case .log = event { count += 1 }
            }
            // 200 a second, for as long as it took.
            #expect(count >= 200 && count < 20_000)
        }

        /// A session that dies sends nothing: its runner sees only the end of the socket.
        @Test(arguments: ["", "wait-load", "hang-load", "wait-measure"])
        func `a runner ends with its session, whatever its engine is doing`(_ mode: String) async throws {
            let memory = try RingMemory()
            var (ours, theirs): (MessageSocket?, MessageSocket?) = try MessageSocket.pair()
            let module = try FixtureModule.standard.get()
            let words: [String] = [BuildProducts.runner, "fixture", module]
            let arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var pid: pid_t = 0
            let control = try #require(theirs?.descriptor.rawValue)
            #expect(ctransport_spawn(BuildProducts.runner, arguments, environ, control, -1, &pid) == 0)
            theirs = nil
            let process = OwnedDescriptor(owning: ctransport_process_descriptor(pid))
            let hello = HostMessage.hello(version: HostMessage.version, capacity: UInt32(memory.capacity))
            _ = ours?.send(hello.encoded(), descriptors: memory.handedOver, waiting: true)
            let load = HostMessage.Load(
                generation: 1, kind: 1, trackCount: 1, startTrack: 0, start: 0, language: mode, voice: nil, rate: 1)
            _ = ours?.send(HostMessage.load(request: 1, load).encoded(), waiting: true)
            // Wait until it works, which its first message shows.
            if case .message(let bytes, _)? = ours?.receive(waiting: true) {
                guard case .ready = try EngineMessage(decoding: bytes[...]) else {
                    Issue.record("not ready")
                    return
                }
            }
            ours = nil
            var entry = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 5000) == 1)
            var status: Int32 = -1
            var signal: Int32 = -1
            #expect(ctransport_reap(process.rawValue, &status, &signal) == 1)
            #expect(status == 0 && signal == 0)
        }
    }
}
