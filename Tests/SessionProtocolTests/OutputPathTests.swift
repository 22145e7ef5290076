// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Glibc
import SessionProtocol
import Testing

@Suite struct `The path of a file that is to be written` {
    private let temporary: TemporaryFolders

    init() throws { temporary = try TemporaryFolders() }

    private func path(_ name: String) -> String { "\(temporary.path)/\(name)" }

    private func refusal(_ name: String, replaces: Bool) -> String? {
        do throws(SessionError) {
            _ = try OutputPath(name, replaces: replaces)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `is free, or that of a file that may be replaced`() throws {
        #expect(try OutputPath(path("new"), replaces: false).path == path("new"))
        let file = try temporary.file("there", "x")
        #expect(refusal(file, replaces: false) == "\(file) exists; give another name, or --force")
        let place = try OutputPath(file, replaces: true)
        #expect((place.path, place.folder) == (file, temporary.path))
        #expect(try OutputPath("new", replaces: false).folder == ".")
    }

    @Test func `leads through links to the file that is meant`() throws {
        let file = try temporary.file("there", "x")
        #expect(symlink("there", path("one")) == 0 && symlink(path("one"), path("two")) == 0)
        #expect(symlink("nothing", path("dangling")) == 0)
        #expect(try OutputPath(path("two"), replaces: true).path == file)
        #expect(try OutputPath(path("dangling"), replaces: true).path == path("nothing"))
        for name in ["two", "dangling"] {
            #expect(refusal(path(name), replaces: false)?.hasSuffix("exists; give another name, or --force") == true)
        }
        #expect(symlink("round", path("round")) == 0)
        #expect(refusal(path("round"), replaces: true)?.contains("Too many levels of symbolic links") == true)
    }

    @Test func `is never that of a folder, a pipe or a device`() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        #expect(symlink("pipe", path("link")) == 0)
        let words = "is a pipe, a socket or a device; give the name of a file"
        for replaces in [false, true] {
            #expect(refusal(path("pipe"), replaces: replaces) == "\(path("pipe")) \(words)")
            #expect(refusal("/dev/null", replaces: replaces) == "/dev/null \(words)")
            #expect(
                refusal(temporary.path, replaces: replaces)
                    == "\(temporary.path) is a folder; give the name of a file")
            #expect(refusal("", replaces: replaces) == "an empty name for a file; give a path")
        }
        #expect(refusal(path("link"), replaces: true) == "\(path("link")) \(words)")
    }
}
