// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A part of a server's answer, read without trust.
///
/// Members that are not known are passed over, and one that is absent, null or of another kind is as if it were not
/// there. There is no value if what identifies it is missing.
public protocol ServerValue: Sendable, Hashable {
    init?(_ json: JSONValue)
}

/// The sizes within which an answer is read.
enum AnswerLimits {
    /// The bytes of a name or a title.
    static let name = 4096
    /// The bytes of a description.
    static let text = 65_536
    /// The entries of a list.
    static let entries = 200_000
    /// The entries of a list of words, such as genres.
    static let words = 256
    /// The bytes of an ID.
    static let id = 128
}

extension JSONValue {
    /// Returns a member that is a text, or a number as a text.
    func text(_ name: String, limit: Int = AnswerLimits.name) -> String? {
        switch self[name] {
        case .string(let text): text.shortened(to: limit)
        case .int(let number): String(number)
        case .double(let number) where number.isFinite: String(number)
        default: nil
        }
    }

    /// Returns a member that is a text with something in it.
    func words(_ name: String, limit: Int = AnswerLimits.name) -> String? {
        text(name, limit: limit).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// Returns a member that names something on the server and is safe as a part of a path.
    func id(_ name: String) -> String? { text(name).flatMap { ServerPath.isPart($0) ? $0 : nil } }

    /// Returns a member that is an integer, as a number or in a text; a fraction is cut off.
    func whole(_ name: String) -> Int64? {
        switch self[name] {
        case .int(let number): number
        case .double(let number): Int64(exactly: number.rounded(.towardZero))
        case .string(let text) where text.utf8.count < 64:
            Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        default: nil
        }
    }

    /// Returns a member that is a finite number, as a number or in a text.
    func fraction(_ name: String) -> Double? {
        let number: Double? =
            switch self[name] {
            case .int(let number): Double(number)
            case .double(let number): number
            case .string(let text) where text.utf8.count < 64: Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a time or a length in seconds, which is not negative.
    func seconds(_ name: String) -> Double? { fraction(name).flatMap { $0 >= 0 ? $0 : nil } }

    /// Returns a member that is true or false, or a number that stands for it.
    func flag(_ name: String) -> Bool? {
        switch self[name] {
        case .bool(let flag): flag
        case .int(let number): number != 0
        case .string("true"), .string("1"): true
        case .string("false"), .string("0"): false
        default: nil
        }
    }

    /// Returns the texts of a list; what is none is left out.
    func list(of name: String, most: Int = AnswerLimits.words) -> [String] {
        guard case .array(let entries)? = self[name] else { return [] }
        return entries.prefix(most).compactMap { $0.string?.shortened(to: AnswerLimits.name) }.filter { !$0.isEmpty }
    }

    /// Returns the values of a list; an entry that is none is left out, and the others stay.
    func values<Value: ServerValue>(_ name: String, most: Int = AnswerLimits.entries) -> [Value] {
        guard case .array(let entries)? = self[name] else { return [] }
        return entries.prefix(most).compactMap(Value.init)
    }

    /// Returns a member that is an object.
    func member(_ name: String) -> JSONValue? {
        guard let value = self[name], case .object = value else { return nil }
        return value
    }
}

extension String {
    /// Returns the beginning that takes at most a number of bytes.
    func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var bytes = limit
        var end = utf8.index(startIndex, offsetBy: bytes)
        while bytes > 0, end.samePosition(in: unicodeScalars) == nil {
            bytes -= 1
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
