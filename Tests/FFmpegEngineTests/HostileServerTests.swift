// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests with servers that are not who they claim to be, or that lie about what they send.
    @Suite struct HostileServerTests {
        private static let secrets =
            "X-Token: open sesame\r\nAuthorization: Basic cmVhZGVyOmh1bnRlcjI=\r\nCookie: id=hunter2\r\n"

        /// Returns all samples that were played, or the failure.
        private func play(
            _ url: String, headers: String? = nil, trust: ProbeTrust = ProbeTrust()
        ) throws -> (samples: [Float]?, failure: ProbeFailure?) {
            let probe = try EngineProbe(
                FFmpegEngineTests.library.get(), sources: [.url(url, headers: headers)], trust: trust)
            do throws(ProbeFailure) {
                try probe.load()
                return (try probe.renderAll().samples, nil)
            } catch {
                #expect(!probe.log.contains { $0.message.contains("hunter2") || $0.message.contains("sesame") })
                return (nil, error)
            }
        }

        private func local(_ file: String) throws -> [Float] {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            return try probe.renderAll().samples
        }

        private func authority() throws -> ProbeTrust {
            let path = Fixtures.package + "/Tests/Fixtures/Certificates/authority.pem"
            return ProbeTrust(certificates: String(decoding: try #require(File.bytes(path)), as: UTF8.self))
        }

        /// Returns the SHA-256 that the refusal names.
        private func fingerprint(_ failure: ProbeFailure?) throws -> String {
            let message = try #require(failure?.message)
            let start = try #require(message.firstRange(of: "SHA-256 ")?.upperBound)
            return String(message[start...].prefix(64))
        }

        @Test func `a server's certificate must match its name, date and signer`() throws {
            let servers = try HostileServers.shared()
            let file = "file/cbr.mp3"
            #expect(try play(servers.url("good", file), trust: authority()).samples == local("cbr.mp3"))
            for (server, trust, reason) in [
                ("good", ProbeTrust(), "is not signed by a trusted authority"),
                ("other", try authority(), "is for another name"), ("expired", try authority(), "has expired"),
                ("self", try authority(), "certificate"),
            ] {
                let failure = try play(servers.url(server, file), headers: Self.secrets, trust: trust).failure
                #expect(failure?.code == ROSTRUM_ERROR_PERMISSION, "\(server)")
                #expect(failure?.message.contains(reason) == true, "\(server): \(failure?.message ?? "played")")
            }
        }

        @Test(arguments: ["good", "other", "expired", "self"])
        func `a certificate with a listed fingerprint is accepted as it is, and no other one`(_ server: String) throws {
            let servers = try HostileServers.shared()
            let own = try fingerprint(play(servers.url(server, "file/cbr.mp3")).failure)
            let trust = ProbeTrust(fingerprints: [String(repeating: "0", count: 64), own])
            let probe = try EngineProbe(
                FFmpegEngineTests.library.get(), sources: [.url(servers.url(server, "file/cbr.mp3"))], trust: trust)
            try probe.load()
            #expect(try probe.renderAll().samples == local("cbr.mp3"))
            // The acceptance is logged once for an address, however many connections there were.
            let said = "the server 127.0.0.1 is known by the SHA-256 of its certificate, \(own) (settings.json)"
            #expect(probe.log.filter { $0.message.contains("SHA-256") }.map(\.message) == [said])
            let another = server == "self" ? "other" : "self"
            #expect(
                try play(servers.url(another, "file/cbr.mp3"), trust: trust).failure?.code == ROSTRUM_ERROR_PERMISSION)
        }

        @Test func `a certificate file without certificates opens nothing`() throws {
            let trust = ProbeTrust(certificates: "nothing")
            let failure = try play(HostileServers.shared().url("good", "file/cbr.mp3"), trust: trust).failure
            #expect(failure?.code == ROSTRUM_ERROR_PERMISSION)
            #expect(failure?.message.contains("trustedCertificates") == true)
        }

        @Test func `headers are sent only to the origin that they are for`() throws {
            let servers = try HostileServers.shared()
            let trust = try authority()
            #expect(try play(servers.url("plain", "auth/cbr.mp3")).failure?.code == ROSTRUM_ERROR_PERMISSION)
            for address in [
                // The same origin, and then others: another port, https instead of http, another port over https.
                servers.url("plain", "to/plain/auth/cbr.mp3"), servers.url("plain", "to/elsewhere/bare/cbr.mp3"),
                servers.url("plain", "to/good/bare/cbr.mp3"), servers.url("good", "to/good/auth/cbr.mp3"),
                // The headers are not sent even if a redirect leads back.
                servers.url("plain", "to/elsewhere/to/plain/bare/cbr.mp3"),
            ] {
                let (samples, failure) = try play(address, headers: Self.secrets, trust: trust)
                #expect(try samples == local("cbr.mp3"), "\(address): \(failure?.message ?? "")")
            }
        }

        @Test(arguments: [
            ("good", "to/plain/file/cbr.mp3", ROSTRUM_ERROR_PERMISSION),
            ("plain", "to/good/to/plain/file/cbr.mp3", ROSTRUM_ERROR_PERMISSION),
            ("plain", "to/self/file/cbr.mp3", ROSTRUM_ERROR_PERMISSION),
            ("plain", "to-file/cbr.mp3", ROSTRUM_ERROR_NETWORK), ("plain", "circle", ROSTRUM_ERROR_NETWORK),
        ])
        func `no redirect from https to http, to an unverified server, to a file, or in a circle is followed`(
            _ server: String, _ path: String, _ code: rostrum_result
        ) throws {
            let failure = try play(HostileServers.shared().url(server, path), trust: authority()).failure
            #expect(failure?.code == code, "\(failure?.message ?? "played")")
        }

        @Test func `a redirect may be relative`() throws {
            let servers = try HostileServers.shared()
            #expect(try play(servers.url("plain", "relative/cbr.mp3")).samples == local("cbr.mp3"))
        }

        @Test(arguments: ["chunks/cbr.mp3", "chunks/vorbis.ogg"])
        func `a chunked answer sounds like the file through a pipe`(_ path: String) throws {
            let probe = try FFmpegEngineTests.probe([.pipe(Fixtures.path(String(path.split(separator: "/")[1])))])
            try probe.load()
            let samples = try play(HostileServers.shared().url("plain", path)).samples
            #expect(try samples == probe.renderAll().samples)
        }

        @Test func `over https an answer without a length must end with a proper close of the connection`() throws {
            let servers = try HostileServers.shared()
            let probe = try FFmpegEngineTests.probe([.pipe(Fixtures.path("cbr.mp3"))])
            try probe.load()
            let whole = try probe.renderAll().samples
            #expect(try play(servers.url("good", "close/cbr.mp3"), trust: authority()).samples == whole)
            let failure = try play(servers.url("good", "cut/cbr.mp3"), trust: authority()).failure
            #expect(failure?.code == ROSTRUM_ERROR_NETWORK, "\(failure?.message ?? "played")")
            // Over http nothing shows that the answer was cut off.
            let cut = try #require(try play(servers.url("plain", "cut/cbr.mp3")).samples)
            #expect(!cut.isEmpty && cut.count < whole.count)
        }

        @Test(arguments: [
            "line", "fields", "chunk/cbr.mp3", "lengths/cbr.mp3", "longer/cbr.mp3", "shifted/cbr.mp3",
            "total/cbr.mp3", "zip/cbr.mp3",
        ])
        func `a server that lies about its answer is a network failure`(_ path: String) throws {
            let failure = try play(HostileServers.shared().url("plain", path)).failure
            #expect(failure?.code == ROSTRUM_ERROR_NETWORK, "\(failure?.message ?? "played")")
        }

        @Test func `an answer that never arrives is given up`() async throws {
            let urls = try ["drip", "body/cbr.mp3"].map { try HostileServers.shared().url("plain", $0) }
            // At the same time, as all of it is waiting.
            _ = try await eachOfTwo(urls) { urls in
                for url in urls {
                    let failure = try play(url).failure
                    #expect(failure?.code == ROSTRUM_ERROR_TIMEOUT, "\(url): \(failure?.message ?? "played")")
                }
            }
        }

        @Test func `no more is read than the server announced`() throws {
            let samples = try #require(try play(HostileServers.shared().url("plain", "shorter/cbr.mp3")).samples)
            #expect(try !samples.isEmpty && samples.count < local("cbr.mp3").count * 3 / 4)
        }

        @Test func `an endless answer plays, and ends at unload`() throws {
            let url = try HostileServers.shared().url("plain", "endless/cbr.mp3")
            let probe = try FFmpegEngineTests.probe([.url(url)])
            try probe.load()
            let whole = try local("cbr.mp3").count
            var samples = 0
            while samples < 2 * whole { samples += try probe.render().samples.count }
            probe.unload()
        }
    }
}

/// The servers of Tests/Fixtures that lie, which run as long as the tests.
struct HostileServers {
    private let ports: [String: String]

    private static let running: HostileServers? = {
        guard let folder = try? Fixtures.path("") else { return nil }
        let server = "\(Fixtures.package)/Tests/Fixtures/hostile-server.py"
        // The server ends when its standard input ends, which is when this process ends.
        guard
            let run = popen(
                "exec 2>/dev/null; tail -f /dev/null --pid=\(getpid()) | python3 '\(server)' '\(folder)'", "r")
        else { return nil }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), run) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 > 0x0A }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let words = text.split(separator: " ").map(String.init)
        var ports: [String: String] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) { ports[words[index]] = words[index + 1] }
        return HostileServers(ports: ports)
    }()

    static func shared() throws -> HostileServers {
        try #require(running, "hostile-server.py did not start")
    }

    func url(_ server: String, _ path: String) -> String {
        let scheme = ["plain", "elsewhere"].contains(server) ? "http" : "https"
        return "\(scheme)://127.0.0.1:\(ports[server] ?? "0")/\(path)"
    }
}
