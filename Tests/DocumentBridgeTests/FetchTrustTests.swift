// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import Testing

@testable import DocumentBridge

/// Servers over https whose certificates nobody else vouches for.
@Suite(.timeLimit(.minutes(2)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
struct FetchTrustTests {
    /// `openssl s_server` with a certificate of its own, which answers with a page.
    private final class Server {
        let folder: TemporaryFolder
        let port: Int
        let fingerprint: String
        var certificate: String { folder.path + "/certificate.pem" }
        private let process = Process()

        init(name: String) throws {
            folder = try TemporaryFolder()
            let key = folder.path + "/key.pem"
            let certificate = folder.path + "/certificate.pem"
            _ = try Self.openssl([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-keyout",
                key, "-out", certificate, "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
            ])
            fingerprint = try Self.openssl(["x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"])
                .components(separatedBy: "=")[1].lowercased().filter(\.isHexDigit)
            port = try FetchServer { _ in .page("") }.port
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = ["s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-www"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var said = ""
            while !said.contains("ACCEPT") {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty)
                said += String(decoding: piece, as: UTF8.self)
            }
        }

        deinit {
            // A thread of the tests may have blocked the milder signals.
            kill(process.processIdentifier, SIGKILL)
        }

        private static func openssl(_ arguments: [String]) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func `a server that nobody vouches for is refused by its fingerprint, and known by it`() async throws {
        let server = try Server(name: "DNS:elsewhere.example")
        let url = "https://127.0.0.1:\(server.port)/"
        let failure = try #require(await Fetching.failure(url))
        #expect(failure.reason == .unreadable)
        #expect(failure.message.contains(server.fingerprint) && failure.message.contains("settings.json"), "\(failure)")
        let pinned = WebTrust(fingerprints: [String(repeating: "a", count: 64), server.fingerprint])
        let document = try await Fetching.fetcher(trust: pinned).fetch(url, allowsPrivate: true)
        #expect(document.contentType == "text/html" && !Fetching.bytes(document).isEmpty)
        let other = WebTrust(fingerprints: [String(repeating: "a", count: 64)])
        #expect(await Fetching.failure(url, Fetching.fetcher(trust: other))?.message == failure.message)
    }

    @Test(arguments: [("IP:127.0.0.1,DNS:localhost", true), ("DNS:elsewhere.example", false)])
    func `a certificate of the listener's file, for its name`(name: String, isFetched: Bool) async throws {
        let server = try Server(name: name)
        let fetcher = Fetching.fetcher(trust: WebTrust(certificates: server.certificate))
        for host in ["127.0.0.1", "localhost"] {
            let failure = await Fetching.failure("https://\(host):\(server.port)/", fetcher)
            #expect((failure == nil) == isFetched, "\(String(describing: failure))")
            #expect(failure.map { $0.message.contains("another name") } ?? true, "\(String(describing: failure))")
        }
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----\n", nil])
    func `a file without a certificate is told`(text: String?) async throws {
        let folder = try TemporaryFolder()
        let path = try text.map { try folder.write("a.pem", Data($0.utf8)) } ?? folder.path + "/missing"
        let fetcher = Fetching.fetcher(trust: WebTrust(certificates: path))
        let failure = try #require(await Fetching.failure("https://127.0.0.1:1/", fetcher))
        #expect(failure.reason == .unreadable && failure.message.contains("trustedCertificates"), "\(failure)")
    }
}
