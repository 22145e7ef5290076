// SPDX-License-Identifier: Apache-2.0

import JSON
import MediaPlayback

/// The values that a setting takes.
public enum SettingValues: Sendable, Hashable {
    /// A number in a range.
    ///
    /// If `zero` describes what 0 means, 0 is accepted even outside the range.
    case number(ClosedRange<Double>, unit: String, zero: String?)
    case count(ClosedRange<Int>)
    case flag
    case choice([String])
    /// An absolute path.
    case path
    /// SHA-256 digests in hexadecimal, with or without colons.
    case fingerprints(most: Int)
    /// Texts of the form `LANGUAGE=ENGINE:VOICE`.
    case voices(most: Int)
    /// Texts of the form `ACTION=KEY`, of ``assignmentBytes``.
    case assignments(most: Int)

    /// Returns a value as the settings hold it.
    func check(_ value: JSONValue) throws(Setting.Fault) -> JSONValue {
        switch self {
        case .number(let range, _, let zero):
            guard let number = value.number else { throw .otherKind }
            guard range.contains(number) || zero != nil && number == 0 else { throw .outOfRange }
            return .double(number)
        case .count(let range):
            guard case .int(let number) = value else { throw .otherKind }
            guard let count = Int(exactly: number), range.contains(count) else { throw .outOfRange }
            return value
        case .flag:
            guard case .bool = value else { throw .otherKind }
            return value
        case .choice(let choices):
            guard let string = value.string else { throw .otherKind }
            guard choices.contains(string) else { throw .unknown }
            return value
        case .path:
            guard let path = value.string else { throw .otherKind }
            guard path.hasPrefix("/") else { throw .outOfRange }
            return value
        case .fingerprints(let most):
            guard case .array(let array) = value, value.strings.count == array.count else { throw .otherKind }
            let digests = value.strings.map { $0.lowercased().filter { $0 != ":" } }
            let isValid = digests.allSatisfy { $0.utf8.count == 64 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
            guard isValid, digests.count <= most else { throw .outOfRange }
            return .array(digests.map(JSONValue.string))
        case .voices(let most):
            guard case .array(let array) = value, value.strings.count == array.count else { throw .otherKind }
            guard array.count <= most, value.strings.allSatisfy({ LanguageVoice($0) != nil }) else { throw .outOfRange }
            return value
        case .assignments(let most):
            guard case .array(let array) = value, value.strings.count == array.count else { throw .otherKind }
            guard array.count <= most, value.strings.allSatisfy(Self.isAssignment) else { throw .outOfRange }
            return value
        }
    }

    /// Converts a value that a person typed.
    ///
    /// The items of a list are separated by commas.
    func value(of text: String) -> JSONValue {
        // Phrases are written with a minus sign, and may be copied.
        let ascii = String(text.map { $0 == "\u{2212}" ? "-" : $0 })
        return switch self {
        case .number: Double(ascii).map { .double($0) } ?? .string(text)
        case .count: Int64(ascii).map { .int($0) } ?? .string(text)
        case .flag:
            switch text.lowercased() {
            case "true", "on", "yes": true
            case "false", "off", "no": false
            default: .string(text)
            }
        case .choice, .path: .string(text)
        case .fingerprints, .voices:
            .array(text.split(separator: ",").map { .string(String($0.filter { $0 != " " })) })
        case .assignments:
            // A space may be the key, so only those before an action are dropped.
            .array(text.split(separator: ",").map { .string(String($0.drop { $0 == " " })) })
        }
    }

    /// The values as a phrase for a table, such as `0 to 60 s`.
    public var phrase: String {
        switch self {
        case .number(let range, let unit, let zero):
            let unit = unit.isEmpty ? "" : " " + unit
            let ends =
                range.upperBound >= Self.practicallyEndless
                ? "\(Self.text(range.lowerBound))\(unit) or more"
                : "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))\(unit)"
            guard let zero else { return ends }
            return range.contains(0) ? "\(ends); 0: \(zero)" : "\(ends), or 0: \(zero)"
        case .count(let range): return "\(range.lowerBound) to \(range.upperBound)"
        case .flag: return "true or false"
        case .choice(let choices): return choices.joined(separator: " or ")
        case .path: return "a whole path"
        case .fingerprints(let most): return "a list of SHA-256 digests, at most \(most)"
        case .voices(let most): return "a list of LANGUAGE=ENGINE:VOICE, at most \(most)"
        case .assignments(let most): return "a list of ACTION=KEY, at most \(most)"
        }
    }

    /// The possible lengths of an assignment in bytes.
    static let assignmentBytes = 3...40

    /// Returns `true` if neither side of the first `=` is empty.
    private static func isAssignment(_ text: String) -> Bool {
        guard assignmentBytes.contains(text.utf8.count), let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return false
        }
        return sign != text.utf8.startIndex && text.utf8.index(after: sign) != text.utf8.endIndex
    }

    /// A year, in seconds.
    ///
    /// Longer times are taken for mistakes, and no table mentions the limit.
    static let practicallyEndless = 86_400.0 * 365

    /// Formats a number without a superfluous fraction, and with a true minus sign.
    static func text(_ number: Double) -> String {
        let text = number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        return text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }
}
