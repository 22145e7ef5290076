// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import ScriptedServer
import Testing

@testable import DocumentBridge

/// Servers over https whose certificates nobody else vouches for.
@Suite(.timeLimit(.minutes(2)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
struct FetchTrustTests {
    @Test func `a server that nobody vouches for is refused by its fingerprint, and known by it`() async throws {
        let server = try CertifiedServer(name: "DNS:elsewhere.example")
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
        let server = try CertifiedServer(name: name)
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
