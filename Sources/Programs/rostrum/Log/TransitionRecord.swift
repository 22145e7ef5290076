// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One record of the log, of a kind that this program may not know.
struct TransitionRecord {
    let members: [String: JSONValue]

    /// Nil for what is no JSON object.
    init?(_ line: [UInt8]) {
        guard case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) else {
            return nil
        }
        self.members = members
    }

    subscript(name: String) -> JSONValue? { members[name] }
    var wall: Date? { members["wall"]?.string.flatMap(Self.date) }

    /// An RFC 3339 time, with or without fractions of a second.
    static func date(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// Any JSON value.
enum JSONValue: Decodable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    var string: String? {
        if case .string(let string) = self { return string }
        return nil
    }

    /// For a person: `{a=1 b=[2,3]}`, members in alphabetical order.
    var text: String {
        switch self {
        case .null: return "null"
        case .bool(let bool): return bool ? "true" : "false"
        case .integer(let integer): return "\(integer)"
        case .number(let number): return "\(number)"
        case .string(let string): return string
        case .array(let values): return "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members): return "{" + Self.pairs(members) + "}"
        }
    }

    /// `a=1 b=2`; a value with spaces is quoted.
    static func pairs(_ members: [String: JSONValue]) -> String {
        members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.quotedText)" }.joined(separator: " ")
    }

    private var quotedText: String {
        guard case .string(let string) = self, string.isEmpty || string.contains(where: \.isWhitespace) else {
            return text
        }
        return "\"\(string)\""
    }
}
