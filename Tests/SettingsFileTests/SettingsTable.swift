// SPDX-License-Identifier: Apache-2.0

import JSON
import SettingsFile

/// The settings as a Markdown table.
struct SettingsTable {
    let text: String

    init(_ settings: [Setting]) {
        let rows = settings.map { setting in
            let cells = [
                "`\(setting.name)`", Self.value(setting.read(Settings())), setting.values.phrase, setting.meaning,
                Self.time(of: setting.effect),
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        text = (["| name | default | values | meaning | takes effect |", "|---|---|---|---|---|"] + rows)
            .joined(separator: "\n")
    }

    private static func time(of effect: Setting.Effect) -> String {
        switch effect {
        case .live: "with the next command"
        case .document: "with the next document"
        case .start: "at the next start"
        }
    }

    private static func value(_ value: JSONValue) -> String {
        switch value {
        case .null: "–"
        case .bool(let flag): "`\(flag)`"
        case .int(let number): "\(number)"
        case .double(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .string(let string): "`\(string)`"
        case .array(let array): array.isEmpty ? "–" : "\(array.count)"
        case .object: "{}"
        }
    }
}
