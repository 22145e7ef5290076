// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MediaPlayback
import ScriptedServer
import Testing

@testable import DocumentBridge

/// What the tests of the fetcher share.
enum Fetching {
    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let whole = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return whole.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/rostrum-document-fetcher"
    }()

    static func fetcher(
        deadline: Duration = .seconds(60), mostBytes: Int64 = 64 << 20, trust: WebTrust = WebTrust(),
        proxies: [String] = []
    ) -> DocumentFetcher {
        var fetcher = DocumentFetcher(
            program: program, trust: { trust }, deadline: deadline, mostBytes: mostBytes)
        // A proxy of this machine would not find the test's servers.
        fetcher.proxies = proxies
        return fetcher
    }

    static func failure(
        _ url: String, headers: [String] = [], allowsPrivate: Bool = true, _ fetcher: DocumentFetcher = fetcher()
    ) async -> ItemError? {
        do throws(ItemError) {
            _ = try await fetcher.fetch(url, headers: headers, allowsPrivate: allowsPrivate)
            return nil
        } catch {
            return error
        }
    }

    static func bytes(_ document: FetchedDocument) -> [UInt8] {
        var status = stat()
        fstat(document.file.rawValue, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(document.file.rawValue, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

/// Documents from a server in this process, through the real program that fetches them.
@Suite(.timeLimit(.minutes(2)))
struct DocumentFetcherTests {
    @Test(
        arguments: [
            ("text/html", "text/html", nil), ("Text/HTML; Charset=\"ISO-8859-15\"", "text/html", "ISO-8859-15"),
            ("text/plain;charset=koi8-r ; x=y", "text/plain", "koi8-r"),
            ("application/epub+zip", "application/epub+zip", nil),
            ("text/plain; x=\"a;charset=no\"; charset=utf-8", "text/plain", "utf-8"),
            ("application/octet-stream", "application/octet-stream", nil), ("", nil, nil), ("rubbish", nil, nil),
        ] as [(String, String?, String?)])
    func `the type and the encoding that the server states`(header: String, type: String?, charset: String?)
        async throws
    {
        let server = try ScriptedServer { _ in .page("Grüße", type: header) }
        let document = try await Fetching.fetcher().fetch(server.address + "/a?b=c", allowsPrivate: true)
        #expect(document.contentType == type)
        #expect(document.charset == charset)
        #expect(document.address == server.address + "/a?b=c")
        #expect(String(decoding: Fetching.bytes(document), as: UTF8.self) == "Grüße")
        let request = try #require(server.requests.first)
        #expect(request.target == "/a?b=c")
        #expect(request.headers["user-agent"]?.hasPrefix("Rostrum/") == true)
        #expect(request.headers["accept"]?.contains("application/epub+zip") == true)
        #expect(request.headers["cookie"] == nil && request.headers["authorization"] == nil)
    }

    @Test(arguments: [
        ("audio/mpeg", "rostrum play"), ("VIDEO/mp4", "rostrum play"), ("application/ogg", "rostrum play"),
        ("image/png", "picture"), ("application/json", "no document"), ("application/javascript", "no document"),
    ])
    func `a type that is no document is refused before its body`(type: String, says: String) async throws {
        let server = try ScriptedServer { _ in
            .init("200 OK", ["Content-Type: \(type)"], body: [1], end: .waits)
        }
        let failure = try #require(await Fetching.failure(server.address + "/a"))
        #expect(failure.reason == .unsupported)
        #expect(failure.message.hasPrefix(server.address + "/a: ") && failure.message.contains(says), "\(failure)")
    }

    @Test(arguments: [
        ("404 Not Found", ItemError.Reason.missing, "404"), ("410 Gone", .missing, "410"),
        ("403 Forbidden", .unreadable, "refuses"), ("401 Unauthorized", .unreadable, "refuses"),
        ("503 Service Unavailable", .unreadable, "later"), ("500 X", .unreadable, "later"),
        ("304 Not Modified", .unreadable, "304"), ("302 No Location", .unreadable, "302"),
        ("418 I'm a teapot", .unreadable, "418"),
    ])
    func `a status that is no success`(status: String, reason: ItemError.Reason, says: String) async throws {
        let server = try ScriptedServer { _ in .init(status, ["Content-Type: text/html"], body: Array("<p>no".utf8)) }
        let failure = try #require(await Fetching.failure(server.address))
        #expect(failure.reason == reason)
        #expect(failure.message.contains(says), "\(failure)")
    }

    @Test(
        arguments: ["301 X", "302 X", "303 X", "307 X", "308 X"], ["b/c", "/a/b/c", "HOST/a/b/c", "//AUTHORITY/a/b/c"])
    func `a redirect is followed`(status: String, location: String) async throws {
        let server = try ScriptedServer { request in
            guard request.target == "/a/x", let host = request.headers["host"] else { return .page(request.target) }
            return .redirect(
                location.replacingOccurrences(of: "HOST", with: "http://u:hunter2@" + host)
                    .replacingOccurrences(of: "AUTHORITY", with: host), status)
        }
        let document = try await Fetching.fetcher().fetch(server.address + "/a/x", allowsPrivate: true)
        #expect(String(decoding: Fetching.bytes(document), as: UTF8.self) == "/a/b/c")
        #expect(document.address == server.address + "/a/b/c")
    }

    @Test(arguments: [(10, true), (11, false), (1_000_000, false)])
    func `so many redirects`(count: Int, isFetched: Bool) async throws {
        let server = try ScriptedServer { request in
            let number = Int(request.target.dropFirst()) ?? 0
            return number < count ? .redirect("/\(number + 1)") : .page("end")
        }
        let failure = await Fetching.failure(server.address + "/0")
        #expect((failure == nil) == isFetched)
        #expect(failure.map { $0.message.contains("too often") } ?? true)
        #expect(server.requests.count == 11)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/a", "data:text/html,a", "dict://127.0.0.1/a",
        "http://", "javascript:alert(1)", "smb://127.0.0.1/a", "http://127.0.0.1:99999/",
    ])
    func `nothing but http and https, asked for or by redirect`(address: String) async throws {
        let server = try ScriptedServer { _ in .redirect(address) }
        for (url, says) in [(address, "no address"), (server.address, "no address of http")] {
            let failure = try #require(await Fetching.failure(url))
            #expect(failure.reason == .unreadable && failure.message.contains(says), "\(failure)")
        }
    }

    @Test(arguments: [
        ScriptedServer.Answer(
            "200 OK", ["Content-Type: text/plain"], end: .sends(.init(repeating: 65, count: 4096), every: 0)),
        .init("200 OK", ["Content-Type: text/plain", "Content-Length: 99999999999"], body: [65], end: .waits),
    ])
    func `a body without end`(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer { _ in answer }
        let failure = try #require(await Fetching.failure(server.address, Fetching.fetcher(mostBytes: 1 << 20)))
        #expect(failure.reason == .unsupported && failure.message.contains("more than 1 MiB"), "\(failure)")
    }

    @Test(arguments: [
        ScriptedServer.Answer("200 OK", ["Content-Type: text/plain"], end: .sends([65], every: 20)),
        .init("200 OK", ["Content-Type: text/plain"], end: .waits),
        .init("200 OK", [], body: [], end: .sends(Array("a".utf8), every: 20)),
    ])
    func `a server that is too slow`(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer { _ in answer }
        let start = ContinuousClock.now
        let failure = try #require(
            await Fetching.failure(server.address, Fetching.fetcher(deadline: .milliseconds(600))))
        #expect(failure.reason == .timedOut, "\(failure)")
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test func `redirects share the deadline`() async throws {
        let server = try ScriptedServer { request in
            usleep(200_000)
            return .redirect(request.target + "a")
        }
        let failure = await Fetching.failure(server.address, Fetching.fetcher(deadline: .milliseconds(700)))
        #expect(failure?.reason == .timedOut, "\(String(describing: failure))")
    }

    @Test(arguments: [(Int64(1 << 20), false), (64 << 20, true)])
    func `the size after decompression counts`(mostBytes: Int64, isFetched: Bool) async throws {
        let packed = try Self.packed("head -c 33554432 /dev/zero")
        #expect(packed.count < 100_000)
        let server = try ScriptedServer { _ in
            .init("200 OK", ["Content-Type: text/plain", "Content-Encoding: gzip"], body: packed)
        }
        let fetcher = Fetching.fetcher(mostBytes: mostBytes)
        if isFetched {
            let document = try await fetcher.fetch(server.address, allowsPrivate: true)
            #expect(Fetching.bytes(document).count == 33_554_432)
        } else {
            let failure = await Fetching.failure(server.address, fetcher)
            #expect(failure?.message.contains("more than 1 MiB") == true, "\(String(describing: failure))")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\nno gzip, but long enough",
        "HTTP/1.1 200 OK\r\nMANY\r\n", "SSH-2.0-OpenSSH\r\n", "", "\u{0}",
    ])
    func `an answer that is damaged`(answer: String) async throws {
        let many = String(repeating: "X: " + String(repeating: "y", count: 997) + "\r\n", count: 400)
        let server = try ScriptedServer { _ in .init(raw: answer.replacingOccurrences(of: "MANY\r\n", with: many)) }
        let failure = try #require(await Fetching.failure(server.address))
        #expect(failure.reason == .unreadable, "\(failure)")
        #expect(failure.message.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test func `an address in any script`() async throws {
        let server = try ScriptedServer { _ in .page("here") }
        let document = try await Fetching.fetcher().fetch(
            "http://grüße.localhost:\(server.port)/a b/ü", allowsPrivate: true)
        #expect(server.requests.first?.headers["host"] == "xn--gre-6ka8l.localhost:\(server.port)")
        #expect(server.requests.first?.target.uppercased() == "/A%20B/%C3%BC".uppercased())
        #expect(document.address.hasSuffix("/a%20b/%C3%BC") || document.address.hasSuffix("/a%20b/%c3%bc"))
    }

    @Test(arguments: ["/var/tmp", "/nowhere"])
    func `a file without a name, or memory where no disk has room`(folder: String) async throws {
        let server = try ScriptedServer { _ in .page("here") }
        var fetcher = DocumentFetcher(program: Fetching.program, folder: folder, trust: { WebTrust() })
        fetcher.proxies = []
        let document = try await fetcher.fetch(server.address, allowsPrivate: true)
        #expect(Fetching.bytes(document) == Array("here".utf8))
        var status = stat()
        #expect(fstat(document.file.rawValue, &status) == 0 && status.st_nlink == 0)
    }

    @Test func `a document without a byte is one`() async throws {
        let server = try ScriptedServer { _ in .init("200 OK", ["Content-Type: text/plain", "Content-Length: 0"]) }
        let document = try await Fetching.fetcher().fetch(server.address, allowsPrivate: true)
        #expect(Fetching.bytes(document).isEmpty && document.contentType == "text/plain")
    }

    @Test func `no server is there`() async throws {
        let port = try ScriptedServer { _ in .page("") }.port
        let failure = try #require(await Fetching.failure("http://127.0.0.1:\(port)/"))
        #expect(failure.reason == .unreadable, "\(failure)")
    }

    @Test(arguments: [("/bin/true", "ended before"), ("/nowhere/rostrum-document-fetcher", "cannot be started")])
    func `a program that is no fetcher`(program: String, says: String) async throws {
        let fetcher = DocumentFetcher(program: program, trust: { WebTrust() })
        let failure = try #require(await Fetching.failure("http://127.0.0.1/", fetcher))
        #expect(failure.message.contains(says), "\(failure)")
    }

    @Test func `a task that is cancelled gives up`() async throws {
        let server = try ScriptedServer { _ in .init("200 OK", [], end: .waits) }
        let address = server.address
        let task = Task { await Fetching.failure(address) }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value?.message.contains("given up") == true)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 17_000), [String]()),
        ("", Array(repeating: "X: " + String(repeating: "y", count: 100), count: 200)),
    ])
    func `an address or headers of too many bytes`(path: String, headers: [String]) async throws {
        let failure = try #require(await Fetching.failure("http://127.0.0.1/" + path, headers: headers))
        #expect(failure.message.contains("more than 16384 bytes"))
    }

    private static func packed(_ command: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command + " | gzip -9"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return Array(bytes)
    }
}
