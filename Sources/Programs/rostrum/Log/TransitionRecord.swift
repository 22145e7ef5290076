// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON

/// One record of the log, whose kind this program may not know.
struct TransitionRecord {
    let members: JSONObject

    /// Parses a line; `nil` if it is not a JSON object.
    init?(_ line: [UInt8]) {
        guard case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) else {
            return nil
        }
        self.members = members
    }

    subscript(name: String) -> JSONValue? { members[name] }
    var wall: Date? { members["wall"]?.string.flatMap(Self.date) }

    /// Parses an RFC 3339 time, with or without fractions of a second.
    static func date(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension JSONValue {
    /// The value as text for the user: `{a=1 b=[2,3]}`.
    var text: String {
        switch self {
        case .null: return "null"
        case .bool(let bool): return bool ? "true" : "false"
        case .int(let integer): return "\(integer)"
        case .double(let number): return "\(number)"
        case .string(let string): return string
        case .array(let values): return "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members): return "{" + Self.pairs(members) + "}"
        }
    }

    /// Returns `a=1 b=2`; a value with spaces is quoted.
    static func pairs(_ object: JSONObject) -> String {
        object.members.map { "\($0.name)=\($0.value.quotedText)" }.joined(separator: " ")
    }

    private var quotedText: String {
        guard case .string(let string) = self, string.isEmpty || string.contains(where: \.isWhitespace) else {
            return text
        }
        return "\"\(string)\""
    }
}
