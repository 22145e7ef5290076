// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import ONNXMetadata
import SessionProtocol
import Testing

/// The built `rostrumd` with folders of its own and no device, which ends with this value.
final class RunningSession {
    let temporary: TemporaryFolders
    let program: Program
    private let process = Process()

    /// - Parameters:
    ///   - kernel: Flags for `oldkernel.c`, which then answers the session in place of a kernel with fewer features.
    ///   - endsByItself: Whether it ends by itself, like one that `rostrum` started; but it does not end because of
    ///     idle time.
    ///   - temporary: The folders of a session that has ended; `nil` for new ones.
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
        // One byte comes once it listens; the pipe ends if it cannot.
        try #require(ready.fileHandleForReading.readDataToEndOfFile().count == 1)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// `true` if it has not ended, and no other session was started in its place.
    var isAlive: Bool { process.isRunning }

    var processID: Int32 { process.processIdentifier }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    struct Exit: Equatable {
        var reason: Process.TerminationReason
        var status: Int32
    }

    /// The reason and the status of its exit.
    var exit: Exit { Exit(reason: process.terminationReason, status: process.terminationStatus) }

    /// Waits until it has ended by itself.
    func end() async throws {
        try await blocking { [process] in process.waitUntilExit() }
    }

    /// Creates `FOLDER/ID.engine` with a module that is no code.
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

    /// Compiles an engine from a file of `Tests/Fixtures/Engines`, in a folder where the session finds it by its ID.
    func engine(_ id: String, from source: String, _ flags: [String]) throws {
        let path = try engine(id, in: "named")
        try Self.compile(source, to: path + "/m.so.new", flags)
        // It replaces the old file, which a process may have open.
        try #require(chmod(path + "/m.so.new", 0o644) == 0 && rename(path + "/m.so.new", path + "/m.so") == 0)
    }

    /// Installs a runtime of the engine `sherpa` that is compiled from `speech-runtime.c`, and a voice for it.
    func voice(_ name: String, _ flags: [String] = []) throws {
        let voices = temporary.folders.data + "/voices"
        try FileManager.default.createDirectory(
            atPath: "\(voices)/runtime/2.0.1", withIntermediateDirectories: true)
        try Self.compile(
            "speech-runtime.c", to: "\(voices)/runtime/2.0.1/libsherpa-onnx-c-api.so",
            flags + ["-I\(Self.package)/Sources/System/CSherpa/include"])
        try FileManager.default.createDirectory(atPath: "\(voices)/\(name)", withIntermediateDirectories: true)
        let metadata: [(key: String, value: String)] = [
            ("model_type", "vits"), ("comment", "piper"), ("language", "English"), ("voice", "en-us"),
            ("has_espeak", "1"), ("n_speakers", "1"), ("sample_rate", "16000"), ("rostrum.language", "en-US"),
        ]
        try Data([0x08, 0x08] + ONNXMetadata.encoded(metadata))
            .write(to: URL(fileURLWithPath: "\(voices)/\(name)/model.onnx"))
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: "\(voices)/\(name)/model.onnx")[.size] as? Int)
        let description =
            #"{"language": "en-US", "languageName": "English", "sampleRate": 16000, "modelBytes": \#(size)}"#
        try Data(description.utf8).write(to: URL(fileURLWithPath: "\(voices)/\(name)/voice.json"))
        let letters =
            (0x61...0x7A).compactMap(Unicode.Scalar.init(_:)) + (0x250...0x2AF).compactMap(Unicode.Scalar.init)
        let symbols = ["_", "^", "$", " "] + letters + ["ˈ", "ˌ", "ː", "æ", "ð", "ŋ", "θ", ".", ",", "!", "?"]
        let lines = symbols.enumerated().map { "\($0.element) \($0.offset)\n" }
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: "\(voices)/\(name)/tokens.txt"))
    }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Compiles a shared library from a file of `Tests/Fixtures/Engines`.
    private static func compile(_ source: String, to path: String, _ flags: [String]) throws {
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

    /// Returns the command lines of the processes of its engines.
    func runners() -> [[String]] { runnersByID().map(\.words) }

    /// Returns the process IDs of its engines.
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

    /// Returns the status, and the time that the session took to answer.
    func status() async throws -> (status: Status, after: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await program.run("status", "--json")
        let after = clock.now - start
        try #require(outcome.code == 0, "\(outcome.errors)")
        return (try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8)), after)
    }

    /// Returns the records of the transition log, after the session has written what it had in memory.
    func log() async throws -> [[String: Any]] {
        let outcome = try await program.run("log", "--json")
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// Waits until the session's status is as expected.
    ///
    /// If the wait is cancelled, as by a time limit, it throws, and reports what there was instead.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ holds: (Status) throws -> Bool) async throws {
        try await wait(sourceLocation) { try holds(try await status().status) }
    }

    /// Waits until the log has a record of a render.
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

    /// Returns the log's record of a render; there may be none yet, or no file.
    func render(_ action: String) async throws -> [String: Any]? {
        try await program.run("log", "--json").output.split(separator: "\n")
            .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .first { $0["event"] as? String == "render" && $0["action"] as? String == action }
    }

    /// Creates a WAV file of noise-like sound, 16 bits in two channels at 48 kHz.
    ///
    /// One frame of it is at full scale, if requested.
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

    /// Creates a WAV file of silence, which takes no space on the disk.
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

    /// Returns the header of a WAV file of 16 bits in two channels at 48 kHz.
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

    /// Appends a number in little-endian order.
    private static func put(_ value: Int, _ count: Int, into bytes: inout Data) {
        for shift in 0..<count { bytes.append(UInt8(value >> (8 * shift) & 255)) }
    }
}
