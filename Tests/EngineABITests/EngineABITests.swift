// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The contract as engine authors meet it: plain headers for a C or C++ compiler.
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

    @Test func `the headers are those that are documented`() {
        #expect(Self.headers == ["engine.h", "measure.h", "range.h", "rate.h", "voices.h"])
    }

    @Test(arguments: headers, [["cc", "-x", "c", "-std=c11"], ["c++", "-x", "c++", "-std=c++17"]])
    func `each header compiles alone, without a warning`(_ header: String, _ compiler: [String]) throws {
        let flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I\(Self.include)", "-"]
        let result = try run(compiler + flags, input: "#include <rostrum/\(header)>\n#include <rostrum/\(header)>\n")
        #expect(result.status == 0, "\(result.output)")
    }

    /// Sizes and offsets on a 64-bit machine.
    ///
    /// A line may be added at the end of a struct; none may change within 1.x.
    @Test func `sizes and offsets are those of version 1`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/rostrum-abi-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let flags = ["-std=c11", "-I\(Self.include)", "-x", "c", "-", "-o", folder]
        let compiled = try run(["cc"] + flags, input: Self.program())
        #expect(compiled.status == 0, "\(compiled.output)")
        let printed = try run([folder], input: "")
        let golden = URL(fileURLWithPath: Self.package + "/Tests/EngineABITests/Golden/layout.txt")
        if ProcessInfo.processInfo.environment["ROSTRUM_RECORD"] != nil {
            try Data(printed.output.utf8).write(to: golden)
            Issue.record("recorded \(golden.path)")
        }
        #expect(printed.output == (try String(contentsOf: golden, encoding: .utf8)))
    }

    /// Prints every member of every struct, taken from the headers themselves.
    private static func program() throws -> String {
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
