// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON
import MediaPlayback
import PlaybackCore
import TransitionRecords

/// Encodes records of the log as compact JSON, one per line.
///
/// Only the values of the machine use Foundation's encoder, which knows their coding.
struct RecordEncoder {
    static let version: Int64 = 1

    private(set) var bytes: [UInt8] = []
    private var timestamp = TimestampEncoder()
    private let coder: JSONEncoder = {
        let coder = JSONEncoder()
        coder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return coder
    }()

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

    mutating func append(_ record: TransitionRecord, sequence: Int64) {
        let entry = record.entry
        bytes.append(UInt8(ascii: "{"))
        bytes.append(contentsOf: #""v":"#.utf8)
        append(Self.version)
        bytes.append(contentsOf: #","seq":"#.utf8)
        append(sequence)
        bytes.append(contentsOf: #","t":"#.utf8)
        append(entry.time ?? record.monotonic)
        bytes.append(contentsOf: #","wall":"#.utf8)
        timestamp.append(milliseconds: record.wall, to: &bytes)
        member("kind", .string(entry.kind.rawValue))
        member("cause", .string(entry.cause.rawValue))
        member("command", .optional(entry.command))
        member("attempt", .optional(entry.attempt.map(Int64.init)))
        member("engine", .optional(entry.engine?.rawValue))
        member("owner", .optional(entry.owner?.rawValue))
        member("from", entry.from ?? .null)
        member("to", entry.to ?? .null)
        for field in entry.fields.members where !Self.isReserved(field.name) { member(field.name, field.value) }
        append(entry.values)
        if record.lost > 0 { member("lost", .int(record.lost)) }
        bytes.append(UInt8(ascii: "}"))
        newline()
    }

    /// Runs on the writer's queue, where nobody waits for Foundation's encoder.
    private mutating func append(_ values: TransitionValues?) {
        switch values {
        case nil: break
        case .state(let state):
            member("schema", .int(Int64(PlaybackSchema.current)))
            member("state", encoded: state)
        case .step(let event, let effects):
            member("input", encoded: event)
            member("output", encoded: effects)
        }
    }

    private mutating func member(_ name: String, encoded value: some Encodable) {
        guard let data = try? coder.encode(value) else { return }
        bytes.append(UInt8(ascii: ","))
        append(name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: data)
    }

    mutating func append(_ value: JSONValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): append(value)
        case .double(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): append(value)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.name)
                bytes.append(UInt8(ascii: ":"))
                append(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Returns `true` for the members of every record: a field with such a name would make the member ambiguous.
    private static func isReserved(_ name: String) -> Bool {
        switch name {
        case "v", "seq", "t", "wall", "kind", "cause", "command", "attempt", "engine", "owner", "from", "to", "lost",
            "schema", "state", "input", "output":
            true
        default: false
        }
    }

    private mutating func member(_ name: String, _ value: JSONValue) {
        bytes.append(UInt8(ascii: ","))
        append(name)
        bytes.append(UInt8(ascii: ":"))
        append(value)
    }

    private mutating func append(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let first = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[first...].reverse()
    }

    private mutating func append(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
            case 0..<0x20:
                bytes.append(contentsOf: #"\u00"#.utf8)
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
