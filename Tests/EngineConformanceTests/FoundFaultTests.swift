// SPDX-License-Identifier: Apache-2.0

import EngineConformance
import Testing

/// One fault, the case that must find it, and its report.
struct BrokenEngine: Sendable, CustomTestStringConvertible {
    /// The fault of `conformant.c`.
    var fault: String
    var check: String
    var outcome = CaseResult.Outcome.failed
    /// The text that the author reads.
    var says: String

    init(_ fault: String, _ check: String, _ outcome: CaseResult.Outcome = .failed, says: String) {
        self.fault = fault
        self.check = check
        self.outcome = outcome
        self.says = says
    }

    var testDescription: String { "\(fault) → \(check)" }
    var flags: [String] { fault == "SECOND_SYMBOL" ? ["-DSECOND_SYMBOL"] : ["-DFAULT=\(fault)"] }

    static let all = [
        BrokenEngine("CRASH", "render.positions", .crashed, says: "signal 11 (Segmentation fault) in render"),
        BrokenEngine("HANG", "render.positions", .hung, says: "no end after 2 s, in render"),
        BrokenEngine("EXIT", "lifecycle.order", .crashed, says: "exit(3) in unload"),
        BrokenEngine("SLOW", "module.loading", says: "and 0.2 s for the entry; came 0.5 s, and 0.5 s"),
        BrokenEngine("THREAD_IN_ENTRY", "module.loading", says: "expected 1 threads, as before; came"),
        BrokenEngine("DECLINES_MINORS", "module.hosts", says: "host 1.1): expected a module; came NULL"),
        BrokenEngine("ANY_MAJOR", "module.majors", says: "host 0.0): expected NULL; came a module of version 1.0"),
        BrokenEngine("THIRD_OF_PACE", "render.pace", says: "expected more than 1 s of sound in a second; came 0."),
        BrokenEngine("SECOND_SYMBOL", "module.symbols", says: "another_symbol"),
        BrokenEngine(
            "LYING_POSITION", "render.signal", says: "expected at unit 0 the sound of that unit; came that of unit 100"),
        BrokenEngine(
            "WHISPERS", "render.signal",
            says: "expected at unit 0 the sound of that unit; came that sound at 0.25 of its level"),
        BrokenEngine("BACKWARDS", "render.positions", says: "where the block before ended"),
        BrokenEngine(
            "WRONG_RATE", "render.format",
            says: "expected 48000 frames a second in 2 channels, as track says; came 24000"),
        BrokenEngine("WRONG_PACE", "rate.pace", says: "where rate 1.0 has"),
        BrokenEngine("SHORT_READ", "render.whole", says: "expected its 48001 frames; came 47001"),
        BrokenEngine("LATE_END", "render.duration", says: "expected the end at unit 48001"),
        BrokenEngine("SOUND_AFTER_END", "render.end", says: "after ROSTRUM_BLOCK_END: expected nothing; came"),
        BrokenEngine("DOUBLE_END", "render.end", says: "which has ended; came 0 frames, and its end again"),
        BrokenEngine("NOT_A_NUMBER", "render.samples", says: "came nan in frame 3"),
        BrokenEngine("NOISE", "render.repeatable", says: "expected the same samples in track 0"),
        BrokenEngine("BEHIND_CAPACITY", "render.capacity", says: "came a float at 8192"),
        BrokenEngine("BEHIND_SIZE", "describe.sizes", says: "expected nothing written behind it; came byte 56 changed"),
        BrokenEngine("HUGE_STRING", "describe.media", says: "without an end within 65536 bytes"),
        BrokenEngine("EMPTY_CHAPTER", "describe.chapters", says: "came 0 to -1 of track 0"),
        BrokenEngine("TWO_LINES", "lifecycle.failure", says: "came a text of more than one line"),
        BrokenEngine("STAYS_LOADED", "lifecycle.failure", says: "media after a load that failed"),
        BrokenEngine(
            "OFF_BY_ONE", "seek.accuracy",
            says: "expected a block from unit 20008 of track 1; came track 1, units 20009"),
        BrokenEngine("LATE_MARK", "marks.ahead", says: "came one of what was rendered already"),
        BrokenEngine("WRONG_MEASURE", "measure.exact", says: "expected 48001 units, as a rendering has; came 48002"),
        BrokenEngine("GAP_IN_LOOP", "range.loop", says: "and the end"),
        BrokenEngine("DEAF", "interrupt.load", .hung, says: "in load"),
        BrokenEngine("KEEPS_INTERRUPT", "interrupt.idle", says: "came ROSTRUM_ERROR_INTERRUPTED"),
        BrokenEngine("WRITES_TO_STDOUT", "process.stdout", says: "“loading"),
        BrokenEngine("SETS_LOCALE", "process.state", says: "expected the locale “C”"),
        BrokenEngine("TAKES_SIGNAL", "process.state", says: "another for signal 10"),
        BrokenEngine(
            "LEAKS_DESCRIPTOR", "process.descriptors", says: "every descriptor that the host handed over closed"),
        BrokenEngine("LEAKS_THREAD", "process.threads", says: "expected 2 threads, as after the first; came 4"),
        BrokenEngine("LEAKS_MEMORY", "process.memory", says: "each time"),
        BrokenEngine("NO_VERSION", "module.entry", says: "expected a version in one line; came one of 0 bytes"),
        BrokenEngine("OPENS_EARLY", "lifecycle.create", says: "open_source within create"),
        BrokenEngine("LEAKS_DESCRIPTOR", "lifecycle.destroy", says: "expected every source closed; came"),
        BrokenEngine("LEAKS_DESCRIPTOR", "lifecycle.replace", says: "the sources of the first load closed; came"),
        BrokenEngine("OFF_BY_ONE", "lifecycle.start", says: "expected a block from there"),
        BrokenEngine("NO_STATE", "lifecycle.state", says: "expected ROSTRUM_ERROR_STATE; came ROSTRUM_OK"),
        BrokenEngine("NO_CONFIDENCE", "describe.tracks", says: "expected a confidence; came 0"),
        BrokenEngine("NEXT_WORD", "seek.words", says: "where “sentence” begins that holds it"),
        BrokenEngine("SEEK_WRAPS", "seek.beyond", says: "expected the end of the track, unit 48001"),
        BrokenEngine(
            "SEEK_NO_END", "seek.beyond", says: "expected ROSTRUM_BLOCK_END, too; came ROSTRUM_BLOCK_TRACK_END alone"),
        BrokenEngine("STAYS_ENDED", "seek.back", says: "nothing comes after the end"),
        BrokenEngine("LONG_MARK", "marks.order", says: "expected a span of the text"),
        BrokenEngine("KNOWS_ALL", "extension.unknown", says: "expected NULL; came a pointer"),
        BrokenEngine("BAD_RATES", "rate.range", says: "expected a range of rates with 1.0 in it; came 2.0 to 4.0"),
        BrokenEngine("SAME_VOICES", "voices.list", says: "came “low” again"),
        BrokenEngine("REFUSES_VOICES", "voices.choice", says: "came -402, “no such voice”"),
        BrokenEngine("MEASURE_MOVES", "measure.aside", says: "render after measure (track 0)"),
        BrokenEngine("LONG_COVER", "cover.picture", says: "expected 1 to 16777216 bytes; came 16777217"),
        BrokenEngine("COVER_IS_TEXT", "cover.picture", says: "expected the type of a picture; came “text/plain”"),
        BrokenEngine("COVER_CHANGES", "cover.picture", says: "expected what it gave before; came another picture"),
        BrokenEngine("COVER_MOVES", "cover.aside", says: "render after cover (track 0)"),
        BrokenEngine("LATE_PEAKS", "peaks.exact", says: "as is heard; came"),
        BrokenEngine("FEW_PEAKS", "peaks.exact", says: "as many as are heard; came 36"),
        BrokenEngine("PEAKS_MOVE", "peaks.aside", says: "render after peaks (track 0)"),
        BrokenEngine("SHORT_CUT", "cut.exact", says: "frames; came"),
        BrokenEngine("CUT_AT_SIDE", "cut.exact", says: "expected the samples of a straight rendering; came others"),
        BrokenEngine("CUT_IN_CAPITALS", "cut.exact", says: "expected an extension; came “WAV”"),
        BrokenEngine("CUT_CLOSES", "cut.exact", says: "expected the descriptor of the file open; came it closed"),
        BrokenEngine("CUTS_NOTHING", "cut.refused", says: "expected -102; came 0"),
        BrokenEngine("CUT_MOVES", "cut.aside", says: "render after cut (track 0)"),
        BrokenEngine("LONG_RANGE", "range.once", says: "then ROSTRUM_BLOCK_END; came"),
        BrokenEngine("KEEPS_RANGE", "range.forgotten", says: "expected"),
        BrokenEngine("RANGE_AT_ONCE", "range.later", says: "render without a seek: expected a block from unit"),
        BrokenEngine("HIDES_INTERRUPT", "interrupt.source", says: "expected ROSTRUM_ERROR_INTERRUPTED; came -203"),
        BrokenEngine("LOSES_SOUND", "interrupt.render", says: "or others"),
        BrokenEngine("CRASHES_ON_BAD", "content.bad", .crashed, says: "signal 11 (Segmentation fault) in load"),
        BrokenEngine("SHORT_PIPE", "content.pipe", says: "frames, as from a file; came"),
        BrokenEngine("ENDLESS_GAP", "content.missing", says: "64 blocks with nothing in them"),
        BrokenEngine("LOGS_LINES", "process.host", says: "log with a message of more than one line"),
    ]
}

@Suite(.timeLimit(.minutes(3)))
struct FoundFaultTests {
    @Test(arguments: BrokenEngine.all)
    func `each fault is found by its case`(_ broken: BrokenEngine) throws {
        let engine = try ConformantModule(broken.flags)
        defer { engine.remove() }
        let hangs = broken.outcome == .hung
        let result = try #require(try engine.run(broken.check, deadline: hangs ? 2 : nil))
        #expect(result.outcome == broken.outcome, "\(result.detail)")
        #expect(result.detail.contains(broken.says), "\(result.detail)")
        // The author is told which sentence of the contract does not hold.
        #expect(
            hangs || result.outcome == .crashed
                || Clause.allCases.contains { result.detail.hasSuffix("“\($0.sentence)”") })
    }

    // The end may come with the last sound, or after it.
    @Test(arguments: ["NONE", "END_APART"])
    func `a correct engine passes every case`(_ way: String) throws {
        let engine = try ConformantModule(["-DFAULT=\(way)"])
        defer { engine.remove() }
        for check in ConformanceCase.all {
            let result = try ConformanceRun(
                engine.description, runner: ConformantModule.runner, options: engine.options
            ).run(check)
            #expect(result == CaseResult(name: check.name, outcome: .passed, detail: ""))
        }
    }

    @Test func `every case fails for some broken engine`() {
        #expect(Set(ConformanceCase.all.map(\.name)) == Set(BrokenEngine.all.map(\.check)))
    }
}
