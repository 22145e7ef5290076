// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionProtocol
import Testing

/// Tests of `rostrum engines check`, run as an author does.
@Suite(.timeLimit(.minutes(3)))
struct EngineCheckCommandTests {
    private struct Outcome {
        var output: String
        var errors: String
        var code: Int32
    }

    private func run(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ConformantModule.products + "/rostrum")
        process.arguments = ["engines", "check"] + arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let error = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(output: text, errors: error, code: process.terminationStatus)
    }

    private static let ofTexts: Set<String> = [
        "marks.order", "marks.ahead", "rate.range", "rate.pace", "seek.words", "voices.list", "voices.choice",
    ]
    /// The cases that do not apply to an engine.
    static let skipped: [(engine: String, cases: Set<String>)] = [
        (
            "ffmpeg",
            Self.ofTexts.union([
                "cover.picture", "cut.aside", "cut.exact", "cut.refused", "describe.chapters", "range.once",
                "range.loop", "range.later", "range.forgotten",
            ])
        ),
        ("clip", Self.ofTexts.union(["cover.aside", "cover.picture", "describe.chapters"])),
        (
            "espeak",
            [
                "cover.aside", "cover.picture", "cut.aside", "cut.exact", "cut.refused", "describe.chapters",
                "lifecycle.start", "measure.exact",
                "measure.aside", "peaks.aside", "peaks.exact", "range.once", "range.loop",
                "range.later", "range.forgotten", "render.signal", "render.duration", "seek.accuracy",
            ]
        ),
        (
            "tone",
            Self.ofTexts.union([
                "cover.aside", "cover.picture", "cut.aside", "cut.exact", "cut.refused", "describe.chapters",
                "interrupt.load", "interrupt.source",
                "measure.exact", "measure.aside", "peaks.aside", "peaks.exact", "range.once",
                "range.loop", "range.later", "range.forgotten", "render.signal", "render.whole",
            ])
        ),
    ]

    @Test(arguments: skipped)
    func `the engines of this project conform to the contract`(_ engine: String, _ skipped: Set<String>) throws {
        let outcome = try run(["\(ConformantModule.products)/engines/\(engine).engine", "--json", "--deadline", "60"])
        let check = try JSONDecoder().decode(EngineCheck.self, from: Data(outcome.output.utf8))
        #expect(check.engine == engine)
        for result in check.results where result.isFault {
            Issue.record("\(result.name) \(result.result): \(result.detail)")
        }
        #expect(Set(check.results.filter { $0.result == "skipped" }.map(\.name)) == skipped)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
    }

    @Test func `a check prints a line for each case, and the totals`() throws {
        let engine = try ConformantModule(["-DFAULT=SHORT_READ"])
        defer { engine.remove() }
        let outcome = try run([engine.folder, "--case", "render.whole", "--case", "module.symbols"])
        #expect(outcome.code == 1)
        #expect(
            outcome.output == """
                passed  module.symbols
                failed  render.whole
                        render (the kit's WAV), track 0 to its end: expected its 48001 frames; came 47001. engine.h: \
                “For audio a unit is one frame at the track's sample rate, after encoder delay and padding have been trimmed.”
                conformant: 1 passed, 1 failed

                """)
        #expect(outcome.errors == "rostrum: conformant fails 1 of 2 cases; each says what it broke\n")
    }

    @Test func `a check with --json prints one object`() throws {
        let engine = try ConformantModule()
        defer { engine.remove() }
        let outcome = try run([engine.folder, "--case", "module.symbols", "--json"])
        #expect(
            outcome.output
                == #"{"engine":"conformant","results":[{"case":"module.symbols","detail":"","result":"passed"}]}"#
                + "\n")
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
    }

    @Test func `the author's content replaces the kit's`() throws {
        let engine = try ConformantModule()
        defer { engine.remove() }
        let text = engine.folder + "/words.txt"
        try Data("one two three\n".utf8).write(to: URL(fileURLWithPath: text))
        let names = ["render.positions", "render.end", "seek.beyond", "marks.order"].flatMap { ["--case", $0] }
        let outcome = try run([engine.folder, "--content", text, "--json"] + names)
        let check = try JSONDecoder().decode(EngineCheck.self, from: Data(outcome.output.utf8))
        #expect(check.results.map(\.result) == ["passed", "passed", "passed", "passed"], "\(check.results)")
    }

    @Test func `the cases can be listed`() throws {
        let outcome = try run(["--list"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("render.positions      positions are those of the frames"))
    }

    @Test func `anything that is not an engine is refused with its exit code`() throws {
        let engine = try ConformantModule()
        defer { engine.remove() }
        let parent = (engine.folder as NSString).deletingLastPathComponent
        let bare = parent + "/bare.engine"
        try FileManager.default.createDirectory(
            atPath: bare, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        for (arguments, code, words) in [
            ([parent + "/nowhere.engine"], Int32(66), "no such folder"),
            ([parent], 65, "is not an engine"), ([bare], 65, "manifest.json"),
            ([engine.folder, "--case", "no.case"], 64, "no such case: no.case"),
            ([engine.folder, "--content", "/nowhere"], 66, "no such file"),
            ([], 64, "give the folder of an engine"),
        ] {
            let outcome = try run(arguments)
            #expect(outcome.code == code && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("rostrum: ") && outcome.errors.filter(\.isNewline).count == 1)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: engine.folder)
        let outcome = try run([engine.folder])
        #expect(outcome.code == 77 && outcome.errors.contains("may be written by others"), "\(outcome.errors)")
    }
}
