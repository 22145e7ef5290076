// SPDX-License-Identifier: Apache-2.0

import DocumentBridge
import DocumentOrders
import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import SpeechScript
import Testing
import WaitTestSupport

/// Documents that are handed over with the beginning of their script.
@Suite(.timeLimit(.minutes(3))) struct LongDocumentTests {
    private static let paragraphs = 9000

    private let folder: TemporaryFolder
    private let source: TrackSource
    /// The numbers of the processes that read, a line each.
    private let mark: String
    private let program: String

    init() throws {
        folder = try TemporaryFolder()
        mark = folder.path + "/processes"
        let text = (0..<Self.paragraphs).map { "This is paragraph number \($0) of a text that takes a while.\n\n" }
        source = .file(path: try folder.write("long.txt", Data(text.joined().utf8)))
        program = try folder.write(
            "reader", Data("#!/bin/sh\necho $$ >>'\(mark)'\nexec '\(DocumentReaderTests.program)'\n".utf8))
        chmod(program, 0o755)
    }

    /// - Parameter wholeSize: 0 for a reader that makes nothing that nobody wants.
    private func reader(_ program: String? = nil, wholeSize: Int = 0) -> DocumentReader {
        DocumentReader(
            program: program ?? self.program, folder: folder.path + "/cache", dictionary: folder.path + "/none",
            deadline: .seconds(1000), wholeSize: wholeSize)
    }

    private func read(_ reader: DocumentReader) async throws(ItemError) -> TextDocument {
        try await reader.read(source, name: "long.txt")
    }

    private var processes: [pid_t] {
        ((try? String(contentsOfFile: mark, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }

    /// Reads the document, and stops its process, so that no more of the script is made.
    private func begun(_ reader: DocumentReader) async throws -> TextDocument {
        let document = try await read(reader)
        _ = try #require(document.making)
        kill(try #require(processes.last), SIGSTOP)
        return document
    }

    private func isGone(_ process: pid_t) async {
        await until({ kill(process, 0) != 0 }, otherwise: { "process \(process) lives" })
    }

    @Test func `a long document is there with the beginning of its script, and the rest follows`() async throws {
        let document = try await read(reader())
        let begun = try ScriptFileReader(descriptor: document.script.rawValue)
        #expect(document.making != nil && begun.count > 1000 && begun.count < Self.paragraphs)
        #expect(begun.textSize == Int(lseek(document.text.rawValue, 0, SEEK_END)))
        try await document.finish()
        let whole = try ScriptFileReader(descriptor: document.script.rawValue)
        #expect(whole.isWhole && whole.count == Self.paragraphs)
        #expect(try whole.utterance(8999)?.spoken.contains("eight thousand nine hundred ninety-nine") == true)
        // A program that cannot start shows that all of it was kept.
        let kept = try await read(reader("/nonexistent"))
        #expect(kept.making == nil)
        #expect(try ScriptFileReader(descriptor: kept.script.rawValue).count == Self.paragraphs)
    }

    @Test func `a look at more than there is waits for it`() async throws {
        let document = try await begun(reader())
        let last = Int64(try ScriptFileReader(descriptor: document.script.rawValue).textSize) - 20
        #expect(document.hasReached(0) && !document.hasReached(last))
        let waiting = Task {
            try await document.read { script throws(ScriptFileError) in try script.index(at: Int(last)) }
        }
        kill(try #require(processes.last), SIGCONT)
        #expect(try await waiting.value == Self.paragraphs - 1)
        #expect(document.hasReached(last))
    }

    @Test func `all who want a document share its reading`() async throws {
        let reader = reader()
        let first = try await begun(reader)
        let second = try await read(reader)
        #expect(second == first && processes.count == 1)
        kill(try #require(processes.last), SIGCONT)
        try await second.finish()
        #expect(processes.count == 1)
    }

    @Test func `a reading that nobody wants any more ends with its process`() async throws {
        let reader = reader()
        var document: TextDocument? = try await begun(reader)
        var other: TextDocument? = try await read(reader)
        let process = try #require(processes.last)
        #expect(document != nil)
        document = nil
        #expect(other?.hasReached(0) == true && kill(process, 0) == 0)
        other = nil
        // It is stopped, so it does not end by itself.
        await isGone(process)
        // The next one begins anew.
        let again = try await read(reader)
        try await again.finish()
        #expect(processes.count == 2)
    }

    @Test func `the script of a text that is not very long is kept although nobody waits`() async throws {
        let reader = reader(wholeSize: 8 << 20)
        var document: TextDocument? = try await begun(reader)
        #expect(document != nil)
        document = nil
        // Whoever wants it now shares what is made for nobody.
        let again = try await read(reader)
        kill(try #require(processes.last), SIGCONT)
        try await again.finish()
        #expect(processes.count == 1)
    }

    @Test func `a wait that is given up ends, and leaves the reading alone`() async throws {
        let document = try await begun(reader())
        let process = try #require(processes.last)
        let waiting = Task { () -> ItemError? in
            do throws(ItemError) {
                try await document.finish()
                return nil
            } catch {
                return error
            }
        }
        waiting.cancel()
        #expect(await waiting.value?.reason == .timedOut)
        #expect(kill(process, 0) == 0)
        kill(process, SIGCONT)
        try await document.finish()
    }

    @Test func `a process that dies within a script ends the wait with one line`() async throws {
        let document = try await begun(reader())
        let waiting = Task { () -> ItemError? in
            do throws(ItemError) {
                try await document.finish()
                return nil
            } catch {
                return error
            }
        }
        kill(try #require(processes.last), SIGKILL)
        let error = try #require(await waiting.value)
        #expect(error.message.hasPrefix("long.txt: ") && !error.message.contains("\n"))
        #expect(document.hasReached(0) && !document.hasReached(.max))
    }

    /// A reader that hands over the beginning that a good one made, and then says what is not so.
    private static func hostile(_ lies: String) -> String {
        """
        #!/usr/bin/python3
        import os, socket, subprocess
        session = socket.socket(fileno=3)
        order, files, _, _ = socket.recv_fds(session, 1 << 16, 8)
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reader = subprocess.Popen(['\(DocumentReaderTests.program)'], preexec_fn=lambda: os.dup2(other.fileno(), 3),
                                  pass_fds=(3,))
        other.close()
        socket.send_fds(own, [order], files)
        session.send(own.recv(1 << 16))
        \(lies)
        """
    }

    @Test(arguments: [
        // It makes no progress, for ever.
        "while True: session.send(b'made 200000')", "while True: session.send(b'made 1')",
        // It claims more than the file has, or the text.
        "session.send(b'made 4000000000'); os.read(own.fileno(), 0); import time; time.sleep(1000)",
        // It calls a beginning whole.
        "reader.kill(); reader.wait(); session.send(b'read'); import time; time.sleep(1000)",
    ])
    func `a reader that lies about its progress is ended, and nothing of it is kept`(lies: String) async throws {
        let hostile = try folder.write("hostile", Data(Self.hostile(lies).utf8))
        chmod(hostile, 0o755)
        let document = try await read(reader(hostile))
        let error = await #expect(throws: ItemError.self) { try await document.finish() }
        #expect(error?.message.hasPrefix("long.txt: the document could not be read: its reader ended") == true)
        let good = try await read(reader())
        #expect(processes.count == 1)
        try await good.finish()
    }
}
