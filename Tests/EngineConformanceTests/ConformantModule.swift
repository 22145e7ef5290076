// SPDX-License-Identifier: Apache-2.0

import EngineConformance
import Foundation

/// `Tests/Fixtures/Engines/conformant.c`, correct or with one fault.
struct ConformantModule {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    /// The folder of the products that the build put beside the test bundle.
    static let products: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().path
    }()
    static let runner = products + "/rostrum-engine-runner"

    struct CompilerFailed: Error {
        var flags: [String]
    }

    /// The folder `conformant.engine`, with its manifest and its module.
    let folder: String

    init(_ flags: [String] = []) throws {
        let parent = FileManager.default.temporaryDirectory.path + "/rostrum-conformance-\(UUID().uuidString)"
        folder = parent + "/conformant.engine"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            [
                "cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
                "-I\(Self.package)/Sources/Contract/EngineABI/include",
                "\(Self.package)/Tests/Fixtures/Engines/conformant.c", "-o", module, "-lm", "-lpthread",
            ] + flags
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CompilerFailed(flags: flags) }
        let manifest = """
            {"schema": 1, "id": "conformant", "name": "Conformant", "version": "1.0", "vendor": "Tests",
             "license": "Apache-2.0", "abi": "1.0", "module": "conformant.so", "kinds": ["audio", "text"],
             "extensions": ["wav", "txt"]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/manifest.json"))
        for file in [module, folder + "/manifest.json"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        }
    }

    var module: String { folder + "/conformant.so" }

    var description: EngineDescription {
        EngineDescription(
            id: "conformant", module: module, kinds: ["audio", "text"], extensions: ["wav", "txt"], content: nil)
    }

    /// The options that a session passes.
    var options: [String] { ["--memory=1024", "--folder=\(folder)"] }

    func run(_ name: String, deadline: Double? = nil) throws -> CaseResult? {
        let run = ConformanceRun(description, runner: Self.runner, options: options, deadline: deadline)
        return try ConformanceCase.all.first { $0.name == name }.map { try run.run($0) }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: (folder as NSString).deletingLastPathComponent)
    }
}
