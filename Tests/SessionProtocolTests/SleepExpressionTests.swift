// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

struct `A time to sleep` {
    @Test(
        arguments: [
            ("30", .duration(ms: 1_800_000)), ("1", .duration(ms: 60_000)), ("30m", .duration(ms: 1_800_000)),
            ("90s", .duration(ms: 90_000)), ("1h30m", .duration(ms: 5_400_000)), ("0.5s", .duration(ms: 500)),
            ("1:30", .duration(ms: 90_000)), ("24h", .duration(ms: 86_400_000)), ("1440", .duration(ms: 86_400_000)),
            ("+10", .extend(ms: 600_000)), ("+90s", .extend(ms: 90_000)), ("+1h", .extend(ms: 3_600_000)),
            ("chapter", .chapter(nil)), ("ch:12", .chapter(12)), ("book", .book), ("off", .off),
        ] as [(String, SleepExpression)])
    func `is minutes, a time, or the end of a chapter or of the book`(text: String, expected: SleepExpression) throws {
        #expect(try SleepExpression(text) == expected)
    }

    @Test(arguments: [
        "", "0", "0s", "-5", "+-5", "++5", "+", "+off", "+chapter", "Chapter", "chapters", "25h", "1441", "+25h", "50%",
        "ch:0", "+ch:2", "1.5", "nan", "٣", "99999999999999999999", "9223372036854775807", "30 m", "\u{0}", "5m\n",
    ])
    func `that is invalid or longer than a day is a usage error of one line`(text: String) throws {
        let error = try #require(throws: SessionError.self) { try SleepExpression(text) }
        #expect(error.code == .usage)
        #expect(error.message.hasPrefix("bad sleep time: \(text)"))
    }
}

struct `An option` {
    @Test(
        arguments: [
            ("mono", "on", .mono(true)), ("mono", "off", .mono(false)), ("mono", "default", .mono(nil)),
            ("balance", "-0.5", .balance(-0.5)), ("balance", "0", .balance(0)), ("balance", "1", .balance(1)),
            ("balance", "default", .balance(nil)), ("loudness", "on", .loudness(-18)),
            ("loudness", "off", .loudness(0)),
            ("loudness", "-23", .loudness(-23)), ("loudness", "default", .loudness(nil)),
            ("silence", "on", .silence(0.5)), ("silence", "off", .silence(0)), ("silence", "0.8", .silence(0.8)),
        ] as [(String, String, OptionExpression)])
    func `has a name and a value`(name: String, value: String, expected: OptionExpression) throws {
        #expect(try OptionExpression(name, value) == expected)
    }

    @Test(arguments: [
        ("mono", "1"), ("mono", ""), ("balance", "on"), ("balance", "1.1"), ("balance", "nan"), ("loudness", "-10"),
        ("loudness", "-40"), ("loudness", "x"), ("silence", "0.1"), ("silence", "2"), ("bass", "on"), ("", ""),
    ])
    func `that is unknown or out of range is a usage error that lists the choices`(name: String, value: String) throws {
        let error = try #require(throws: SessionError.self) { try OptionExpression(name, value) }
        #expect(error.code == .usage)
        #expect(error.message.contains("give ") || error.message.contains("there are mono"))
    }
}
