// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Testing

/// `make examples` builds and plays the projects; these tests check what is written, and what is refused.
@Suite(.timeLimit(.minutes(2)))
struct `A new engine` {
    private let temporary: TemporaryFolders
    private let program: Program

    init() throws {
        temporary = try TemporaryFolders()
        program = Program(temporary)
    }

    private func new(_ arguments: String...) async throws -> Program.Outcome {
        try await program.run(["engines", "new"] + arguments)
    }

    /// Returns the paths of the files in a folder, sorted.
    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    @Test(arguments: [
        ("c", ["Makefile", "my-player.c", "manifest.json"]),
        ("c++", ["Makefile", "my-player.cpp", "manifest.json"]),
        (
            "swift",
            ["Makefile", "Package.swift", "manifest.json"]
                + ["Morse", "MyPlayerEngine", "TextFile"].map { "Sources/MyPlayerEngine/\($0).swift" }
        ),
    ])
    func `is the example of its language under another name`(_ language: String, _ names: [String]) async throws {
        let outcome = try await new("my-player", "--language", language)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 2)
        #expect(outcome.output.contains("make -C my-player install && rostrum play --engine my-player FILE."))
        let folder = temporary.path + "/my-player"
        #expect(try files(folder) == names.sorted())
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for old in ["c-wav", "cpp-au", "swift-morse", "SwiftMorse", "/usr/local/share/rostrum/sdk"] {
                #expect(!text.contains(old), "\(name)")
            }
        }
        let manifest = try String(contentsOfFile: folder + "/manifest.json", encoding: .utf8)
        #expect(manifest.contains(#""id": "my-player""#))
    }

    @Test func `is created in the given folder`() async throws {
        try FileManager.default.createDirectory(atPath: temporary.path + "/a", withIntermediateDirectories: false)
        #expect(try await new("x", "--language", "c", "--in", "a").code == 0)
        #expect(try files(temporary.path + "/a/x").contains("x.c"))
        let outcome = try await new("x", "--language", "c", "--in", "nowhere")
        #expect(
            outcome
                == .init(output: "", errors: "rostrum: cannot create nowhere/x: No such file or directory\n", code: 73))
    }

    @Test func `does not change an existing folder`() async throws {
        try temporary.file("x", "mine")
        let outcome = try await new("x", "--language", "c")
        #expect(outcome == .init(output: "", errors: "rostrum: cannot create x: File exists\n", code: 73))
        #expect(try String(contentsOfFile: temporary.path + "/x", encoding: .utf8) == "mine")
    }

    @Test(arguments: [
        ["Big"], ["1st"], ["-x"], [""], ["a/b"], ["..", "x"], ["é"], [String(repeating: "a", count: 33)],
    ])
    func `with an invalid name is refused`(_ names: [String]) async throws {
        let outcome = try await program.run(["engines", "new", "--language", "c", "--"] + names)
        #expect(outcome.code == 64)
        #expect(outcome.errors.filter(\.isNewline).count == 1)
        #expect(try files(temporary.path).allSatisfy { !$0.hasSuffix("manifest.json") })
    }

    @Test func `needs a known language`() async throws {
        #expect(try await new("x").code == 64)
        #expect(try await new("x", "--language", "cobol").code == 64)
    }
}
