// SPDX-License-Identifier: Apache-2.0

import DocumentOrders
import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import ScriptedServer
import Testing

@testable import DocumentBridge

/// Who may be asked, what the asked learn, and whom the fetcher believes.
@Suite(.timeLimit(.minutes(2)))
struct FetchSecretsTests {
    @Test(arguments: [
        "127.0.0.1", "localhost", "LOCALHOST.", "a.localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0",
        "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
        "169.254.169.254", "198.18.0.1", "192.0.0.1", "224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255", "[::]",
        "[::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]",
        "[2002:7f00:1::]", "[2001::1]", "[2001:db8::1]", "[fc00::1]", "[fdff::1]", "[fe80::1]", "[fec0::1]",
        "[ff02::1]",
    ])
    func `an address of this machine or its networks is asked only if allowed`(host: String) async throws {
        let server = try ScriptedServer { _ in .page("secret") }
        let failure = try #require(
            await Fetching.failure("http://\(host):\(server.port)/", allowsPrivate: false))
        #expect(failure.reason == .unsupported && failure.message.contains("only if you allow it"), "\(failure)")
        #expect(server.requests.isEmpty)
    }

    /// The names of this machine that its resolver knows, which no list of names can know.
    static let ownNames: [String] = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let own = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return [own, "ip6-loopback"].filter { name in
            var found: UnsafeMutablePointer<addrinfo>?
            defer { found.map { freeaddrinfo($0) } }
            return name != "localhost" && getaddrinfo(name, "80", nil, &found) == 0
        }
    }()

    @Test(.enabled(if: !ownNames.isEmpty, "this machine knows no name of its own"))
    func `a name that leads to this machine is found out before the connection`() async throws {
        let server = try ScriptedServer { _ in .page("secret") }
        for name in Self.ownNames {
            let failure = try #require(await Fetching.failure("http://\(name):\(server.port)/", allowsPrivate: false))
            #expect(failure.message.contains("only if you allow it"), "\(failure)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        "http://127.0.0.1:PORT/x", "http://[::1]:PORT/x", "http://169.254.169.254/x", "http://NAME:PORT/x",
    ])
    func `a redirect to this machine is refused, although the proxy is there`(location: String) async throws {
        let secret = try ScriptedServer { _ in .page("secret") }
        let name = Self.ownNames.first ?? "localhost"
        let target = location.replacingOccurrences(of: "PORT", with: "\(secret.port)")
            .replacingOccurrences(of: "NAME", with: name)
        let proxy = try ScriptedServer { _ in .redirect(target) }
        // The resolver finds the name, and not the proxy.
        let fetcher = Fetching.fetcher(proxies: ["http_proxy=" + proxy.address, "no_proxy=\(name)"])
        let failure = try #require(await Fetching.failure("http://www.example.com/a", allowsPrivate: false, fetcher))
        #expect(failure.reason == .unsupported && failure.message.contains("only if you allow it"), "\(failure)")
        #expect(proxy.requests.map(\.target) == ["http://www.example.com/a"])
        #expect(secret.requests.isEmpty)
    }

    @Test func `the proxy of the environment is asked, and does not get the server's headers`() async throws {
        let proxy = try ScriptedServer { _ in .page("by proxy") }
        let fetcher = Fetching.fetcher(proxies: ["http_proxy=http://me:hunter2@127.0.0.1:\(proxy.port)"])
        let document = try await fetcher.fetch("http://www.example.com/a")
        #expect(String(decoding: Fetching.bytes(document), as: UTF8.self) == "by proxy")
        #expect(proxy.requests.first?.headers["proxy-authorization"] == "Basic bWU6aHVudGVyMg==")
    }

    @Test func `headers and a password go to their own server alone`() async throws {
        let other = try ScriptedServer { request in
            request.target == "/end" ? .page("end") : .redirect(request.headers["referer"] ?? "/end")
        }
        let otherAddress = other.address
        let first = try ScriptedServer { request in
            request.target == "/here" ? .redirect(otherAddress + "/there") : .redirect("/here")
        }
        let url = "http://me:hunter2@127.0.0.1:\(first.port)/start"
        let document = try await Fetching.fetcher().fetch(
            url, headers: ["X-Key: TOKEN", "Cookie: a=TOKEN", "no colon", "Accept: text/plain"], allowsPrivate: true)
        #expect(document.address == other.address + "/end")
        #expect(first.requests.map(\.target) == ["/start", "/here"])
        for request in first.requests {
            #expect(request.headers["x-key"] == "TOKEN" && request.headers["cookie"] == "a=TOKEN")
            #expect(request.headers["authorization"] == "Basic bWU6aHVudGVyMg==")
            #expect(request.headers["accept"] == "text/plain")
        }
        #expect(other.requests.map(\.target) == ["/there", "/end"])
        for request in other.requests {
            #expect(!request.headers.values.contains { $0.contains("TOKEN") || $0.contains("Basic") })
        }
    }

    @Test(arguments: [
        ScriptedServer.Answer("404 No"), .init("403 No"), .page("x", type: "audio/mpeg"), .redirect("file:///a"),
        .redirect("http://127.0.0.1:1/?TOKEN"), .redirect("http://u:hunter2@127.0.0.1:1/?TOKEN"), .init(raw: "rubbish"),
        .init("200 OK", ["Content-Type: text/plain", "Content-Length: 99999999999"], body: [65]),
    ])
    func `no message has a secret`(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer { _ in answer }
        let url = "http://me:hunter2@127.0.0.1:\(server.port)/a?key=TOKEN#TOKEN"
        let failures = [
            await Fetching.failure(url, headers: ["X-Key: TOKEN"]), await Fetching.failure(url, allowsPrivate: false),
        ]
        for failure in failures {
            let message = try #require(failure).message
            #expect(
                !message.contains("hunter2") && !message.contains("TOKEN") && !message.contains("me:"), "\(message)")
            #expect(message.hasPrefix(server.address + "/a: "), "\(message)")
        }
    }

    @Test(arguments: [
        "http://me:hunter2@@127.0.0.1:x/", "http://me:hunter2/@127.0.0.1/", "http://me:hunter2?@127.0.0.1/",
        "http://me:hunter2#@127.0.0.1/", "ftp://me:hunter2@127.0.0.1/", "http://me:hunter2@[::1/",
    ])
    func `nor has one about an address that is none`(url: String) async throws {
        let message = try #require(await Fetching.failure(url)).message
        #expect(!message.contains("hunter2"), "\(message)")
    }

    @Test func `an order and a reply are what was sent`() {
        let order = FetchOrder(
            url: "https://a.b/c d", headers: ["A: b", "C:d"], allowsPrivate: true, fingerprints: ["ab", "cd"],
            mostBytes: 7, milliseconds: 8)
        #expect(FetchOrder(decoding: order.encoded) == order)
        let fetched = FetchReply.fetched(contentType: "text/html", charset: nil, address: "http://a/", bytes: 5)
        #expect(FetchReply(decoding: fetched.encoded) == fetched)
        for kind in FetchReply.Kind.allCases {
            let failed = FetchReply.failed(kind: kind, message: "no\nway")
            #expect(FetchReply(decoding: failed.encoded) == .failed(kind: kind, message: "no way"))
        }
    }

    @Test func `a reply has no control characters, even of a process that was taken over`() {
        let failed = Array("failed corrupt\nmessage a\u{1B}[2J\rb\u{7F}".utf8)
        #expect(DocumentReply(decoding: failed) == .failed(kind: "corrupt", message: "a [2J b "))
        #expect(DocumentReply(decoding: Array("read\nwarning a\tb".utf8)) == .read(warnings: ["a b"]))
        #expect(
            FetchReply(decoding: Array("failed status\nmessage \u{1B}c".utf8)) == .failed(kind: .status, message: " c"))
    }

    @Test(arguments: [
        "", "\n\n", "fetched", "fetched\naddress file:///a\nbytes 1", "fetched\naddress http://a/\nbytes -1",
        "fetched\naddress http://a/\nbytes 99999999999999999999", "fetched\naddress http://a/\nbytes 1\ntype a b",
        "failed\nmessage x", "failed rubbish\nmessage x", "failed status", "failed status\nmessage ", "read",
    ])
    func `a message that is no reply is refused`(text: String) {
        #expect(FetchReply(decoding: Array(text.utf8)) == nil)
    }
}
