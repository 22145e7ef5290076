// SPDX-License-Identifier: Apache-2.0

public import JSON
import MediaPlayback

/// One setting: its name in the file, the values that it accepts, and the property of `Settings` that holds it.
public struct Setting: Sendable {
    /// The time at which a changed value takes effect.
    public enum Effect: String, Sendable {
        /// The next command uses the new value.
        case live
        /// The next document that is opened uses the new value.
        case document
        /// The next session uses the new value.
        case start
    }

    /// The reason why a value is refused.
    enum Fault: Error {
        case otherKind
        case unknown
        case outOfRange
    }

    public let name: String
    public let values: SettingValues
    /// The effect of the setting, as a phrase for a table.
    public let meaning: String
    public let effect: Effect
    /// Reads the value; `null` if there is none.
    public let read: @Sendable (Settings) -> JSONValue
    /// Stores a value that `values` accepts.
    let write: @Sendable (JSONValue, inout Settings) -> Void

    func apply(_ value: JSONValue, to settings: inout Settings) throws(Fault) {
        if value == .null { return }
        write(try values.check(value), &settings)
    }
}

extension Setting {
    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// Describes a time in seconds.
    static func seconds(
        _ name: String, _ path: Path<Duration>, _ range: ClosedRange<Double>, zeroMeans zero: String? = nil,
        _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .number(range, unit: "s", zero: zero), meaning: meaning, effect: .live,
            read: { .double($0[keyPath: path] / .seconds(1)) },
            write: { value, settings in settings[keyPath: path] = .seconds(value.number ?? 0) })
    }

    /// Describes a time in seconds that the rules of playback store in milliseconds.
    static func seconds(
        _ name: String, _ path: Path<Int>, zeroMeans zero: String? = nil, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .number(0...86_400, unit: "s", zero: zero), meaning: meaning, effect: .live,
            read: { .double(Double($0[keyPath: path]) / 1000) },
            write: { value, settings in settings[keyPath: path] = Int(((value.number ?? 0) * 1000).rounded()) })
    }

    /// Describes a number.
    ///
    /// If `zero` is given, 0 is accepted as well, and stands for no value.
    static func number(
        _ name: String, _ path: Path<Double?>, _ range: ClosedRange<Double>, unit: String = "",
        zeroMeans zero: String? = nil, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .number(range, unit: unit, zero: zero), meaning: meaning, effect: .live,
            read: { $0[keyPath: path].map { .double($0) } ?? (zero == nil ? .null : 0) },
            write: { value, settings in
                settings[keyPath: path] = value.number.flatMap { zero != nil && $0 == 0 ? nil : $0 }
            })
    }

    static func number(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .number(range, unit: "", zero: nil), meaning: meaning, effect: .live,
            read: { .double($0[keyPath: path]) },
            write: { value, settings in settings[keyPath: path] = value.number ?? 0 })
    }

    static func count(_ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ meaning: String) -> Setting {
        Setting(
            name: name, values: .count(range), meaning: meaning, effect: .live,
            read: { .int(Int64($0[keyPath: path])) },
            write: { value, settings in settings[keyPath: path] = Int(value.number ?? 0) })
    }

    static func flag(
        _ name: String, _ path: Path<Bool>, effect: Effect = .live, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .flag, meaning: meaning, effect: effect,
            read: { .bool($0[keyPath: path]) },
            write: { value, settings in settings[keyPath: path] = value == .bool(true) })
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice>, effect: Effect, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .choice(Choice.allCases.map(\.rawValue)), meaning: meaning, effect: effect,
            read: { .string($0[keyPath: path].rawValue) },
            write: { value, settings in
                if let choice = value.string.flatMap(Choice.init(rawValue:)) { settings[keyPath: path] = choice }
            })
    }

    static func path(_ name: String, _ path: Path<String?>, _ meaning: String) -> Setting {
        Setting(
            name: name, values: .path, meaning: meaning, effect: .live,
            read: { .optional($0[keyPath: path]) },
            write: { value, settings in settings[keyPath: path] = value.string })
    }

    static func fingerprints(
        _ name: String, _ path: Path<[String]>, most: Int, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .fingerprints(most: most), meaning: meaning, effect: .live,
            read: { .array($0[keyPath: path].map(JSONValue.string)) },
            write: { value, settings in settings[keyPath: path] = value.strings })
    }

    static func voices(
        _ name: String, _ path: Path<[LanguageVoice]>, most: Int, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .voices(most: most), meaning: meaning, effect: .live,
            read: { .array($0[keyPath: path].map { .string($0.text) }) },
            write: { value, settings in settings[keyPath: path] = value.strings.compactMap { LanguageVoice($0) } })
    }

    static func assignments(
        _ name: String, _ path: Path<[String]>, most: Int, _ meaning: String
    ) -> Setting {
        Setting(
            name: name, values: .assignments(most: most), meaning: meaning, effect: .live,
            read: { .array($0[keyPath: path].map(JSONValue.string)) },
            write: { value, settings in settings[keyPath: path] = value.strings })
    }
}
