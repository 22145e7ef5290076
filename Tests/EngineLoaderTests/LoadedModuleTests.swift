// SPDX-License-Identifier: Apache-2.0

import EngineLoader
import Foundation
import Testing

/// Tests of modules that are opened in this process.
///
/// Other tests open modules that end or hang their process in a runner.
@Suite struct LoadedModuleTests {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private func build(_ flags: [String]) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/rostrum-fixture-\(UUID().uuidString).so"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "cc", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden",
                "-I\(Self.package)/Sources/Contract/EngineABI/include",
                "\(Self.package)/Tests/Fixtures/Engines/fixture.c", "-o", path,
            ] + flags
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return path
    }

    @Test func `a module is read only within its sizes`() throws {
        let path = try build([])
        defer { unlink(path) }
        let module = try LoadedModule(path: path, expectedID: "fixture")
        #expect(module.id == "fixture" && module.version == "1")
        #expect(module.abiMajor == 1 && module.abiMinor == 0)
    }

    @Test(arguments: [
        (["-DFIXTURE_MAJOR=2"], ModuleFailure.Kind.incompatible),
        (["-DFIXTURE_DECLINES"], .incompatible),
        (["-DFIXTURE_NO_ENTRY"], .malformed),
        (["-DFIXTURE_LACKS_RENDER"], .malformed),
        (["-DFIXTURE_SMALL"], .malformed),
        (["-DFIXTURE_ID=\"other\""], .malformed),
    ])
    func `a module that does not follow the contract is refused`(_ flags: [String], _ kind: ModuleFailure.Kind) throws {
        let path = try build(flags)
        defer { unlink(path) }
        let error = #expect(throws: ModuleFailure.self) { try LoadedModule(path: path, expectedID: "fixture") }
        #expect(error?.kind == kind)
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test(arguments: [
        ("/nowhere.so", "file not found"), ("/etc/passwd", "invalid ELF header"),
        ("/etc/", "not the absolute path of a file"), ("libc.so.6", "not the absolute path of a file"),
        ("/etc", "cannot read file data: Is a directory"),
    ])
    func `a file that is not a module is unreadable`(_ path: String, _ reason: String) {
        let error = #expect(throws: ModuleFailure.self) { try LoadedModule(path: path, expectedID: "fixture") }
        #expect(error?.kind == .unreadable)
        #expect(error?.message == "cannot open \(path): \(reason)")
    }
}
