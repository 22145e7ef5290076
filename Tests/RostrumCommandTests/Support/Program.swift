// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// The built `rostrum`, run as a listener runs it.
struct Program {
    struct Outcome: Equatable, Sendable {
        var output: String
        var errors: String
        var code: Int32
    }

    /// Beside the test program.
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
        return try await blocking { running.outcome() }
    }

    /// Starts it; `Running.outcome` waits for the end.
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

    /// Reason for unchecked: handed over once, to the thread that waits.
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

        /// The next piece of output; empty at its end.
        func read() -> String { String(decoding: output.availableData, as: UTF8.self) }

        func outcome() -> Outcome {
            // Small outputs: neither pipe fills while the other is read.
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            let errorText = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            return Outcome(output: text, errors: errorText, code: code)
        }
    }
}
