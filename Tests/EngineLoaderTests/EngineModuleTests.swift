// SPDX-License-Identifier: Apache-2.0

import EngineLoader
import Foundation
import Testing

/// Modules opened in this process.
///
/// Those that end or hang it are opened in a runner by other tests.
@Suite struct EngineModuleTests {
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

    @Test func `a module is read within its sizes`() throws {
        let path = try build([])
        defer { unlink(path) }
        let module = try EngineModule(path: path, expectedID: "fixture")
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
    func `a module that is not of the contract is refused`(_ flags: [String], _ kind: ModuleFailure.Kind) throws {
        let path = try build(flags)
        defer { unlink(path) }
        let error = #expect(throws: ModuleFailure.self) { try EngineModule(path: path, expectedID: "fixture") }
        #expect(error?.kind == kind)
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test(arguments: [
        ("/nowhere.so", "file not found"), ("/etc/passwd", "invalid ELF header"),
        ("/etc/", "not the whole path of a file"), ("libc.so.6", "not the whole path of a file"),
        ("/etc", "cannot read file data: Is a directory"),
    ])
    func `what is no module is unreadable`(_ path: String, _ reason: String) {
        let error = #expect(throws: ModuleFailure.self) { try EngineModule(path: path, expectedID: "fixture") }
        #expect(error?.kind == .unreadable)
        #expect(error?.message == "cannot open \(path): \(reason)")
    }
}
