// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON

/// The removal of what a report must not give away: titles, names of files and people, addresses.
///
/// What is removed is replaced by a mark. Equal texts get equal marks, so that a reader sees what belongs together.
struct ReportRedaction {
    /// The members whose values name something of the user, whatever they look like.
    private static let names: Set<String> = [
        "item", "items", "uri", "title", "name", "path", "sender", "program", "identity", "author", "device", "output",
        "routeInputs", "routeOutputs", "previousRouteOutputs",
    ]
    /// The members that hold a sentence.
    private static let sentences: Set<String> = ["errorMessage", "message", "words", "remedy"]
    /// The length of a word that is one of ours: a state, a cause, a time, an ID.
    private static let longestWord = 40

    /// The length of a name below which it is too common to be looked for in sentences.
    private static let shortestName = 3

    private var marks: [String: String] = [:]
    /// The names that records hold, to be found in sentences, too; the longest first.
    private var known: [String] = []

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

    /// Notes the names in a record, which sentences may hold without quotes.
    mutating func learn(_ line: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(line)) else { return }
        var names: Set<String> = Set(known)
        collect(value, of: "", &names)
        known = names.filter { $0.count >= Self.shortestName }.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    private func collect(_ value: JSONValue, of name: String, _ names: inout Set<String>) {
        switch value {
        case .null, .bool, .int, .double: break
        case .array(let values): for value in values { collect(value, of: name, &names) }
        case .object(let object): for member in object.members { collect(member.value, of: member.name, &names) }
        case .string(let text):
            guard Self.names.contains(name) else { return }
            names.insert(text)
            // The last part of an address or a path, without its extension, and a device behind its kind of output.
            let file = text.split(separator: "/").last.map(String.init) ?? text
            let plain = URL(string: text)?.lastPathComponent ?? file
            for part in [file, plain] {
                names.insert(part)
                names.insert(String(part.prefix { $0 != "." }))
                if let colon = part.firstIndex(of: ":") { names.insert(String(part[part.index(after: colon)...])) }
            }
        }
    }

    /// Returns a sentence without what it quotes, paths, addresses, and names that records hold.
    ///
    /// Rather too much is removed than too little: a path ends at a colon with a space, or with the sentence.
    mutating func sentence(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "“" || $0 == "/" }) {
            let isQuote = rest[open] == "“"
            // An address begins before its slashes.
            let begin =
                isQuote ? open : rest[..<open].lastIndex(of: " ").map { rest.index(after: $0) } ?? rest.startIndex
            let end =
                isQuote
                ? Self.endOfQuote(rest[open...]) : rest[open...].firstRange(of: ": ")?.lowerBound ?? rest.endIndex
            result += rest[..<begin] + mark(String(rest[begin..<end]))
            rest = rest[end...]
        }
        result += rest
        if let range = result.firstRange(of: "left out ") {
            let end = result[range.upperBound...].firstRange(of: ": ")?.lowerBound ?? result.endIndex
            let name = mark(String(result[range.upperBound..<end]))
            result.replaceSubrange(range.upperBound..<end, with: name)
        }
        for name in known where result.contains(name) { result = result.replacing(name, with: mark(name)) }
        return result
    }

    /// Returns the end of a quotation, behind as many closing as opening marks.
    private static func endOfQuote(_ text: Substring) -> Substring.Index {
        var depth = 0
        for index in text.indices {
            if text[index] == "“" { depth += 1 }
            if text[index] == "”" { depth -= 1 }
            if depth == 0 { return text.index(after: index) }
        }
        return text.endIndex
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
