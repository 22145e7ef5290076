// SPDX-License-Identifier: Apache-2.0

import DocumentBridge
import DocumentOrders
import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import ReadingText
import SpeechScript
import Testing
import WaitTestSupport

/// Documents through the real process that reads them, and through processes that only claim to.
@Suite(.timeLimit(.minutes(2))) struct DocumentReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let whole = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return whole.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/rostrum-document-reader"
    }()

    private func reader(
        _ program: String = Self.program, deadline: Duration = .seconds(60), patience: Duration = .zero,
        _ orders: @escaping DocumentReader.Orders = { DocumentOrder(name: $0) }
    ) -> DocumentReader {
        DocumentReader(
            program: program, folder: folder.path + "/cache/documents",
            dictionary: folder.path + "/pronunciations.txt", deadline: deadline, patience: patience, orders: orders)
    }

    private func spoken(_ document: TextDocument) throws -> [String] {
        let script = try ScriptFileReader(descriptor: document.script.rawValue)
        return try (0..<script.count).compactMap { try script.utterance($0)?.spoken }
    }

    private func text(_ document: TextDocument) -> String {
        var status = stat()
        fstat(document.text.rawValue, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = pread(document.text.rawValue, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func write(_ name: String, _ text: String) throws -> TrackSource {
        .file(path: try folder.write(name, Data(text.utf8)))
    }

    private func failure(_ reader: DocumentReader, _ source: TrackSource, name: String) async -> ItemError? {
        do throws(ItemError) {
            _ = try await reader.read(source, name: name)
            return nil
        } catch {
            return error
        }
    }

    static let documents: [(name: String, text: String, spoken: [String], sections: [String])] = [
        ("plain.txt", "One. Two.\n\nThree.\n", ["One.", "Two.", "Three."], []),
        (
            "page.html", "<html lang=en><body><h1>Top</h1><p>It &amp; he.</p></body></html>", ["Top", "It and he."],
            ["Top"]
        ),
        (
            "notes.md", "# Top\n\nSome *words*.\n\n## Below\n\nMore.\n", ["Top", "Some words.", "Below", "More."],
            ["Top", "Below"]
        ),
        ("speech.ssml", "<speak>Hello.</speak>", ["Hello."], []),
        ("film.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello there.\n", ["Hello there."], []),
    ]

    @Test(arguments: documents)
    func `a document of each kind is read in a process of its own`(
        _ document: (name: String, text: String, spoken: [String], sections: [String])
    ) async throws {
        let read = try await reader().read(try write(document.name, document.text), name: document.name)
        #expect(try spoken(read) == document.spoken)
        #expect(read.sections.map(\.title) == document.sections)
    }

    @Test func `the text of a plain file is the file, byte for byte`() async throws {
        let words = "  Zwei Sätze.\r\n\r\nUnd  noch einer.\n"
        #expect(text(try await reader().read(try write("a.txt", words), name: "a.txt")) == words)
    }

    @Test func `a document is read once, until the file or a setting changes`() async throws {
        let source = try write("a.txt", "Some 😀 words.")
        let first = try await reader().read(source, name: "a.txt")
        // A program that cannot start shows that none was needed.
        let kept = try await reader("/nonexistent").read(source, name: "a.txt")
        #expect(try spoken(kept) == spoken(first))
        #expect(
            await failure(reader("/nonexistent") { DocumentOrder(name: $0, saysEmoji: true) }, source, name: "a.txt")
                != nil)
        _ = try write("a.txt", "Some other words.")
        #expect(await failure(reader("/nonexistent"), source, name: "a.txt") != nil)
        #expect(try spoken(try await reader().read(source, name: "a.txt")) == ["Some other words."])
    }

    @Test func `a damaged cache is made again`() async throws {
        let source = try write("a.txt", "Some words.")
        _ = try await reader().read(source, name: "a.txt")
        let cache = folder.path + "/cache/documents"
        for name in try FileManager.default.contentsOfDirectory(atPath: cache) where name.hasSuffix(".script") {
            try Data("junk".utf8).write(to: URL(fileURLWithPath: cache + "/" + name))
        }
        #expect(try spoken(try await reader().read(source, name: "a.txt")) == ["Some words."])
    }

    @Test func `pipes in place of cached files are passed over`() async throws {
        let source = try write("a.txt", "Some words.")
        _ = try await reader().read(source, name: "a.txt")
        let cache = folder.path + "/cache/documents"
        for name in try FileManager.default.contentsOfDirectory(atPath: cache) {
            unlink(cache + "/" + name)
            mkfifo(cache + "/" + name, 0o600)
        }
        #expect(try spoken(try await reader().read(source, name: "a.txt")) == ["Some words."])
    }

    @Test func `a dictionary that is no file is told, and the text is read`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/pronunciations.txt", withIntermediateDirectories: true)
        let read = try await reader().read(try write("a.txt", "A gif."), name: "a.txt")
        #expect(try spoken(read) == ["A gif."])
        #expect(read.warnings.first?.contains("pronunciations.txt is not used") == true)
    }

    @Test func `why a document cannot be read is kept, until the file is another one`() async throws {
        let source = try write("a.epub", "PK\u{3}\u{4}no archive at all")
        let first = await #expect(throws: ItemError.self) { try await reader().read(source, name: "a.epub") }
        let cache = folder.path + "/cache/documents"
        let kept = try FileManager.default.contentsOfDirectory(atPath: cache)
        #expect(kept.count == 1 && kept[0].hasSuffix(".fault"))
        let line = try #require(kept.first)
        try Data("as it was told before\n".utf8).write(to: URL(fileURLWithPath: cache + "/" + line))
        let second = await #expect(throws: ItemError.self) { try await reader().read(source, name: "a.epub") }
        #expect(first?.message != second?.message && second?.message == "a.epub: as it was told before")
        for junk in ["", "no end of the line", "two\nlines\n", String(repeating: "x", count: 5000)] {
            try Data(junk.utf8).write(to: URL(fileURLWithPath: cache + "/" + line))
            let again = await #expect(throws: ItemError.self) { try await reader().read(source, name: "a.epub") }
            #expect(again?.message == first?.message)
        }
        _ = try write("a.epub", "PK\u{3}\u{4}still no archive")
        let third = await #expect(throws: ItemError.self) { try await reader().read(source, name: "a.epub") }
        #expect(third?.message == first?.message)
        let files = try FileManager.default.contentsOfDirectory(atPath: cache)
        #expect(files.count == 2)
    }

    @Test func `a pipe is read to its end`() async throws {
        let read = try await reader().read(try pipe("From a pipe."), name: "standard input")
        #expect(try spoken(read) == ["From a pipe."])
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache/documents")) == [])
    }

    @Test func `the listener's pronunciations count, and a mistake in them is told`() async throws {
        try folder.write("pronunciations.txt", Data("gif = jif\n".utf8))
        let source = try write("a.txt", "A gif.")
        #expect(try spoken(try await reader().read(source, name: "a.txt")) == ["A jif."])
        try folder.write("pronunciations.txt", Data("/(/ = x\n".utf8))
        let read = try await reader().read(source, name: "a.txt")
        #expect(try spoken(read) == ["A gif."])
        #expect(read.warnings.first?.contains("line 1") == true)
    }

    @Test(arguments: [
        ("none.txt", [] as [UInt8]), ("blank.txt", Array(" \n\n ".utf8)), ("rules.txt", Array("--- ***\n".utf8)),
        ("program.txt", [0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 3, 0, 0, 0]),
        ("book.epub", [0x50, 0x4B, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0]), ("scan.pdf", Array("%PDF-1.4\n".utf8)),
    ])
    func `a file that cannot be read is refused in one line`(_ name: String, _ bytes: [UInt8]) async throws {
        let source = TrackSource.file(path: try folder.write(name, Data(bytes)))
        let error = try #require(await failure(reader(), source, name: name))
        #expect(error.reason == .unsupported)
        #expect(error.message.hasPrefix("\(name): ") && !error.message.contains("\n"))
    }

    private func script(_ name: String, _ lines: String) throws -> String {
        let path = try folder.write(name, Data("#!/bin/sh\n\(lines)\n".utf8))
        chmod(path, 0o755)
        return path
    }

    @Test func `a reader that fails, in whatever way, is an error`() async throws {
        let source = try write("a.txt", "Some words.")
        let ends = try script("ends", "exit 0")
        let crashes = try script("crashes", "kill -SEGV $$")
        for program in [ends, crashes, folder.path + "/missing"] {
            let error = try #require(await failure(reader(program), source, name: "a.txt"))
            #expect(error.message.contains("a.txt"), "\(program)")
        }
    }

    @Test func `a reader that hangs is ended at the deadline`() async throws {
        let source = try write("a.txt", "Some words.")
        let mark = folder.path + "/process"
        let hangs = try script("hangs", "echo $$ >\(mark); exec sleep 1000")
        let error = try #require(await failure(reader(hangs, deadline: .milliseconds(500)), source, name: "a.txt"))
        #expect(error.reason == .timedOut)
        try await isGone(mark)
    }

    @Test func `a reading that is given up ends its process`() async throws {
        let source = try write("a.txt", "Some words.")
        let mark = folder.path + "/process"
        let hangs = try script("hangs", "echo $$ >\(mark); exec sleep 1000")
        let reading = Task { await failure(reader(hangs), source, name: "a.txt") }
        await until { (try? String(contentsOfFile: mark, encoding: .utf8))?.isEmpty == false }
        reading.cancel()
        #expect(await reading.value != nil)
        try await isGone(mark)
    }

    /// A pipe that holds some words.
    private func pipe(_ words: String) throws -> TrackSource {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        defer { close(ends[1]) }
        try #require(Glibc.write(ends[1], words, words.utf8.count) == words.utf8.count)
        return .descriptor(SharedDescriptor(owning: ends[0]), name: "words.txt")
    }

    @Test func `a reading that nobody else can want ends at once`() async throws {
        let mark = folder.path + "/process"
        let hangs = try script("hangs", "echo $$ >\(mark); exec sleep 1000")
        let reader = reader(hangs, patience: .seconds(1000))
        let source = try pipe("Some words.")
        let reading = Task { await failure(reader, source, name: "words.txt") }
        await until { (try? String(contentsOfFile: mark, encoding: .utf8))?.isEmpty == false }
        reading.cancel()
        #expect(await reading.value != nil)
        try await isGone(mark)
    }

    @Test func `a command that takes the place of another shares its reading`() async throws {
        let source = try write("a.txt", "Some words.")
        let marks = folder.path + "/processes"
        try #require(mkfifo(folder.path + "/go", 0o600) == 0)
        let waits = try script(
            "waits", "echo $$ >>\(marks); read word <\(folder.path)/go; exec \(Self.program)")
        let reader = reader(waits, patience: .seconds(1000))
        let first = Task { await failure(reader, source, name: "a.txt") }
        await until { (try? String(contentsOfFile: marks, encoding: .utf8))?.isEmpty == false }
        first.cancel()
        let second = Task { try await reader.read(source, name: "a.txt") }
        let go = try #require(FileHandle(forWritingAtPath: folder.path + "/go"))
        go.write(Data("go\n".utf8))
        #expect(try spoken(try await second.value) == ["Some words."])
        #expect(await first.value == nil, "it gets what there is after all")
        #expect(try String(contentsOfFile: marks, encoding: .utf8).split(separator: "\n").count == 1)
    }

    @Test func `the wishes for one reading go before the settings and the dictionary`() async throws {
        try folder.write("pronunciations.txt", Data("gif = jif\n# none\nbig = large\n".utf8))
        let reader = reader { DocumentOrder(name: $0, namesPronunciations: true) }
        let plain = try await reader.read(try pipe("A big gif."), name: "words.txt")
        #expect(try spoken(plain) == ["A large jif."])
        #expect(
            plain.pronunciations == [
                "“big”: big = large, line 3 of pronunciations.txt", "“gif”: gif = jif, line 1 of pronunciations.txt",
            ])
        let wishes = ReadingWishes(language: "de", pronunciations: ["gif = ghif\nand more", "[de]", "big = groß"])
        let wished = try await reader.read(try pipe("3 big gif."), name: "words.txt", charset: nil, wishes: wishes)
        #expect(try spoken(wished) == ["drei groß ghif and more."])
        #expect(wished.pronunciations.map { $0.hasSuffix(", as given (for de)") } == [true, false])
        #expect(wished.language == "de")
        let wrong = ReadingWishes(pronunciations: ["a = b", "gif jif"])
        let error = await #expect(throws: ItemError.self) {
            try await reader.read(try pipe("A gif."), name: "words.txt", charset: nil, wishes: wrong)
        }
        #expect(
            error?.message.hasPrefix("words.txt: the pronunciation “gif jif”: there is no \"=\"") == true,
            "\(error?.message ?? "")")
    }

    /// Waits until the process whose number is in a file has ended.
    private func isGone(_ mark: String) async throws {
        let number = try String(contentsOfFile: mark, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let process = try #require(pid_t(number))
        await until({ kill(process, 0) != 0 }, otherwise: { "process \(process) lives" })
    }
}
