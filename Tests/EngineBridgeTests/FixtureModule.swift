// SPDX-License-Identifier: Apache-2.0

import EngineBridge
import Foundation
import PlaybackCore

/// `Tests/Fixtures/Engines/fixture.c`, compiled with the flags that a test needs.
enum FixtureModule {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    struct CompilerFailed: Error {
        var command: [String]
    }

    /// Compiles the module into a folder of its own and returns its path.
    ///
    /// It compiles each time.
    static func build(_ flags: [String] = []) throws -> String {
        let folder = try temporaryFolder()
        let path = folder + "/fixture.so"
        try compile("fixture.c", to: path, ["-shared", "-fPIC", "-fvisibility=hidden"] + flags)
        return path
    }

    /// Compiles a file of `Tests/Fixtures/Engines`.
    static func compile(_ source: String, to path: String, _ flags: [String]) throws {
        try run(
            [
                "cc", "-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror",
                "-I\(package)/Sources/Contract/EngineABI/include", "\(package)/Tests/Fixtures/Engines/\(source)", "-o",
                path,
            ] + flags)
    }

    /// The module that can do everything, compiled once.
    static let standard = Result { try build() }

    /// The folder for all that these tests write, removed when the process ends because modules are in use until then.
    private static let root: Result<String, any Error> = Result {
        let root = try folder(in: FileManager.default.temporaryDirectory.path + "/rostrum-test-")
        atexit { if case .success(let root) = FixtureModule.root { try? FileManager.default.removeItem(atPath: root) } }
        return root
    }

    static func temporaryFolder() throws -> String { try folder(in: root.get() + "/") }

    private static func folder(in prefix: String) throws -> String {
        var template = Array((prefix + "XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        return String(cString: made)
    }

    static func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CompilerFailed(command: command) }
    }

    static func launch(_ hosting: TestHosting = .isolated) throws -> EngineLaunch {
        EngineLaunch(id: EngineID("fixture"), module: try standard.get(), hosting: hosting.launch)
    }
}
