// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineConfinement
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore
import Testing
import WaitTestSupport

@testable import EngineBridge

extension EngineBridgeTests {
    /// Tests that an order to cut gets to an engine with its descriptors, and what it did to the session.
    @Suite(.timeLimit(.minutes(1)))
    struct CutTransferTests {
        let reactor: EngineReactor
        private let file: SharedDescriptor

        init() throws {
            reactor = try EngineReactor()
            file = try Self.file()
        }

        private static func file(_ content: String = "") throws -> SharedDescriptor {
            let path = try FixtureModule.temporaryFolder() + "/file"
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0 && pwrite(descriptor, content, content.utf8.count, 0) == content.utf8.count)
            return SharedDescriptor(owning: descriptor)
        }

        private var written: String {
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = pread(file.rawValue, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        private func load(
            _ mode: String, _ hosting: TestHosting, writes: Bool = true, deadlines: EngineDeadlines = EngineDeadlines()
        ) async throws -> HostedEngine {
            var launch = try FixtureModule.launch(hosting)
            launch.confinement.writes = writes
            let engine = try HostedEngine(launch, reactor: reactor, deadlines: deadlines)
            _ = try await engine.load(LoadRequest(fixture(mode, tracks: 2)))
            return engine
        }

        private func passage(_ start: Int64 = 100, _ end: Int64 = 300, track: Int = 0) -> ClipCut {
            ClipCut(
                start: MediaPosition(track: track, units: start), end: MediaPosition(track: track, units: end),
                file: file)
        }

        @Test(arguments: TestHosting.allCases)
        func `an order arrives with its tags and its cover, and what was written is described`(
            _ hosting: TestHosting
        ) async throws {
            let engine = try await load("cut", hosting)
            var cut = passage()
            cut.end = MediaPosition(track: 1, units: 40)
            cut.format = .mp3
            cut.tags = [.title: "Höhe\0!", .date: "2026"]
            cut.cover = try Self.file("picture")
            let result = try await engine.cut(cut)
            #expect(result == CutResult(isEncoded: true, frames: 200, sampleRate: 48_000, fileExtension: "txt"))
            #expect(written == "0:100-1:40 'mp3' date=2026 title=Höhe ! cover picture")
            // It still plays from its start.
            #expect(engine.source.take()?.position == 0)
            await engine.shutDown()
        }

        @Test func `an engine without the permission cannot write into the file`() async throws {
            let engine = try await load("cut", .isolated, writes: false)
            let error = await failure { () throws(EngineError) in _ = try await engine.cut(passage()) }
            #expect(error?.kind == .io)
            #expect(written == "")
            await engine.shutDown()
        }

        @Test(arguments: ["cut-lies", "cut-rate", "cut-path"], TestHosting.allCases)
        func `an impossible description is refused, and the engine keeps working`(
            _ mode: String, _ hosting: TestHosting
        ) async throws {
            let engine = try await load(mode, hosting)
            let error = await failure { () throws(EngineError) in _ = try await engine.cut(passage()) }
            #expect(error?.kind == .misbehaved)
            #expect(error?.message.contains("impossible values") == true)
            #expect(try await engine.measure(track: 0) == 200_000)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `the reason of a failure is reported`(_ hosting: TestHosting) async throws {
            let engine = try await load("cut-fails", hosting)
            let error = await failure { () throws(EngineError) in _ = try await engine.cut(passage()) }
            #expect(error?.kind == .io)
            #expect(error?.message == "the disk is full")
            await engine.shutDown()
        }

        @Test(arguments: [(0, 300, 0), (100, 100, 0), (-1, 5, 0), (0, 5, -1), (0, 5, 7)] as [(Int64, Int64, Int)])
        func `a passage that cannot be is refused`(_ start: Int64, _ end: Int64, _ track: Int) async throws {
            let engine = try await load("cut", .isolated)
            var cut = passage(start, end, track: track)
            if end == 300 { cut.end = MediaPosition(track: 0, units: -1) }
            let refused = cut
            let error = await failure { () throws(EngineError) in _ = try await engine.cut(refused) }
            #expect(error?.kind == (track == 7 ? .failed : .usage))
            #expect(written == "")
            await engine.shutDown()
        }

        @Test(arguments: [("cut-hangs", EngineError.Kind.timedOut), ("cut-dies", .crashed)])
        func `an engine that hangs or dies while it cuts is ended`(
            _ mode: String, _ kind: EngineError.Kind
        ) async throws {
            var deadlines = EngineDeadlines()
            deadlines.cut = .milliseconds(200)
            let engine = try await load(mode, .isolated, deadlines: deadlines)
            let error = await failure { () throws(EngineError) in _ = try await engine.cut(passage()) }
            #expect(error?.kind == kind)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `a seek ends a cut, and no descriptor of the file stays open`(_ hosting: TestHosting) async throws {
            let engine = try await load("cut-waits", hosting)
            async let cut = failure { () throws(EngineError) in _ = try await engine.cut(passage()) }
            await until({ written == "begun" }, otherwise: { written })
            try await engine.seek(to: MediaPosition(track: 0, units: 5), generation: 2)
            let error = await cut
            #expect(error?.number == -105)
            await engine.shutDown()
            #expect(try Self.openDescriptors(of: file) == 1)
        }

        /// Returns how many descriptors of this process are open for a file.
        private static func openDescriptors(of file: SharedDescriptor) throws -> Int {
            var wanted = stat()
            try #require(fstat(file.rawValue, &wanted) == 0)
            return (Int32(0)..<1024).count { number in
                var status = stat()
                return fstat(number, &status) == 0 && status.st_ino == wanted.st_ino && status.st_dev == wanted.st_dev
            }
        }
    }
}
