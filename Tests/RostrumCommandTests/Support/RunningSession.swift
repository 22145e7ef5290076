// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// The built `rostrumd` with folders of its own and no device, ended with the value.
final class RunningSession {
    let temporary: TemporaryFolders
    let program: Program
    private let process = Process()

    /// - Parameters:
    ///   - kernel: flags for `oldkernel.c`, which then answers the session for a kernel that has less.
    ///   - endsByItself: as one that `rostrum` started; but not because nobody wanted anything for a while.
    ///   - temporary: the folders of one that has ended; nil: new ones.
    init(kernel: [String]? = nil, endsByItself: Bool = false, in temporary: TemporaryFolders? = nil) throws {
        let temporary = try temporary ?? TemporaryFolders()
        self.temporary = temporary
        var program = Program(temporary)
        program.environment["ROSTRUM_ENGINE_PATH"] = temporary.path + "/named"
        self.program = program
        let beside = URL(fileURLWithPath: Program.built).deletingLastPathComponent()
        process.executableURL = beside.appendingPathComponent("rostrumd")
        process.arguments = ["--output", "null", "--ready-fd", "1"]
        process.environment = program.environment
        if endsByItself {
            process.arguments?.append("--autostart")
            try temporary.folders.create()
            let settings = Data(#"{"sessionIdle": 86400}"#.utf8)
            try settings.write(to: URL(fileURLWithPath: temporary.folders.config + "/settings.json"))
        }
        if let kernel {
            let library = temporary.path + "/oldkernel.so"
            try Self.compile("oldkernel.c", to: library, kernel + ["-ldl"])
            process.environment?["LD_PRELOAD"] = library
        }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ready = Pipe()
        process.standardOutput = ready
        try process.run()
        // One byte once it listens; its end if it cannot.
        try #require(ready.fileHandleForReading.readDataToEndOfFile().count == 1)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// It has not ended, nor was another started in its place.
    var isAlive: Bool { process.isRunning }

    var processID: Int32 { process.processIdentifier }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    struct Exit: Equatable {
        var reason: Process.TerminationReason
        var status: Int32
    }

    /// How it ended.
    var exit: Exit { Exit(reason: process.terminationReason, status: process.terminationStatus) }

    /// Waits until it has ended by itself.
    func end() async throws {
        try await blocking { [process] in process.waitUntilExit() }
    }

    /// `FOLDER/ID.engine` with a module of nonsense.
    @discardableResult
    func engine(_ id: String, in folder: String, version: String = "1.0", permissions: String = "") throws -> String {
        let path = "\(temporary.path)/\(folder)/\(id).engine"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try temporary.file(
            "\(folder)/\(id).engine/manifest.json",
            """
            {"schema":1,"id":"\(id)","name":"N \(id)","version":"\(version)","vendor":"V","license":"MIT","abi":"1.0",
             "module":"m.so","kinds":["audio","text"],"extensions":["zzz"],"permissions":[\(permissions)]}
            """, mode: 0o644)
        try temporary.file("\(folder)/\(id).engine/m.so", "nonsense", mode: 0o755)
        return path
    }

    struct CompilerFailed: Error {
        var arguments: [String]
    }

    /// An engine compiled from a file of `Tests/Fixtures/Engines`, where the session finds it by its id.
    func engine(_ id: String, from source: String, _ flags: [String]) throws {
        let path = try engine(id, in: "named")
        try Self.compile(source, to: path + "/m.so.new", flags)
        // In place of the old file, which a process may have open.
        try #require(chmod(path + "/m.so.new", 0o644) == 0 && rename(path + "/m.so.new", path + "/m.so") == 0)
    }

    /// Makes a shared library of a file of `Tests/Fixtures/Engines`.
    private static func compile(_ source: String, to path: String, _ flags: [String]) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            [
                "cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
                "-I\(package)/Sources/Contract/EngineABI/include", "\(package)/Tests/Fixtures/Engines/\(source)",
                "-o", path, "-lm", "-lpthread",
            ] + flags
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CompilerFailed(arguments: flags) }
    }

    /// Command lines of the processes of engines that it has.
    func runners() -> [[String]] { runnersByID().map(\.words) }

    /// Their numbers.
    func runnerIDs() -> [String] { runnersByID().map(\.process) }

    private func runnersByID() -> [(process: String, words: [String])] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { process in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                status.contains("\nPPid:\t\(self.process.processIdentifier)\n"),
                let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else { return nil }
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first?.hasSuffix("rostrum-engine-runner") == true ? (process, words) : nil
        }
    }

    func state(of id: String) async throws -> [String: String?]? {
        let output = try await program.run("engines", "list", "--json").output
        let all = try JSONDecoder().decode([EngineInfo].self, from: Data(output.utf8))
        return all.first { $0.id == id }.map { ["state": $0.state, "reason": $0.reason] }
    }

    func detail(of id: String) async throws -> EngineDetail {
        let outcome = try await program.run("engines", "show", id, "--json")
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(EngineDetail.self, from: Data(outcome.output.utf8))
    }

    /// What plays, and how long the session took to say so.
    func status() async throws -> (status: Status, after: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await program.run("status", "--json")
        let after = clock.now - start
        try #require(outcome.code == 0, "\(outcome.errors)")
        return (try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8)), after)
    }

    /// The transition log, a record a line, once the session has written what it had in hand.
    func log() async throws -> [[String: Any]] {
        let outcome = try await program.run("log", "--json")
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// Waits until what it says of itself is so.
    ///
    /// A wait that is cancelled, as by a time limit, throws, and tells what there was instead.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ holds: (Status) throws -> Bool) async throws {
        try await wait(sourceLocation) { try holds(try await status().status) }
    }

    /// Waits until the log has something of a render.
    func until(render action: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(sourceLocation) { try await render(action) != nil }
    }

    func wait(_ sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async throws -> Bool) async throws {
        while try await !holds() {
            guard Task.isCancelled else { continue }
            let log = try await program.run("log", "--json").output.split(separator: "\n").suffix(20)
            let there = [try await program.run("status", "--json").output] + log.map(String.init)
            Issue.record(
                "what is waited for did not come; came:\n\(there.joined(separator: "\n"))",
                sourceLocation: sourceLocation)
            throw CancellationError()
        }
    }

    /// What the log says of a render; it may have nothing to say yet, and be no file.
    func render(_ action: String) async throws -> [String: Any]? {
        try await program.run("log", "--json").output.split(separator: "\n")
            .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .first { $0["event"] as? String == "render" && $0["action"] as? String == action }
    }

    /// Makes a WAV file of noise-like sound, 16 bits in two channels at 48 kHz; one frame of it at full scale, if asked for.
    func sound(_ name: String, milliseconds: Int, mark: Int? = nil) throws -> String {
        let frames = 48 * milliseconds
        var bytes = Self.waveHeader(frames: frames)
        for frame in 0..<frames {
            Self.put(frame == mark ? 0x7FFF : frame * 37 % 20_000, 2, into: &bytes)
            Self.put(frame * 41 % 20_000, 2, into: &bytes)
        }
        try bytes.write(to: URL(fileURLWithPath: "\(temporary.path)/\(name)"))
        return "\(temporary.path)/\(name)"
    }

    /// Makes a WAV file of nothing, which takes no room on the disk.
    func silence(_ name: String, hours: Int) throws -> String {
        try Self.silence(name, hours: hours, in: temporary)
    }

    static func silence(_ name: String, hours: Int, in temporary: TemporaryFolders) throws -> String {
        let path = "\(temporary.path)/\(name)"
        let header = waveHeader(frames: hours * 3600 * 48_000)
        try header.write(to: URL(fileURLWithPath: path))
        try #require(truncate(path, off_t(header.count + hours * 3600 * 48_000 * 4)) == 0)
        return path
    }

    /// Of 16 bits in two channels at 48 kHz.
    private static func waveHeader(frames: Int) -> Data {
        var bytes = Data()
        bytes.append(contentsOf: "RIFF".utf8)
        put(36 + 4 * frames, 4, into: &bytes)
        bytes.append(contentsOf: "WAVEfmt ".utf8)
        put(16, 4, into: &bytes)
        put(1 | 2 << 16, 4, into: &bytes)
        put(48_000, 4, into: &bytes)
        put(48_000 * 4, 4, into: &bytes)
        put(4 | 16 << 16, 4, into: &bytes)
        bytes.append(contentsOf: "data".utf8)
        put(4 * frames, 4, into: &bytes)
        return bytes
    }

    /// Little-endian.
    private static func put(_ value: Int, _ count: Int, into bytes: inout Data) {
        for shift in 0..<count { bytes.append(UInt8(value >> (8 * shift) & 255)) }
    }
}
