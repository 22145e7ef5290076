// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPExchange
import MediaPlayback
import ScriptedServer
import Testing

@testable import NetworkBridge

/// Requests to a server in this process, through the real program.
@Suite(.timeLimit(.minutes(1)))
struct NetworkBridgeTests {
    @Test(arguments: [HTTPRequest.Method.get, .head, .post, .patch, .delete])
    func `a request and its answer, with all fields`(method: HTTPRequest.Method) async throws {
        let server = try ScriptedServer { request in
            .json("{}", "201 Created", ["X-One: 1", "x-one: 2", "Date: Sat, 21 Nov 2026 08:33:29 GMT"])
        }
        let body: [UInt8]? = method == .post || method == .patch ? Array("{\"a\":1}".utf8) : nil
        let fields = [HTTPField("X-Given", "a b"), HTTPField("X-Empty", ""), HTTPField("Content-Type", "text/x")]
        let answer = try await Asking.bridge().send(
            HTTPRequest(method, server.address + "/a?b=c", fields: fields, body: body, allowsPrivate: true))
        #expect(answer.status == 201 && answer.url == server.address + "/a?b=c")
        #expect(answer.fields.filter { $0.name.lowercased() == "x-one" }.map(\.value) == ["1", "2"])
        #expect(answer.value("date") == "Sat, 21 Nov 2026 08:33:29 GMT")
        #expect(String(decoding: answer.body, as: UTF8.self) == (method == .head ? "" : "{}"))
        let request = try #require(server.requests.first)
        #expect(request.method == method.rawValue && request.target == "/a?b=c" && request.body == body ?? [])
        #expect(request.headers["x-given"] == "a b" && request.headers["x-empty"] == "")
        #expect(request.headers["content-type"] == "text/x")
        #expect(request.headers["user-agent"]?.hasPrefix("Rostrum/") == true)
        #expect(request.headers["cookie"] == nil && request.headers["authorization"] == nil)
    }

    @Test(arguments: [0, 1, 8192, 8193, 300_000]) func `a body of any size goes out and comes back`(count: Int)
        async throws
    {
        let server = try ScriptedServer { .init("200 OK", body: $0.body) }
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let answer = try await Asking.bridge().send(
            HTTPRequest(.post, server.address, body: body, allowsPrivate: true))
        #expect(answer.body == body)
        #expect(server.requests.first?.headers["content-type"] == nil)
    }

    @Test(arguments: [
        "200 OK", "204 No", "304 Not Modified", "401 Unauthorized", "404 Not", "429 Many", "500 No", "302 No Location",
    ])
    func `any status is an answer`(status: String) async throws {
        let server = try ScriptedServer { _ in .init(status, ["Retry-After: 7"]) }
        let answer = try await Asking.bridge().send(Asking.get(server.address))
        #expect("\(answer.status)" == status.prefix(3) && answer.value("retry-after") == "7")
    }

    @Test func `redirects within a server keep the fields, and to another one drop them`() async throws {
        let other = try ScriptedServer { _ in .page("other") }
        let server = try ScriptedServer { [address = other.address] request in
            switch request.target {
            case "/a/b": .redirect("c")
            case "/a/c": .redirect(address + "/d", "307 X")
            default: .page("here")
            }
        }
        let secret = [HTTPField("Authorization", "Bearer s3cret"), HTTPField("X-Own", "s3cret")]
        let answer = try await Asking.bridge().send(Asking.get(server.address + "/a/b", fields: secret))
        #expect(answer.url == other.address + "/d" && answer.body == Array("other".utf8))
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer s3cret", "Bearer s3cret"])
        let foreign = try #require(other.requests.first)
        #expect(foreign.headers["authorization"] == nil && foreign.headers["x-own"] == nil)
    }

    /// The statuses of the redirects in a row, and how many of them move the address for good.
    @Test(arguments: [
        ([], 0), ([301], 1), ([308], 1), ([302], 0), ([301, 308], 2), ([301, 302], 1), ([302, 301], 0),
        ([301, 302, 301], 1),
    ] as [([Int], Int)])
    func `only redirects for good at the beginning move an address`(statuses: [Int], moves: Int) async throws {
        let server = try ScriptedServer { request in
            let hop = Int(request.target.dropFirst()) ?? 0
            return statuses.indices.contains(hop) ? .redirect("/\(hop + 1)", "\(statuses[hop]) X") : .page("here")
        }
        let answer = try await Asking.bridge().send(Asking.get(server.address + "/0"))
        #expect(answer.url == server.address + "/\(statuses.count)")
        #expect(answer.permanentURL == (moves == 0 ? nil : server.address + "/\(moves)"))
    }

    @Test(arguments: [
        ("301 X", "GET", 0), ("302 X", "GET", 0), ("303 X", "GET", 0), ("307 X", "POST", 3), ("308 X", "POST", 3),
    ])
    func `a POST that is redirected`(status: String, method: String, bytes: Int) async throws {
        let server = try ScriptedServer { $0.target == "/a" ? .redirect("/b", status) : .page("") }
        let request = HTTPRequest(.post, server.address + "/a", body: [1, 2, 3], allowsPrivate: true)
        _ = try await Asking.bridge().send(request)
        #expect(server.requests.last?.method == method && server.requests.last?.body.count == bytes)
    }

    @Test(arguments: ["307 X", "308 X"]) func `a body is sent to no other server`(status: String) async throws {
        let other = try ScriptedServer { _ in .page("other") }
        let server = try ScriptedServer { [address = other.address] _ in .redirect(address, status) }
        let request = HTTPRequest(.post, server.address, body: Array("password".utf8), allowsPrivate: true)
        #expect(await Asking.failure(Asking.bridge(), request)?.reason == .redirect)
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: [
        ("file:///etc/passwd", HTTPFailure.Reason.redirect), ("ftp://127.0.0.1/", .redirect), ("/again", .redirect),
    ])
    func `a redirect that is not followed`(location: String, reason: HTTPFailure.Reason) async throws {
        let server = try ScriptedServer { _ in .redirect(location) }
        let failure = try #require(await Asking.failure(Asking.bridge(), Asking.get(server.address)))
        #expect(failure.reason == reason, "\(failure)")
        #expect(server.requests.count <= 11)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://", "http://a\r\nb/", "javascript:1", ""])
    func `an address that is not asked`(url: String) async {
        #expect(await Asking.failure(Asking.bridge(), Asking.get(url))?.reason == .address)
    }

    @Test(arguments: [HTTPField("A b", "c"), HTTPField("", "c"), HTTPField("A", "b\r\nC: d"), HTTPField("A:", "b")])
    func `a field that would be more than one is not sent`(field: HTTPField) async throws {
        let server = try ScriptedServer { _ in .page("") }
        let request = Asking.get(server.address, fields: [field])
        #expect(await Asking.failure(Asking.bridge(), request) != nil)
        #expect(server.requests.isEmpty)
    }

    @Test func `the user's own networks are asked only with leave`() async throws {
        let server = try ScriptedServer { _ in
            .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", end: .waits)
        }
        let bridge = Asking.bridge()
        _ = try await bridge.send(Asking.get(server.address))
        for host in ["127.0.0.1", "localhost"] {
            let failure = await Asking.failure(bridge, HTTPRequest(.get, "http://\(host):\(server.port)/"))
            #expect(failure?.reason == .privateAddress, "\(String(describing: failure))")
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ScriptedServer.Answer("200 OK", end: .sends(.init(repeating: 65, count: 4096), every: 0)),
        .init("200 OK", ["Content-Length: 99999999999"], body: [65], end: .waits),
    ])
    func `a body without end`(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer { _ in answer }
        var request = Asking.get(server.address)
        request.mostBytes = 1 << 20
        #expect(await Asking.failure(Asking.bridge(), request)?.reason == .tooLarge)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "rubbish\r\n\r\n", "",
        "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n",
    ])
    func `an answer that is damaged`(answer: String) async throws {
        let server = try ScriptedServer { _ in .init(raw: answer) }
        #expect(await Asking.failure(Asking.bridge(), Asking.get(server.address))?.reason == .network)
    }

    @Test func `the time limit holds, and the stall limit for a file`() async throws {
        let server = try ScriptedServer { _ in .init("200 OK", ["Content-Length: 9"], body: [65], end: .waits) }
        let bridge = Asking.bridge(timing: .init(slowestSeconds: 1))
        var request = Asking.get(server.address)
        request.timeLimit = .milliseconds(200)
        let failure = try #require(await Asking.failure(bridge, request))
        #expect(failure.reason == .timedOut && failure.message.contains("127.0.0.1:\(server.port)"), "\(failure)")
        await #expect(throws: HTTPFailure.self) {
            _ = try await bridge.fetch(request, into: OutputFile().descriptor) { _ in }
        }
    }

    @Test func `a proxy of the environment is asked`() async throws {
        let proxy = try ScriptedServer { _ in .page("by proxy") }
        let bridge = Asking.bridge(proxies: ["http_proxy=\(proxy.address)"])
        let answer = try await bridge.send(HTTPRequest(.get, "http://books.example/a"))
        #expect(answer.body == Array("by proxy".utf8) && proxy.requests.first?.target == "http://books.example/a")
    }

    @Test func `a failure names the host and no more`() async throws {
        let port = try ScriptedServer.freePort()
        let url = "http://u:hunter2@127.0.0.1:\(port)/p?token=hunter2"
        let failure = try #require(await Asking.failure(Asking.bridge(), Asking.get(url)))
        #expect(failure.reason == .network && !failure.message.contains("hunter2"), "\(failure)")
        #expect(failure.message.contains("127.0.0.1:\(port)"), "\(failure)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
    func `a certificate is refused, and from the next request on known by its fingerprint`() async throws {
        let server = try CertifiedServer(name: "DNS:elsewhere.example")
        let trust = TrustBox()
        let bridge = Asking.bridge { trust.value }
        let request = Asking.get("https://127.0.0.1:\(server.port)/")
        let failure = try #require(await Asking.failure(bridge, request))
        #expect(failure.reason == .certificate && failure.message.contains(server.fingerprint), "\(failure)")
        trust.value = WebTrust(fingerprints: [server.fingerprint])
        #expect(try await bridge.send(request).status == 200)
        trust.value = WebTrust()
        #expect(await Asking.failure(bridge, request)?.reason == .certificate)
        trust.value = WebTrust(certificates: "/missing.pem")
        let unreadable = try #require(await Asking.failure(bridge, request))
        #expect(unreadable.reason == .certificate && unreadable.message.contains("trustedCertificates"))
    }
}
