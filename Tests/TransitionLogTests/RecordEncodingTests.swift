// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import MediaPlayback
import PlaybackCore
import Testing
import TransitionRecords

@testable import TransitionLog

@Suite struct `Record encoding` {
    /// A JSON value that Foundation decodes.
    private indirect enum Decoded: Decodable, Equatable {
        case null, bool(Bool), number(Double), string(String), array([Decoded]), object([String: Decoded])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let it = try? value.decode(Bool.self) {
                self = .bool(it)
            } else if let it = try? value.decode(Double.self) {
                self = .number(it)
            } else if let it = try? value.decode(String.self) {
                self = .string(it)
            } else if let it = try? value.decode([Decoded].self) {
                self = .array(it)
            } else {
                self = .object(try value.decode([String: Decoded].self))
            }
        }

        init(_ value: JSONValue) {
            switch value {
            case .null: self = .null
            case .bool(let it): self = .bool(it)
            case .int(let it): self = .number(Double(it))
            case .double(let it): self = it.isFinite ? .number(it) : .null
            case .string(let it): self = .string(it)
            case .array(let it): self = .array(it.map(Decoded.init))
            case .object(let it):
                self = .object(Dictionary(uniqueKeysWithValues: it.members.map { ($0.name, Decoded($0.value)) }))
            }
        }
    }

    private static let allControls = String(String.UnicodeScalarView((0...0x7F).compactMap(Unicode.Scalar.init)))

    @Test(
        arguments: [
            .null, true, false, 0, -1, JSONValue.int(.max), .int(.min), 0.1, -1e-300, 1e300,
            JSONValue.double(.infinity), JSONValue.double(.nan),
            "", "a\"b\\c/\n\r\t\u{8}\u{0}", "Zürich 🎧 e\u{301} \u{2028}",
            JSONValue.string(allControls),
            [], [1, [2, []], "x"], [:], ["a": 1, "b": ["c": .null, "d\"": [true]]],
        ] as [JSONValue])
    func `Foundation decodes the encoded values`(_ value: JSONValue) throws {
        var encoder = RecordEncoder()
        encoder.append(value)
        let decoded = try JSONDecoder().decode(Decoded.self, from: Data(encoder.bytes))
        #expect(decoded == Decoded(value))
    }

    @Test func `a record has every member of the format, in order`() {
        let clock = TransitionClock(monotonic: { 123_456_789 }, wall: { 1_767_225_600_007 })
        let entry = TransitionEntry(
            .transition, cause: .user, command: "c7", attempt: 2, engine: EngineID("ffmpeg"), owner: .main,
            from: "paused", to: "playing", fields: ["rate": 1.5, "seq": 99, "tracks": [0, 1]])
        var encoder = RecordEncoder()
        encoder.append(TransitionRecord(entry, clock), sequence: 41)
        encoder.append(TransitionRecord(TransitionEntry(.event, cause: .timer, time: 5), clock), sequence: 42)
        #expect(
            String(decoding: encoder.bytes, as: UTF8.self) == """
                {"v":1,"seq":41,"t":123456789,"wall":"2026-01-01T00:00:00.007Z","kind":"transition","cause":"user",\
                "command":"c7","attempt":2,"engine":"ffmpeg","owner":"main","from":"paused","to":"playing",\
                "rate":1.5,"tracks":[0,1]}
                {"v":1,"seq":42,"t":5,"wall":"2026-01-01T00:00:00.007Z","kind":"event","cause":"timer",\
                "command":null,"attempt":null,"engine":null,"owner":null,"from":null,"to":null}

                """)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_001, "2024-02-29T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func `timestamps are RFC 3339`(_ milliseconds: Int64, _ text: String) {
        var bytes: [UInt8] = []
        var encoder = TimestampEncoder()
        encoder.append(milliseconds: milliseconds, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "\"\(text)\"")
    }

    @Test(
        arguments: [
            ("", nil), ("x\n", nil), (#"{"v":1,"seq":7,"t":0}"# + "\n", 7),
            (#"{"v":1,"seq":7,"t":0}"# + "\n" + #"{"v":1,"seq":8,"#, 7),
            (#"{"v":1,"seq":7}"# + "\nrubbish\n\n", 7), (#"{"v":1,"seq":99999999999999999999}"# + "\n", nil),
            (#"{"v":1,"seq":}"# + "\n", nil), (#"{"v":2,"seq":3}"# + "\n", 3),
        ] as [(String, Int64?)])
    func `the last sequence number is found`(_ text: String, _ expected: Int64?) {
        #expect(LogTail.sequence(in: Array(text.utf8), isWhole: true) == expected)
    }
}
