// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// The built `rostrum`, run as a user runs it.
struct Program {
    struct Outcome: Equatable, Sendable {
        var output: String
        var errors: String
        var code: Int32
    }

    /// The path of the program, which is beside the test program.
    static let built: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("rostrum").path
    }()

    var path = Program.built
    var environment: [String: String]
    var folder: String

    init(_ temporary: TemporaryFolders) {
        environment = temporary.environment.merging(["LANG": "C", "TZ": "UTC"]) { $1 }
        folder = temporary.path
    }

    func run(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String? = nil) async throws -> Outcome {
        let running = try start(arguments, input: input)
        // A time limit of a test cancels it, but nothing else ends a program that waits.
        return try await withTaskCancellationHandler {
            try await blocking { running.outcome() }
        } onCancel: {
            kill(running.processIdentifier, SIGKILL)
        }
    }

    /// Starts the program; ``Running/outcome()`` waits for its end.
    func start(_ arguments: [String], input: String? = nil) throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let (output, errors, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = input == nil ? FileHandle.nullDevice : feed
        try process.run()
        if let input {
            try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try feed.fileHandleForWriting.close()
        }
        return Running(process: process, output: output.fileHandleForReading, errors: errors.fileHandleForReading)
    }

    /// It is unchecked because the value is handed over once, to the thread that waits.
    final class Running: @unchecked Sendable {
        let process: Process
        let output: FileHandle
        let errors: FileHandle

        init(process: Process, output: FileHandle, errors: FileHandle) {
            self.process = process
            self.output = output
            self.errors = errors
        }

        var processIdentifier: Int32 { process.processIdentifier }

        /// Returns the next piece of output; empty at its end.
        func read() -> String { String(decoding: output.availableData, as: UTF8.self) }

        func outcome() -> Outcome {
            // The outputs are small, so neither pipe fills while the other is read.
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            let errorText = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            return Outcome(output: text, errors: errorText, code: code)
        }
    }
}
