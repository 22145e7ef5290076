// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// The built `rostrum` with the built `rostrumd`, and engines whose modules are no code, so that nothing can run them.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct `Engines on disk` {
    @Test func `one is installed, shown, disabled, enabled, replaced and removed`() async throws {
        let session = try RunningSession()
        let rostrum = session.program
        let data = session.temporary.folders.data + "/engines/own.engine"
        try session.engine("own", in: "source")

        #expect(
            try await rostrum.run("engines", "install", "source/own.engine")
                == .init(output: "installed own 1.0 in \(data)\n", errors: "", code: 0))
        #expect(try await session.state(of: "own") == ["state": "available", "reason": nil])
        let shown = try await session.detail(of: "own")
        #expect(shown.engine.path == data && shown.module == data + "/m.so" && shown.origin == "user")
        // sha256 of "nonsense"
        #expect(shown.hash == "sha256:999aaa8645bb72ff599e143b1e3d2a94777127f4783a69f067251f7bbebc5ab6")

        #expect(try await rostrum.run("engines", "disable", "own").code == 0)
        #expect(
            try await session.state(of: "own")
                == ["state": "disabled", "reason": "by the user; rostrum engines enable own"])
        let book = try session.temporary.file("book.zzz", "x")
        let played = try await rostrum.run("play", book, "--engine", "own", "--detach")
        #expect(played.code == 69)
        #expect(
            played.errors == "rostrum: engine “own” is disabled: by the user; rostrum engines enable own\n")
        #expect(try await rostrum.run("engines", "enable", "own").code == 0)
        #expect(try await session.state(of: "own")?["state"] == "available")

        let again = try await rostrum.run("engines", "install", "source/own.engine")
        #expect(
            again
                == .init(
                    output: "",
                    errors: "rostrum: own 1.0 is installed in \(data), and 1.0 is not newer; --force replaces it\n",
                    code: 73))
        try session.engine("own", in: "source", version: "1.1")
        #expect(
            try await rostrum.run("engines", "install", "source/own.engine").output
                == "installed own 1.1 in \(data), in place of 1.0\n")
        #expect(try await rostrum.run("engines", "remove", "own").output == "removed \(data)\n")
        #expect(try await session.state(of: "own") == nil)
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test func `the network is granted to an engine by name, in its folder`() async throws {
        let session = try RunningSession()
        try session.engine("net", in: "named", permissions: "\"network\"")
        let before = try await session.detail(of: "net")
        #expect(before.permissions == .init(asked: ["network"], granted: []) && before.origin == "named")
        #expect(before.engine.reason == "without the permission “network”; rostrum engines trust net")
        #expect(try await session.program.run("engines", "trust", "net").code == 0)
        #expect(try await session.detail(of: "net").permissions.granted == ["network"])
        #expect(try await session.program.run("engines", "untrust", "net").code == 0)
        #expect(try await session.detail(of: "net").permissions.granted == [])
        // An engine that came with the programs is granted what it requests.
        #expect(try await session.detail(of: "ffmpeg").permissions.granted == ["network"])
    }

    @Test func `shadowing and conflicts are explained, and others' engines are not removed`() async throws {
        let session = try RunningSession()
        let named = try session.engine("twin", in: "named")
        try session.engine("twin", in: "source")
        try session.engine("wide", in: "named")
        let own = session.temporary.folders.data + "/engines/twin.engine"
        #expect(
            try await session.program.run("engines", "install", "source/twin.engine").output
                == "installed twin 1.0 in \(own)\nnot used: \(named) has the same ID, and comes first\n")
        let shown = try await session.detail(of: "twin")
        #expect(shown.engine.path == named && shown.shadows == [own] && shown.shadowedBy == nil)
        #expect(shown.conflicts == [.init(fileExtension: "zzz", engines: ["twin", "wide"], winner: "twin")])
        let other = try await session.detail(of: own)
        #expect(other.engine.state == "shadowed" && other.shadowedBy == named)
        let text = try await session.program.run("engines", "show", "twin").output
        #expect(text.contains("shadows: \(own), which comes later in the search path\n"))
        #expect(text.contains("conflict: .zzz is played by twin, wide; twin comes first, and is chosen\n"))
        #expect(text.contains("this kernel has: "))
        let refused = try await session.program.run("engines", "remove", "wide")
        #expect(refused.code == 77 && refused.errors.contains(session.temporary.path + "/named/wide.engine"))
    }

    @Test func `engines show lists what an older kernel does not enforce`() async throws {
        let old = try RunningSession(kernel: ["-DLANDLOCK=2", "-DFILTERS=0"])
        let shown = try await old.program.run("engines", "show", "espeak").output
        #expect(shown.contains("this kernel has: Landlock ABI 2, no seccomp\n"))
        #expect(shown.contains("\nNOT enforced here: no network: opens no socket of any kind\n"))
        #expect(shown.contains("\nenforced: of files, reads"))
        #expect(shown.contains("\nenforced: uses at most 1024 MiB of memory"))
        let bare = try RunningSession(kernel: ["-DLANDLOCK=0", "-DFILTERS=1"])
        let detail = try await bare.detail(of: "espeak").confinement
        #expect(detail.landlock == 0 && detail.seccomp)
        #expect(
            detail.missing.count == 2 && detail.missing.allSatisfy { $0.contains("reads") || $0.contains("devices") })
    }

    @Test func `a damaged registry is reported, and later decisions are kept`() async throws {
        let session = try RunningSession()
        try session.engine("own", in: "named")
        // The answer shows that the session is running and its folders exist.
        #expect(try await session.program.run("status").code == 0)
        let path = session.temporary.folders.config + "/engines.json"
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        let disabled = try await session.program.run("engines", "disable", "own")
        #expect(disabled.code == 0)
        #expect(disabled.output.hasPrefix("\(path) is damaged: it is now \(path).damaged, and is not used"))
        #expect(try await session.state(of: "own")?["state"] == "disabled")
    }

    @Test(arguments: [
        (["show", "nobody"], 69, "no such engine: nobody; see rostrum engines"),
        (["enable", "nobody"], 69, "no such engine: nobody; see rostrum engines"),
        (["remove", "nobody"], 69, "no such engine: nobody; see rostrum engines"),
        (["install", "/nowhere"], 66, "no such file: /nowhere; give a folder ID.engine or a tar archive of one"),
        (["show", ""], 64, "engines show: bad id; see `rostrum engines`"),
    ])
    func `a failure is one line and a code`(_ arguments: [String], _ code: Int32, _ line: String) async throws {
        let session = try RunningSession()
        #expect(
            try await session.program.run(["engines"] + arguments)
                == .init(output: "", errors: "rostrum: \(line)\n", code: code))
    }
}
