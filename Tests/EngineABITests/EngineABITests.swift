// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Tests of the contract as engine authors meet it: plain headers for a C or C++ compiler.
@Suite struct EngineABITests {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let include = package + "/Sources/Contract/EngineABI/include"
    static let headers = (try? FileManager.default.contentsOfDirectory(atPath: include + "/rostrum"))?.sorted() ?? []

    private func run(_ command: [String], input: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stdout
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = String(decoding: try stdout.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test func `the headers match their documentation`() {
        #expect(
            Self.headers == [
                "cover.h", "cut.h", "engine.h", "index.h", "measure.h", "peaks.h", "range.h", "rate.h", "script.h",
                "trust.h",
                "voices.h",
            ])
    }

    @Test(arguments: headers, [["cc", "-x", "c", "-std=c11"], ["c++", "-x", "c++", "-std=c++17"]])
    func `each header compiles alone, without a warning`(_ header: String, _ compiler: [String]) throws {
        let flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I\(Self.include)", "-"]
        let result = try run(compiler + flags, input: "#include <rostrum/\(header)>\n#include <rostrum/\(header)>\n")
        #expect(result.status == 0, "\(result.output)")
    }

    /// Checks sizes and offsets on a 64-bit machine.
    ///
    /// A line may be added at the end of a struct; none may change within 1.x.
    @Test func `sizes and offsets are those of version 1`() throws {
        let printed = try layout(Self.include)
        let golden = URL(fileURLWithPath: Self.package + "/Tests/EngineABITests/Golden/layout.txt")
        if ProcessInfo.processInfo.environment["ROSTRUM_RECORD"] != nil {
            try Data(printed.utf8).write(to: golden)
            Issue.record("recorded \(golden.path)")
        }
        #expect(printed == (try String(contentsOf: golden, encoding: .utf8)))
    }

    /// Checks the unchanged headers of each published minor version.
    @Test(arguments: ["1.0"])
    func `the layout of an old version is unchanged`(_ version: String) throws {
        let old = try Self.members(layout(Self.package + "/Tests/Fixtures/Engines/abi-\(version)"))
        let new = try Self.members(layout(Self.include))
        #expect(old.count > 90)
        for (member, offset) in old { #expect(new[member] == offset, "\(member)") }
    }

    /// Returns each `struct.member` with its offset.
    ///
    /// Sizes are left out because they may grow.
    private static func members(_ layout: String) -> [String: Substring] {
        var members: [String: Substring] = [:]
        var name: Substring = ""
        for line in layout.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix(" ") { members["\(name).\(words[1])"] = words[0] } else { name = words[0].dropLast() }
        }
        return members
    }

    /// Returns sizes and offsets of every struct, as a C compiler sees them.
    private func layout(_ include: String) throws -> String {
        let program = FileManager.default.temporaryDirectory.path + "/rostrum-abi-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: program) }
        let flags = ["-std=c11", "-I\(include)", "-x", "c", "-", "-o", program]
        let compiled = try run(["cc"] + flags, input: Self.program(include))
        #expect(compiled.status == 0, "\(compiled.output)")
        return try run([program], input: "").output
    }

    /// Returns a program that prints every member of every struct, taken from the headers themselves.
    private static func program(_ include: String) throws -> String {
        let headers = try FileManager.default.contentsOfDirectory(atPath: include + "/rostrum").sorted()
        var lines: [String] = []
        for header in headers {
            let text = try String(contentsOfFile: "\(include)/rostrum/\(header)", encoding: .utf8)
            let plain = text.replacing(#/\/\*[\s\S]*?\*\//#, with: "")
            for match in plain.matches(of: #/typedef struct (\w+) \{([\s\S]*?)\n\} \1;/#) {
                let name = match.1
                lines.append(#"printf("\#(name): %zu\n", sizeof(\#(name)));"#)
                for member in match.2.split(separator: ";") {
                    let declared =
                        member.firstMatch(of: #/\(\*(\w+)\)\(/#)?.1 ?? member.firstMatch(of: #/(\w+)\s*$/#)?.1
                    guard let declared else { continue }
                    lines.append(#"printf("    %4zu \#(declared)\n", offsetof(\#(name), \#(declared)));"#)
                }
            }
        }
        let includes = headers.map { "#include <rostrum/\($0)>\n" }.joined()
        return
            "#include <stddef.h>\n#include <stdio.h>\n\(includes)int main(void) {\n\(lines.joined(separator: "\n"))\n}\n"
    }
}
