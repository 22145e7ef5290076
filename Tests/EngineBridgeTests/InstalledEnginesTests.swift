// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import BookTimeline
import Dispatch
import EngineCatalog
import Foundation
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing
import WaitTestSupport

@testable import EngineBridge

extension EngineBridgeTests {
    /// Tests of the whole way from a folder on disk to sound.
    @Suite(.timeLimit(.minutes(1)), .disabled(if: BuildProducts.isSanitized))
    struct InstalledEnginesTests {
        let reactor: EngineReactor
        let folder: String

        init() throws {
            reactor = try EngineReactor()
            folder = try FixtureModule.temporaryFolder()
        }

        private func install(_ changes: (String) -> String = { $0 }) throws {
            let engine = folder + "/tone.engine"
            try FileManager.default.createDirectory(atPath: engine, withIntermediateDirectories: true)
            let plugin = FixtureModule.package + "/Plugins/ToneEngine/manifest.json"
            let manifest = changes(try String(contentsOfFile: plugin, encoding: .utf8))
            try Data(manifest.utf8).write(to: URL(fileURLWithPath: engine + "/manifest.json"))
            let module = engine + "/libToneEngine.so"
            if !FileManager.default.fileExists(atPath: module) {
                try FileManager.default.copyItem(atPath: BuildProducts.tone, toPath: module)
            }
            chmod(engine, 0o755)
            for file in [module, engine + "/manifest.json"] { chmod(file, 0o644) }
        }

        private func engines(
            trusted: Set<EngineID> = [], runner: String = BuildProducts.runner,
            clock: any Clock<Duration> = ContinuousClock()
        ) -> InstalledEngines {
            InstalledEngines(
                EngineCatalog(SearchPath(folders: [folder])), runner: runner, reactor: reactor,
                trusted: trusted, clock: clock)
        }

        /// Returns a runner under a name that no other test uses, so that its processes can be told from theirs.
        private func ownRunner() throws -> String {
            let own = folder + "/own-runner"
            try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: BuildProducts.runner)
            return own
        }

        /// Returns the number of processes of a runner.
        private func processes(of runner: String) -> Int {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.count { pid in
                guard Int(pid) != nil, let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
                    return false
                }
                return String(decoding: line, as: UTF8.self).contains(runner)
            }
        }

        @Test func `an engine on disk is listed, started and audible`() async throws {
            try install()
            let engines = engines()
            #expect(await engines.installed().map(\.id) == [EngineID("tone")])
            let engine = try await engines.start(EngineID("tone"))
            _ = try await engine.load(LoadRequest(tones()))
            #expect(engine.source.take()?.position == 0)
            await engine.shutDown()
        }

        @Test func `while a folder does not answer, the last result is used`() async throws {
            try install()
            let hangs = Mutex(false)
            let mount = DispatchSemaphore(value: 0)
            let engines = InstalledEngines(
                EngineCatalog(SearchPath(folders: [folder])), runner: BuildProducts.runner, reactor: reactor,
                patience: .milliseconds(20), willLook: { if hangs.withLock({ $0 }) { mount.wait() } })
            await until { await !engines.installed().isEmpty }
            hangs.withLock { $0 = true }
            #expect(await engines.installed().map(\.id) == [EngineID("tone")])
            mount.signal()
        }

        @Test func `a folder that does not answer blocks only one thread, and is named as the cause`() async throws {
            try install()
            let looks = Mutex(0)
            let mount = DispatchSemaphore(value: 0)
            let engines = InstalledEngines(
                EngineCatalog(SearchPath(folders: [folder])), runner: BuildProducts.runner, reactor: reactor,
                patience: .milliseconds(20),
                willLook: {
                    looks.withLock { $0 += 1 }
                    mount.wait()
                })
            for _ in 0..<5 { #expect(await engines.installed().isEmpty) }
            let error = await failure { () throws(EngineError) in _ = try await engines.start(EngineID("tone")) }
            #expect(error?.code == EngineError.unavailable)
            #expect(error?.message.contains("the engine folders did not answer") == true)
            #expect(looks.withLock { $0 } == 1)
            // The folder answers again.
            for _ in 0..<1_000_000 { mount.signal() }
            await until { await !engines.installed().isEmpty }
            let engine = try await engines.start(EngineID("tone"))
            await engine.shutDown()
        }

        @Test func `a prewarmed engine is handed out once`() async throws {
            try install()
            let engines = engines()
            await engines.prewarm(EngineID("tone"))
            await engines.prewarm(EngineID("tone"))
            let first = try await engines.start(EngineID("tone"))
            let second = try await engines.start(EngineID("tone"))
            for engine in [first, second] {
                _ = try await engine.load(LoadRequest(tones()))
                #expect(engine.source.take()?.position == 0)
                await engine.shutDown()
            }
            await engines.prewarm(EngineID("tone"))
            await engines.endSpares()
        }

        @Test func `a prewarmed engine that is not taken is ended after a time`() async throws {
            try install()
            let clock = ManualClock()
            let runner = try ownRunner()
            let engines = engines(runner: runner, clock: clock)
            await engines.prewarm(EngineID("tone"))
            await until { processes(of: runner) == 1 && clock.sleepers == 1 }
            clock.advance(by: .seconds(59))
            #expect(clock.sleepers == 1)
            clock.advance(by: .seconds(1))
            await until { processes(of: runner) == 0 }
            // The next one has a time limit of its own.
            await engines.prewarm(EngineID("tone"))
            await until { clock.sleepers == 1 }
            let engine = try await engines.start(EngineID("tone"))
            await until { clock.sleepers == 0 }
            clock.advance(by: .seconds(120))
            _ = try await engine.load(LoadRequest(tones()))
            #expect(engine.source.take()?.position == 0)
            await engine.shutDown()
        }

        @Test func `ending a prewarmed engine cancels its time limit`() async throws {
            try install()
            let clock = ManualClock()
            let engines = engines(clock: clock)
            await engines.prewarm(EngineID("tone"))
            await until { clock.sleepers == 1 }
            await engines.endSpare(EngineID("tone"))
            await until { clock.sleepers == 0 }
            await engines.prewarm(EngineID("tone"))
            await until { clock.sleepers == 1 }
            await engines.endSpares()
            await until { clock.sleepers == 0 }
        }

        @Test func `an engine that is missing, or may not be loaded, is reported`() async throws {
            try install()
            chmod(folder + "/tone.engine", 0o777)
            let engines = engines()
            let rows = [("nobody", EngineError.unavailable), ("tone", EngineError.refused)]
            for (id, code) in rows {
                let error = await failure { () throws(EngineError) in _ = try await engines.start(EngineID(id)) }
                #expect(error?.code == code)
            }
            // A correction is noticed at once.
            chmod(folder + "/tone.engine", 0o755)
            let engine = try await engines.start(EngineID("tone"))
            await engine.shutDown()
        }

        @Test func `an engine runs in-process only if both sides want it and its licence allows it`() async throws {
            try install { $0.replacing("\"isolated\"", with: "\"inProcess\"") }
            #expect(await engines().installed().map(\.hosting) == [.isolated])
            let trusting = engines(trusted: [EngineID("tone")])
            #expect(await trusting.installed().map(\.hosting) == [.inProcess])
            let engine = try await trusting.start(EngineID("tone"))
            _ = try await engine.load(LoadRequest(tones()))
            #expect(engine.source.take()?.position == 0)
            await engine.shutDown()
            try install {
                $0.replacing("\"isolated\"", with: "\"inProcess\"").replacing("Apache-2.0", with: "GPL-3.0-or-later")
            }
            #expect(await trusting.installed().map(\.state) == [.refused])
            #expect(await engines().installed().map(\.state) == [.available])
        }
    }
}
