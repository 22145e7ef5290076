// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    @Suite struct WebTests {
        private func load(_ url: String, headers: String? = nil) throws -> ProbeFailure? {
            let probe = try FFmpegEngineTests.probe([.url(url, headers: headers)])
            do throws(ProbeFailure) {
                try probe.load()
                _ = try probe.renderAll(keepingSamples: false)
                return nil
            } catch {
                return error
            }
        }

        @Test(arguments: ["file", "redirect", "slow", "plain", "once"], ["book.m4b", "vbr.mp3", "vorbis.ogg"])
        func `a file on the web sounds like the one on disk`(_ kind: String, _ file: String) throws {
            // Without ranges the index at the end of this file cannot be read.
            guard (kind, file) != ("plain", "book.m4b") else { return }
            let server = try WebServer.shared()
            let local = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try local.load()
            let probe = try FFmpegEngineTests.probe([.url("\(server)/\(kind)/\(file)")])
            try probe.load()
            #expect(try probe.renderAll().samples == local.renderAll().samples)
            guard kind == "file" else { return }
            try probe.seek(position: 77_777)
            #expect(try probe.render().position == 77_777)
            #expect(try probe.chapters().map(\.title) == local.chapters().map(\.title))
        }

        @Test func `the headers of an address are sent`() throws {
            let server = try WebServer.shared()
            #expect(try load("\(server)/auth/cbr.mp3", headers: "X-Token: open sesame\r\n") == nil)
            #expect(try load("\(server)/auth/cbr.mp3")?.code == ROSTRUM_ERROR_PERMISSION)
        }

        @Test func `a server that refuses what it was told is told what the session knows by then`() throws {
            let server = try WebServer.shared()
            let local = try FFmpegEngineTests.probe([.file(Fixtures.path("cbr.mp3"))])
            try local.load()
            let good = "X-Token: open sesame\r\n"
            for first in ["\(server)/auth/cbr.mp3", "\(server)/status/404", "\(server)/status/410"] {
                let probe = try FFmpegEngineTests.probe([
                    .renewed([(first, "X-Token: old\r\n"), ("\(server)/auth/cbr.mp3", good)])
                ])
                try probe.load()
                #expect(try probe.renderAll().samples == local.renderAll().samples)
                #expect(probe.openedTracks.count == 2)
                try local.seek(position: 0)
            }
        }

        @Test func `a login that ends within a file is renewed there, and nothing is lost`() throws {
            let server = try WebServer.shared()
            let local = try FFmpegEngineTests.probe([.file(Fixtures.path("book.m4b"))])
            try local.load()
            // Each answer ends early, and each word is good for two requests.
            let words = (0..<64).map { (url: "\(server)/worn/book.m4b", headers: "X-Token: w\($0)\r\n" as String?) }
            let probe = try FFmpegEngineTests.probe([.renewed(words)])
            try probe.load()
            #expect(try probe.renderAll().samples == local.renderAll().samples)
            #expect(probe.openedTracks.count > 1)
        }

        @Test func `an address that is refused again is a failure, and not asked for for ever`() throws {
            let server = try WebServer.shared()
            let probe = try FFmpegEngineTests.probe([
                .renewed((0..<9).map { ("\(server)/auth/cbr.mp3", "X-Token: \($0)\r\n") })
            ])
            #expect(throws: ProbeFailure.self) { try probe.load() }
            #expect(probe.openedTracks.count == 2)
        }

        @Test(arguments: [
            ("status/401", ROSTRUM_ERROR_PERMISSION), ("status/403", ROSTRUM_ERROR_PERMISSION),
            ("status/404", ROSTRUM_ERROR_NOT_FOUND), ("status/500", ROSTRUM_ERROR_NETWORK),
            ("early/cbr.mp3", ROSTRUM_ERROR_NETWORK), ("early/plain.aac", ROSTRUM_ERROR_NETWORK),
            ("file/words.mp3", ROSTRUM_ERROR_FORMAT),
        ])
        func `each fault of a server has its own code`(_ path: String, _ code: rostrum_result) throws {
            let server = try WebServer.shared()
            #expect(try load("\(server)/\(path)")?.code == code)
        }

        @Test func `a server that cannot be reached is a network failure`() throws {
            #expect(try load("http://127.0.0.1:1/x.mp3")?.code == ROSTRUM_ERROR_NETWORK)
            #expect(try load("http://no-such-name.invalid/x.mp3")?.code == ROSTRUM_ERROR_NETWORK)
            #expect(try load("file:///etc/passwd")?.code == ROSTRUM_ERROR_FORMAT)
        }

        @Test func `neither messages nor the log contain secrets`() throws {
            let server = try WebServer.shared().split(separator: "/").last.map(String.init) ?? ""
            let url = "http://reader:hunter2@\(server)/status/404?token=hunter2#hunter2"
            let probe = try FFmpegEngineTests.probe([.url(url, headers: "X-Token: hunter2\r\n")])
            do throws(ProbeFailure) {
                try probe.load()
                Issue.record("loaded")
            } catch {
                #expect(error.message == "cannot open “http://\(server)/status/404”: the server does not have it (404)")
            }
            #expect(!probe.log.contains { $0.message.contains("hunter2") })
        }

        @Test func `a server that does not answer is given up in time`() throws {
            let server = try WebServer.shared()
            let clock = ContinuousClock()
            let start = clock.now
            #expect(try load("\(server)/hang/cbr.mp3")?.code == ROSTRUM_ERROR_TIMEOUT)
            #expect(clock.now - start < .seconds(10))
        }

        @Test(arguments: ["hang", "stall"]) func `an interruption ends a wait at once`(_ kind: String) throws {
            let server = try WebServer.shared()
            let probe = try FFmpegEngineTests.probe([.url("\(server)/\(kind)/cbr.mp3")])
            let clock = ContinuousClock()
            let start = clock.now
            // This is not a wait for an event: the interruption has to come while the call is in progress.
            let interrupter = Interrupter(probe, after: 300_000)
            do throws(ProbeFailure) {
                try probe.load()
                _ = try probe.renderAll(keepingSamples: false)
                Issue.record("came to an end")
            } catch {
                #expect(error.code == ROSTRUM_ERROR_INTERRUPTED)
            }
            interrupter.join()
            #expect(clock.now - start < .seconds(3))
        }
    }
}

/// Calls `interrupt` from another thread.
final class Interrupter: @unchecked Sendable /* written before the thread starts */ {
    private let probe: EngineProbe
    private let delay: UInt32
    private var thread = pthread_t()

    init(_ probe: EngineProbe, after microseconds: UInt32) {
        self.probe = probe
        delay = microseconds
        pthread_create(
            &thread, nil,
            { data in
                guard let data else { return nil }
                let interrupter = Unmanaged<Interrupter>.fromOpaque(data).takeRetainedValue()
                usleep(interrupter.delay)
                interrupter.probe.interrupt()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    func join() {
        pthread_join(thread, nil)
    }
}

/// The misbehaving server of Tests/Fixtures, which runs as long as the tests.
enum WebServer {
    private static let address: String? = {
        guard let folder = try? Fixtures.path("") else { return nil }
        // The server ends when its standard input ends, which is when this process ends.
        let server = "\(Fixtures.package)/Tests/Fixtures/http-server.py"
        guard
            let run = popen(
                "exec 2>/dev/null; tail -f /dev/null --pid=\(getpid()) | python3 '\(server)' '\(folder)'", "r")
        else {
            return nil
        }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), run) != nil else { return nil }
        let end = line.firstIndex { $0 < 0x30 } ?? 0
        return "http://127.0.0.1:" + String(decoding: line[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    static func shared() throws -> String {
        try #require(address, "http-server.py did not start")
    }
}
