// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import ScriptedServer
import SessionProtocol
import Synchronization
import Testing

/// `rostrum server` over the built session and the process that asks servers.
@Suite(.timeLimit(.minutes(1)))
struct `Accounts on servers` {
    /// A server of one user, whose tokens are those of the newest login.
    private final class Books: Sendable {
        let server: ScriptedServer

        init(version: String = "2.36.0") throws {
            let logins = Mutex(0)
            server = try ScriptedServer { request in
                switch request.path {
                case "/abs/status":
                    return .json(
                        #"{"app":"audiobookshelf","serverVersion":"\#(version)","isInit":true,"authMethods":["local"]}"#
                    )
                case "/abs/login":
                    let login = try? JSONDecoder().decode([String: String].self, from: Data(request.body))
                    guard login?["password"] == "s3cret word", login?["username"]?.lowercased() == "ann" else {
                        return .init("401 Unauthorized", body: Array("Unauthorized".utf8))
                    }
                    let number = logins.withLock { logins in
                        logins += 1
                        return logins
                    }
                    return .json(
                        #"{"user":{"id":"u1","username":"Ann","type":"user","token":"t0ken-old","accessToken":"t0ken-\#(number)","refreshToken":"t0ken-r\#(number)"}}"#
                    )
                case "/abs/api/me":
                    let number = logins.withLock { $0 }
                    return request.headers["authorization"] == "Bearer t0ken-\(number)"
                        ? .json(#"{"id":"u1","username":"Ann","type":"user","permissions":{"download":false}}"#)
                        : .init("401 Unauthorized", body: Array("Unauthorized".utf8))
                case "/abs/logout": return .json(#"{"redirect_url":null}"#)
                default: return .init("404 Not Found")
                }
            }
        }

        var address: String { server.address + "/abs" }
    }

    private static let password = "s3cret word\nnot this\n"

    @Test func `are added, asked, logged out and in, and removed; no secret is anywhere but in its file`() async throws
    {
        let session = try RunningSession()
        let program = session.program
        let books = try Books()
        let added = try await program.run(
            "server", "add", books.address + "/", "--user", "ann", "--name", "books", "--password-stdin",
            input: Self.password)
        #expect(
            added == .init(output: "added: books  Ann  Audiobookshelf 2.36.0  \(books.address)\n", errors: "", code: 0))
        let status = try await program.run("server", "status", "books", "--json")
        let info = try JSONDecoder().decode(ServerInfo.self, from: Data(status.output.utf8))
        #expect(info.state == .ready && info.mayDownload == false && info.url == books.address && status.code == 0)
        let out = try await program.run("server", "logout", "books")
        #expect(out.code == 0 && out.output.contains("log in again"))
        #expect(books.server.requests.last?.headers["x-refresh-token"] == "t0ken-r1")
        #expect(try await program.run("server", "status").code == 1)
        let wrong = try await program.run("server", "login", "books", "--password-stdin", input: "wrong\n")
        #expect(wrong.code == 77 && wrong.errors.contains("wrong"))
        let login = try await program.run("server", "login", "books", "--password-stdin", input: "s3cret word")
        #expect(login.code == 0 && login.errors.isEmpty)
        #expect(try await program.run("server", "status").code == 0)
        let data = session.temporary.folders.data
        let logins = try String(contentsOfFile: data + "/logins.json", encoding: .utf8)
        let kept = try JSONDecoder().decode([String: Data].self, from: Data(logins.utf8))
        #expect(kept.values.contains { String(decoding: $0, as: UTF8.self).contains("t0ken-r2") })
        var places = [status.output, added.output, out.output, wrong.errors, login.output]
        for file in try FileManager.default.subpathsOfDirectory(atPath: session.temporary.path) {
            guard !file.hasSuffix("logins.json") else { continue }
            let bytes = FileManager.default.contents(atPath: session.temporary.path + "/" + file) ?? Data()
            places.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(places.allSatisfy { !$0.contains("s3cret") && !$0.contains("t0ken") })
        #expect(try await program.run("server", "remove", "books").output == "removed: books\n")
        #expect(try await program.run("server", "list").output.contains("no server yet"))
        #expect(try await program.run("server", "remove", "books").code == 66)
    }

    @Test func `stay over a restart of the session`() async throws {
        let books = try Books()
        let temporary = try TemporaryFolders()
        var session: RunningSession? = try RunningSession(in: temporary)
        let program = try #require(session).program
        _ = try await program.run(
            "server", "add", books.address, "--user", "ann", "--password-stdin", input: Self.password)
        session = nil
        session = try RunningSession(in: temporary)
        let status = try await program.run("server", "status", "--json")
        let info = try JSONDecoder().decode(ServerInfo.self, from: Data(status.output.utf8))
        #expect(info.state == .ready && info.name == "127.0.0.1:\(books.server.port)/abs")
        _ = session
    }

    @Test(arguments: [
        ("/abs", "wrong\n", 77, "wrong"), ("", Self.password, 69, "no Audiobookshelf server"),
        ("/abs", "\n", 64, "no password"),
    ])
    func `are refused in one line`(path: String, password: String, code: Int32, says: String) async throws {
        let session = try RunningSession()
        let books = try Books()
        let outcome = try await session.program.run(
            "server", "add", books.server.address + path, "--user", "ann", "--password-stdin", input: password)
        #expect(outcome.code == code && outcome.errors.contains(says), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty)
        #expect(try await session.program.run("server", "list", "--json").output.isEmpty)
    }

    @Test func `that are too old, or gone, say so`() async throws {
        let session = try RunningSession()
        let old = try Books(version: "2.19.1")
        let outcome = try await session.program.run(
            "server", "add", old.address, "--user", "ann", "--password-stdin", input: Self.password)
        #expect(outcome.code == 69 && outcome.errors.contains("too old"), "\(outcome)")
        let port = try ScriptedServer.freePort()
        let gone = try await session.program.run(
            "server", "add", "http://127.0.0.1:\(port)", "--user", "ann", "--password-stdin", input: Self.password)
        #expect(gone.code == 74 && gone.errors.contains("no answer"), "\(gone)")
    }
}
