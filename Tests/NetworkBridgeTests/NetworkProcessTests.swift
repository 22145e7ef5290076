// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HTTPExchange
import ScriptedServer
import Testing
import WaitTestSupport

@testable import NetworkBridge

/// The life of the process: many requests, an end in mid-request, and what goes on after it.
@Suite(.timeLimit(.minutes(1)))
struct NetworkProcessTests {
    @Test func `no more than eight transfers at a time, and all are answered`() async throws {
        let gate = Gate()
        let server = try ScriptedServer { request in
            gate.wait()
            return .page(request.target)
        }
        let bridge = Asking.bridge()
        let bodies = await withTaskGroup(of: String?.self) { group in
            for number in 0..<20 {
                group.addTask { [address = server.address] in
                    (try? await bridge.send(Asking.get(address + "/\(number)"))).map {
                        String(decoding: $0.body, as: UTF8.self)
                    }
                }
            }
            #expect(await server.watched.wait { $0.count == NetworkBridge.mostTransfers })
            gate.open()
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<20).map { "/\($0)" }))
        #expect(server.requests.count == 20)
    }

    @Test func `a request that is cancelled ends, also one that waits`() async throws {
        let server = try ScriptedServer { _ in .init("200 OK", end: .waits) }
        let bridge = Asking.bridge()
        let tasks = (0..<10).map { _ in
            Task { [address = server.address] in await Asking.failure(bridge, Asking.get(address)) }
        }
        #expect(await server.watched.wait { $0.count == 8 })
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value?.reason == .cancelled) }
    }

    @Test func `a fetch that is cancelled writes nothing more`() async throws {
        let server = try ScriptedServer { _ in .init("200 OK", end: .sends(.init(repeating: 65, count: 999), every: 1))
        }
        let (file, progress) = (OutputFile(), Watched<Int64>(0))
        let bridge = Asking.bridge()
        let task = Task { [address = server.address] in
            var request = Asking.get(address)
            request.mostBytes = 1 << 40
            return try await bridge.fetch(request, into: file.descriptor) { end in progress.change { $0 = end } }
        }
        #expect(await progress.wait { $0 > 0 })
        task.cancel()
        await #expect(throws: HTTPFailure.self) { try await task.value }
        let size = lseek(file.descriptor, 0, SEEK_END)
        #expect(size > 0)
        // The next request passes through the same process, which has nothing else to do any more.
        let next = try ScriptedServer { _ in .page("next") }
        _ = try await bridge.send(Asking.get(next.address))
        #expect(lseek(file.descriptor, 0, SEEK_END) == size)
    }

    @Test(arguments: [SIGKILL, SIGSTOP])
    func `a process that is killed or hangs fails its requests, and the next starts another`(signal: Int32) async throws
    {
        let server = try ScriptedServer { $0.target == "/waits" ? .init("200 OK", end: .waits) : .page("next") }
        let bridge = Asking.bridge(timing: .init(silence: signal == SIGSTOP ? .seconds(3) : .seconds(30)))
        let task = Task { [address = server.address] in
            await Asking.failure(bridge, Asking.get(address + "/waits"))
        }
        #expect(await server.watched.wait { $0.count == 1 })
        let process = try #require(await bridge.processID)
        kill(process, signal)
        #expect(await task.value?.reason == .unavailable)
        #expect(try await bridge.send(Asking.get(server.address)).body == Array("next".utf8))
        #expect(await bridge.processID != process)
    }

    @Test func `a process without requests ends, and one that is used does not`() async throws {
        let server = try ScriptedServer { _ in .page("") }
        let bridge = Asking.bridge(timing: .init(idle: .milliseconds(100)))
        _ = try await bridge.send(Asking.get(server.address))
        await until { await bridge.processID == nil }
        _ = try await bridge.send(Asking.get(server.address))
        #expect(server.requests.count == 2)
        let lasting = Asking.bridge()
        _ = try await lasting.send(Asking.get(server.address))
        let process = await lasting.processID
        _ = try await lasting.send(Asking.get(server.address))
        #expect(await lasting.processID == process && process != nil)
    }

    @Test(arguments: ["/missing", "/bin/true", "/bin/sh"])
    func `a program that cannot be it is an error`(program: String) async {
        let failure = await Asking.failure(
            Asking.bridge(program: program), Asking.get("http://127.0.0.1:1/"))
        #expect(failure?.reason == .unavailable, "\(String(describing: failure))")
    }

    @Test(
        arguments: [
            ("200 OK", [], "0123456789", "0123456789"),
            ("206 Partial", ["Content-Range: bytes 4-9/10"], "456789", "abcd456789"),
            ("206 Partial", ["Content-Range: BYTES  2-3/*"], "23", "ab23"), ("404 No", [], "nothing", "abcd"),
            ("416 No", ["Content-Range: bytes */10"], "<p>", "abcd"),
        ] as [(String, [String], String, String)])
    func `a body has its place in the file`(
        status: String, fields: [String], body: String, there: String
    ) async throws {
        let server = try ScriptedServer { _ in .init(status, fields, body: Array(body.utf8)) }
        let file = OutputFile("abcd")
        let answer = try await Asking.bridge().fetch(Asking.get(server.address), into: file.descriptor) { _ in }
        #expect("\(answer.status)" == status.prefix(3) && answer.body.isEmpty)
        #expect(file.text == there)
    }

    @Test(arguments: [
        "", "Content-Range: bytes */10", "Content-Range: bytes 99999999999999999999-1/2", "Content-Range: pages 1-2/3",
    ])
    func `a part without a place is written nowhere`(field: String) async throws {
        let server = try ScriptedServer { _ in .init("206 Partial", field.isEmpty ? [] : [field], body: [65]) }
        let file = OutputFile("abcd")
        await #expect(throws: HTTPFailure.self) {
            try await Asking.bridge().fetch(Asking.get(server.address), into: file.descriptor) { _ in }
        }
        #expect(file.text == "abcd")
    }

    @Test func `a file that cannot be written says so`() async throws {
        let server = try ScriptedServer { _ in .page("some bytes") }
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        do throws(HTTPFailure) {
            _ = try await Asking.bridge().fetch(Asking.get(server.address), into: full) { _ in }
            Issue.record("written")
        } catch {
            #expect(error.reason == .output && error.isFull, "\(error)")
        }
    }
}

/// A gate that opens once.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}
