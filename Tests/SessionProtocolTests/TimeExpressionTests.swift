// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

struct `A TIME` {
    @Test(
        arguments: [
            ("90", .absolute(ms: 90_000)), ("0", .absolute(ms: 0)), ("90s", .absolute(ms: 90_000)),
            ("90.5", .absolute(ms: 90_500)), ("0.0019", .absolute(ms: 1)), ("007", .absolute(ms: 7000)),
            ("1:02:03.250", .absolute(ms: 3_723_250)), ("1:02", .absolute(ms: 62_000)),
            ("90:00", .absolute(ms: 5_400_000)), ("100:00:00", .absolute(ms: 360_000_000)),
            ("0:0.001", .absolute(ms: 1)),
            ("1h2m3s", .absolute(ms: 3_723_000)), ("2m", .absolute(ms: 120_000)), ("1h3s", .absolute(ms: 3_603_000)),
            ("90m", .absolute(ms: 5_400_000)), ("1m0.25s", .absolute(ms: 60_250)),
            ("50%", .percent(50)), ("12.5%", .percent(12.5)), ("0%", .percent(0)), ("100%", .percent(100)),
            ("ch:12", .chapter(12)), ("ch:1", .chapter(1)),
            ("track:2", .track(2, ms: nil)), ("track:2+1:30", .track(2, ms: 90_000)),
            ("track:10+0.5", .track(10, ms: 500)), ("track:1+1h2m3s", .track(1, ms: 3_723_000)),
            ("byte:0", .byte(0)), ("byte:1234567", .byte(1_234_567)), ("byte:1125899906842624", .byte(1 << 50)),
            ("page:12", .page("12")), ("page:xii", .page("xii")), ("page:A-3", .page("A-3")),
            ("page:Plate 4", .page("Plate 4")), ("sentence:1", .sentence(1)), ("sentence:012", .sentence(12)),
            ("sentence:1000000000", .sentence(1_000_000_000)), ("paragraph:3", .paragraph(3)),
        ] as [(String, TimeExpression)])
    func `means the same whether or not moves are allowed`(text: String, expected: TimeExpression) throws {
        #expect(try TimeExpression(text) == expected)
        #expect(try TimeExpression(text, relativeAllowed: true) == expected)
    }

    @Test(
        arguments: [
            ("+30", .relative(ms: 30_000)), ("-30", .relative(ms: -30_000)), ("-0.5", .relative(ms: -500)),
            ("+1:00", .relative(ms: 60_000)), ("-1h2m3s", .relative(ms: -3_723_000)),
            ("sentence:+1", .sentences(1)), ("sentence:-20", .sentences(-20)), ("paragraph:-1", .paragraphs(-1)),
        ] as [(String, TimeExpression)])
    func `with a sign is a move, which only a seek accepts`(text: String, expected: TimeExpression) throws {
        #expect(try TimeExpression(text, relativeAllowed: true) == expected)
        #expect(throws: SessionError.self) { try TimeExpression(text) }
    }

    @Test(arguments: [
        "", " ", "-", "+", "sentence:", "sentence:0", "sentence:+0", "paragraph:+x", "paragraph:-9999999999999999999",
        "sentence:1000000001", "sentence:99999999999999999999", "sentence:1.5", "sentence: 1", "sentence:1 ",
        "sentence:1+1", "sentence:１", "+sentence:1", "SENTENCE:1", "paragraph:", "paragraph:0", "paragraph:1%",
        "--5", "+-5", "1:99", "1:60", "60:60:00", "1:2:3:4", ":", "1:", ":30", "1::2", "1e9", "0x10",
        "٣", "९०", "²", "1,5", "1.", ".5", "1.2.3", "nan", "inf", "99999999999999999999", "9223372036854775807",
        "9223372036854775807h", "153722867280912931:00", "s", "h", "1s2m", "1h1h", "1.5h", "1h99m", "1h60m", "90 s",
        "90ss",
        "%", "101%", "100.001%", "-5%", "5%%", "1e1%", "ch:", "track:", "track:0", "track:-1", "track:1.5", "track:2+",
        "track:2+-5", "track:2++5", "track:2+50%",
        "track:2-5", "track:99999999999999999999", "track:+5", "ch:0", "ch:-1", "ch:1.5", "ch:99999999999999999999",
        "ch",
        "byte:", "byte:-1", "byte:+1", "byte:1.5", "byte:0x10", "byte:5%", "byte:1125899906842625",
        "byte:99999999999999999999", "+byte:1", "BYTE:1",
        "page:", "page: 1", "page:1 ", "page:1\n", "+page:1", "page:000000000000000000000000000000000",
        "CH:1", "next", "\u{0}", "9\u{0}", "1\n", "+ch:1", "+50%", "-ch:2",
    ])
    func `that is invalid is a usage error of one line`(text: String) throws {
        for relativeAllowed in [false, true] {
            let error = try #require(throws: SessionError.self) {
                try TimeExpression(text, relativeAllowed: relativeAllowed)
            }
            #expect(error.code == .usage)
            #expect(error.message.contains("bad time"))
        }
    }
}
