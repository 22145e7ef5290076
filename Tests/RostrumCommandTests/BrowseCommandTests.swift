// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import ScriptedServer
import SessionProtocol
import Synchronization
import Testing

/// `rostrum browse`, and `rostrum play` of what it lists, over the built session, its engine and a server.
@Suite(.timeLimit(.minutes(2)))
struct `Browsing a server` {
    /// A server with one book of two files, whose access tokens are good for so many requests of a file.
    private final class Books: Sendable {
        struct State: Sendable {
            var token = 1
            /// The requests of a file with the present token.
            var used = 0
            var mostUses = Int.max
            /// What is added to the numbers of files, and the request of a file from which on it is 50 more.
            var shift = 0
            var shiftsAt = Int.max
            var asked = 0
            var isGone = false
        }

        static let item = "5504f61f-767c-423d-8b5e-cedfe24aa8e0"
        let server: ScriptedServer
        private let share: @Sendable (@Sendable (inout State) -> Void) -> Void

        init(files: [[UInt8]]) throws {
            // Reason for the lock: each connection has a thread of its own.
            let state = SharedState()
            server = try ScriptedServer { request in
                state.value.withLock { Self.answer(request, &$0, files) }
            }
            share = { body in state.value.withLock { body(&$0) } }
        }

        private final class SharedState: Sendable { let value = Mutex(State()) }

        func change(_ body: @Sendable (inout State) -> Void) { share(body) }

        private static func answer(
            _ request: ScriptedServer.Request, _ state: inout State, _ files: [[UInt8]]
        ) -> ScriptedServer.Answer {
            if state.isGone { return .init("503 Service Unavailable") }
            func login(_ number: Int) -> String {
                #"{"user":{"id":"u1","username":"Ann","accessToken":"t-\#(number)","refreshToken":"r-\#(number)"}}"#
            }
            switch request.path {
            case "/status":
                return .json(
                    #"{"app":"audiobookshelf","serverVersion":"2.36.0","isInit":true,"authMethods":["local"]}"#)
            case "/login": return .json(login(state.token))
            case "/auth/refresh":
                state.token += 1
                state.used = 0
                return .json(login(state.token))
            default: break
            }
            guard request.headers["authorization"] == "Bearer t-\(state.token)" else {
                return .init("401 Unauthorized", body: Array("Unauthorized".utf8))
            }
            switch request.path {
            case "/api/me":
                return .json(
                    """
                    {"id":"u1","username":"Ann","type":"user","mediaProgress":[
                     {"id":"p","libraryItemId":"\(item)","currentTime":0.25,"duration":1,"lastUpdate":5}]}
                    """)
            case "/api/libraries":
                return .json(#"{"libraries":[{"id":"lib","name":"Books","mediaType":"book","displayOrder":1}]}"#)
            case "/api/libraries/lib/items":
                return .json(#"{"results":[\#(book(files, state.shift, isWhole: false))],"total":1}"#)
            case "/api/libraries/lib/series", "/api/libraries/lib/collections":
                return .json(#"{"results":[],"total":0}"#)
            case "/api/libraries/lib/authors": return .json(#"{"authors":[{"id":"a","name":"Ada","numBooks":1}]}"#)
            case "/api/items/\(item)": return .json(book(files, state.shift, isWhole: true))
            default: break
            }
            for (index, file) in files.enumerated()
            where request.path == "/api/items/\(item)/file/\(100 + index + state.shift)" {
                if request.method == "HEAD" { return .init("200 OK", ["Accept-Ranges: bytes"]) }
                state.used += 1
                state.asked += 1
                if state.asked == state.shiftsAt {
                    state.shift += 50
                    return .init("404 Not Found", body: Array("Not Found".utf8))
                }
                if state.used > state.mostUses {
                    // It has ended: only a renewal brings a good one.
                    state.token += 1
                    state.used = 0
                    return .init("401 Unauthorized", body: Array("Unauthorized".utf8))
                }
                return part(of: file, request.headers["range"], cut: state.mostUses < .max || state.shiftsAt < .max)
            }
            return .init("404 Not Found", body: Array("Not Found".utf8))
        }

        /// A part of a file from a byte on; one that is cut ends early, as a connection does.
        private static func part(of file: [UInt8], _ range: String?, cut: Bool) -> ScriptedServer.Answer {
            let start = range.flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
            guard start < file.count else {
                return .init("416 Range Not Satisfiable", ["Content-Range: bytes */\(file.count)"])
            }
            let headers = [
                "Accept-Ranges: bytes", "Content-Type: audio/wav", "Content-Length: \(file.count - start)",
                "Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)",
            ]
            let body = cut ? file[start...].prefix(30_000) : file[start...]
            return .init("206 Partial Content", headers, body: Array(body))
        }

        private static func book(_ files: [[UInt8]], _ shift: Int, isWhole: Bool) -> String {
            let tracks = files.enumerated().map { index, file in
                """
                {"ino":"\(100 + index + shift)","index":\(index + 1),"duration":0.5,
                 "metadata":{"filename":"\(index + 1).wav","relPath":"\(index + 1).wav","size":\(file.count)}}
                """
            }
            let whole =
                isWhole
                ? ",\"tracks\":[\(tracks.joined(separator: ","))],\"chapters\":[{\"start\":0,\"title\":\"One\"},{\"start\":0.5,\"title\":\"Two\"}]"
                : ""
            return """
                {"id":"\(item)","libraryId":"lib","mediaType":"book","addedAt":1,"updatedAt":1,"media":{"duration":1,
                 "metadata":{"title":"The Lighthouse Log","authorName":"Ada Reader","genres":["Fiction"]}\(whole)}}
                """
        }
    }

    private let session: RunningSession
    private let books: Books
    private let local: [String]

    init() async throws {
        session = try RunningSession()
        local = [
            try session.sound("one.wav", milliseconds: 500),
            try session.sound("two.wav", milliseconds: 700, mark: 9000),
        ]
        books = try Books(files: try local.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) })
        let added = try await session.program.run(
            "server", "add", books.server.address, "--user", "ann", "--name", "home", "--password-stdin",
            input: "word\n")
        try #require(added.code == 0, "\(added)")
    }

    /// Renders something as fast as possible, and returns the bytes.
    private func render(_ items: [String]) async throws -> Data {
        let path = session.temporary.path + "/out-\(items.count).wav"
        let outcome = try await session.program.run(["play"] + items + ["--output", "wav:\(path)"])
        try #require(outcome.code == 0, "\(outcome)")
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test func `lists items, filters them, and shows them without the server`() async throws {
        let program = session.program
        let line = "5504f61f  0:01  Ada Reader: The Lighthouse Log  25%\n"
        #expect(try await program.run("browse") == .init(output: line, errors: "", code: 0))
        #expect(try await program.run("browse", "--filter", "genre:fiction").output == line)
        #expect(try await program.run("browse", "home", "Books", "--search", "light").output == line)
        #expect(try await program.run("browse", "--filter", "genre:other").output == "nothing fits\n")
        #expect(try await program.run("browse", "--list", "authors").output == "a  1 book  Ada\n")
        #expect(try await program.run("browse", "--list", "in-progress").output == line)
        #expect(try await program.run("browse", "--list", "libraries").output.hasPrefix("Books  1 book "))
        let json = try await program.run("browse", "--json").output.split(separator: "\n")
        #expect(json.count == 2 && json[0].hasPrefix(#"{"type":"page","#) && json[1].contains(#""type":"item""#))
        books.change { $0.isGone = true }
        #expect(try await program.run("browse").output == line)
        let told = try await program.run("browse", "--refresh")
        #expect(told.output == line && told.errors.contains("home"), "\(told)")
        #expect(try await program.run("browse", "nowhere").code == 66)
        #expect(try await program.run("browse", "--filter", "colour:red").code == 64)
    }

    @Test func `an item sounds as its files do, by its identity and by the beginning of its ID`() async throws {
        _ = try await session.program.run("browse")
        let wanted = try await render(local)
        let account = try await account()
        for name in ["audiobookshelf://\(account)/\(Books.item)", "audiobookshelf://home/\(Books.item)", "5504f61f"] {
            #expect(try await render([name]) == wanted, "\(name)")
        }
        let inspected = try await session.program.run("inspect", "audiobookshelf://home/\(Books.item)", "--json")
        let inspection = try JSONDecoder().decode(Inspection.self, from: Data(inspected.output.utf8))
        #expect(inspection.uri == "audiobookshelf://\(account)/\(Books.item)")
        // From the lengths of the files, and not from those that the server states.
        #expect(inspection.chapters.map(\.startMs) == [0, 500] && inspection.durationMs == 1200)
        #expect(inspection.chapters.map(\.title) == ["One", "Two"])
    }

    @Test func `a login that ends again and again in mid-book is renewed, and nothing is lost`() async throws {
        let wanted = try await render(local)
        books.change { $0.mostUses = 2 }
        #expect(try await render(["audiobookshelf://home/\(Books.item)"]) == wanted)
        let renewals = books.server.requests.count { $0.path == "/auth/refresh" }
        #expect(renewals > 1)
        let log = try String(contentsOfFile: session.temporary.folders.transitionLog, encoding: .utf8)
        #expect(!log.contains("t-\(renewals)") && !log.contains("Bearer"))
    }

    @Test func `a file whose number has changed is found again`() async throws {
        let wanted = try await render(local)
        let item = "audiobookshelf://home/\(Books.item)"
        // In the middle of the first file, which comes in parts.
        books.change { ($0.asked, $0.shiftsAt) = (0, 3) }
        #expect(try await render([item]) == wanted)
        #expect(books.server.requests.contains { $0.path.hasSuffix("/file/150") && $0.method == "GET" })
    }

    @Test func `an item that is gone, or a server that is away, is one line`() async throws {
        let gone = try await session.program.run("play", "audiobookshelf://home/00000000-nothing")
        #expect(gone.code == 66 && gone.errors.split(separator: "\n").count == 1, "\(gone)")
        let unknown = try await session.program.run("play", "audiobookshelf://elsewhere/x")
        #expect(unknown.code == 66 && unknown.errors.contains("rostrum server list"), "\(unknown)")
        books.change { $0.isGone = true }
        let away = try await session.program.run("play", "audiobookshelf://home/\(Books.item)")
        #expect(away.code == 74 && away.errors.split(separator: "\n").count == 1, "\(away)")
    }

    private func account() async throws -> String {
        let list = try await session.program.run("server", "list", "--json")
        return try JSONDecoder().decode(ServerInfo.self, from: Data(list.output.utf8)).id
    }
}
