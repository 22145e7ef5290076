// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// `rostrum text`, and texts that are named as the reading list names them.
@Suite(.timeLimit(.minutes(2)))
struct `The words of a text` {
    private static let page = """
        <!DOCTYPE html><html lang="en"><head><title>The White Whale</title></head><body><main><h1>Loomings</h1>
        <p>Call me Ishmael. Some years <span role="doc-pagebreak" aria-label="xii"></span>ago I was 3 years old.</p>
        <ul><li>It is a way.<span role="doc-pagebreak" aria-label="2"></span></li><li>I have of driving.</li></ul>
        </main></body></html>
        """
    private static let plain = """
        Loomings

        Call me Ishmael.
        Some years ago I was three years old.

        It is a way.

        I have of driving.

        """

    /// Keeps a document as one that was read before, so that its title is known.
    private static func keep(
        _ id: String, _ title: String = "The White Whale", _ text: String = page, in temporary: TemporaryFolders
    ) throws {
        let folder = temporary.folders.data + "/reading"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(id)-1.html"))
        let entry = """
            {"id":"\(id)","uri":"https://example.org/\(id)","url":"https://example.org/\(id)","file":"\(id)-1.html",\
            "name":"\(id).html","addedAt":1,"isArchived":false,"title":"\(title)"}
            """
        try Data(entry.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(id).entry.json"))
    }

    @Test func `are printed plain, with spans, and from a place on`() async throws {
        let temporary = try TemporaryFolders()
        let program = Program(temporary)
        let path = try temporary.file("a.html", Self.page)
        #expect(try await program.run("text", path) == .init(output: Self.plain, errors: "", code: 0))
        let spans = try await program.run("text", path, "--spans")
        #expect(
            spans.output == """
                0-8\theading\tLoomings
                10-26\tparagraph\tCall me Ishmael.
                27-60\tparagraph\tSome years ago I was three years old.
                62-74\tlistItem\tIt is a way.
                76-94\tlistItem\tI have of driving.

                """)
        for (place, first) in [
            ("sentence:2", "Call me"), ("paragraph:3", "It is"), ("byte:30", "Some"), ("page:xii", "Some"),
            ("page:2", "I have"),
            ("95%", "I have"),
        ] {
            let part = try await program.run("text", "--from", place, "--count", "1", path)
            #expect(part.output.hasPrefix(first) && part.output.split(separator: "\n").count == 1, "\(place): \(part)")
        }
        let middle = try await program.run("text", path, "--from", "sentence:2", "--to", "sentence:3", "--spans")
        #expect(middle.output == "10-26\tparagraph\tCall me Ishmael.\n")
    }

    @Test func `are refused with a line where they are none`() async throws {
        let temporary = try TemporaryFolders()
        let program = Program(temporary)
        let path = try temporary.file("a.html", Self.page)
        let cases: [([String], Int32, String)] = [
            ([path, "--from", "page:3"], 66, "no page 3: “a.html” has pages xii to 2"),
            ([path, "--from", "sentence:9"], 66, "a.html has only 5 sentences"),
            ([path, "--from", "paragraph:5"], 66, "a.html has only 4 paragraphs"),
            ([path, "--from", "1:30"], 64, "bad place: 1:30"), ([path, "--count", "0"], 64, "bad count: 0"),
            ([path, "--json", "--spans"], 64, "not both"), (["/nowhere/a.txt"], 66, "/nowhere/a.txt: No such file"),
            (["nobody"], 66, "no such file, nor a document of the reading list: nobody"),
        ]
        for (arguments, code, words) in cases {
            let outcome = try await program.run(["text"] + arguments)
            #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome)")
        }
    }

    @Test func `of the reading list are found by ID, address and title`() async throws {
        let temporary = try TemporaryFolders()
        let program = Program(temporary)
        try Self.keep("abc234", in: temporary)
        try Self.keep("xyz234", "Another Whale", "<title>Another Whale</title><p>Other words.</p>", in: temporary)
        for name in ["abc234", "https://example.org/abc234", "white whale", "reading:WHITE"] {
            #expect(try await program.run("text", name) == .init(output: Self.plain, errors: "", code: 0), "\(name)")
        }
        let several = try await program.run("text", "whale")
        #expect(several.code == 64 && several.errors.contains("in the titles of 2 documents"))
        // A file goes before.
        _ = try temporary.file("abc234", "A file.")
        #expect(try await program.run("text", "abc234").output == "A file.\n")
    }

    @Test func `are read from the reading list, page by page`() async throws {
        let session = try RunningSession()
        try Self.keep("abc234", in: session.temporary)
        let read = try await session.program.run("read", "white whale", "--detach")
        try #require(read.code == 0, "\(read.errors)")
        #expect(try await session.status().status.item?.uri == "https://example.org/abc234")
        #expect(try await session.program.run("pause").code == 0)
        #expect(try await session.program.run("seek", "page:XII").code == 0)
        let status = try await session.status().status
        #expect(status.page == Status.Page(label: "xii", index: 0, count: 2))
        #expect(try await session.program.run("status").output.contains("\npage xii (1 of 2)\n"))
        #expect(try await session.program.run("seek", "page:2").code == 0)
        #expect(try await session.status().status.page?.label == "2")
        let beyond = try await session.program.run("seek", "page:3")
        #expect(beyond.code == 66 && beyond.errors == "rostrum: no page 3: “The White Whale” has pages xii to 2\n")
        // Numbers count as those of `rostrum text` do.
        for (target, label) in [("sentence:5", "2"), ("sentence:3", nil), ("sentence:4", "xii"), ("paragraph:2", nil)] {
            #expect(try await session.program.run("seek", target).code == 0)
            #expect(try await session.status().status.page?.label == label, "\(target)")
        }
        for (target, words) in [("sentence:6", "no sentence 6"), ("paragraph:99", "no paragraph 99")] {
            let none = try await session.program.run("seek", target)
            let count = target.hasPrefix("s") ? 5 : 4
            #expect(none.code == 66 && none.errors == "rostrum: \(words): “The White Whale” has \(count)\n")
        }
        #expect(try await session.program.run("seek", "0").code == 0)
        #expect(try await session.status().status.page == nil)
        let again = try await session.program.run("read", "abc234", "--at", "page:2", "--detach")
        #expect(again.code == 0)
        #expect(try await session.program.run("read", "abc234", "--at", "sentence:3", "--detach").code == 0)
        try await session.until { $0.text.map { $0.offset >= 27 } ?? false }
        let none = try await session.program.run("read", "nobody", "--detach")
        #expect(none.code == 66 && none.errors.contains("nor a document of the reading list: nobody"))
        #expect(
            try await session.program.run("read", "nobody.txt", "--detach").errors.contains("no such file: nobody.txt"))
    }
}
