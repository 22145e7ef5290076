// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON

/// The removal of what a report must not give away: titles, names of files and people, addresses.
///
/// What is removed is replaced by a mark. Equal texts get equal marks, so that a reader sees what belongs together.
struct ReportRedaction {
    /// The members whose values name something of the user, whatever they look like.
    private static let names: Set<String> = [
        "item", "items", "uri", "title", "name", "path", "sender", "program", "identity", "author", "device",
    ]
    /// The members that hold a sentence.
    private static let sentences: Set<String> = ["errorMessage", "message", "words", "remedy"]
    /// The length of a word that is one of ours: a state, a cause, a time, an ID.
    private static let longestWord = 40

    private var marks: [String: String] = [:]

    /// Returns a line of the transition log without what it must not give away; `nil` for a line that is no record.
    mutating func record(_ line: [UInt8]) -> [UInt8]? {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(redacted(value, of: ""))).map(Array.init)
    }

    private mutating func redacted(_ value: JSONValue, of name: String) -> JSONValue {
        switch value {
        case .null, .bool, .int, .double: return value
        case .array(let values): return .array(values.map { redacted($0, of: name) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members { result[member.name] = redacted(member.value, of: member.name) }
            return .object(result)
        case .string(let text):
            if Self.names.contains(name) { return .string(mark(text)) }
            if Self.sentences.contains(name) { return .string(sentence(text)) }
            return .string(Self.isWord(text) ? text : mark(text))
        }
    }

    /// Returns a sentence without what it quotes, and without paths and addresses.
    mutating func sentence(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "“") {
            result += rest[..<open]
            let close = rest[open...].firstIndex(of: "”") ?? rest.endIndex
            result += "“" + mark(String(rest[rest.index(after: open)..<close])) + "”"
            rest = close < rest.endIndex ? rest[rest.index(after: close)...] : rest[close...]
        }
        result += rest
        return result.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.contains("/") ? mark(String(word)) : String(word)
        }.joined(separator: " ")
    }

    private mutating func mark(_ text: String) -> String {
        guard !text.isEmpty else { return text }
        let mark = marks[text] ?? "‹\(marks.count + 1)›"
        marks[text] = mark
        return mark
    }

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count <= longestWord
            && text.utf8.allSatisfy { byte in
                (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "-+._:".utf8.contains(byte)
            }
    }
}
