// SPDX-License-Identifier: Apache-2.0

import JSON
import SessionProtocol

/// The settings as lines: a mark for what differs from its default, the name, the value and the meaning.
struct SettingsText {
    let lines: [String]

    init(_ list: SettingsList) {
        let values = list.settings.map { Self.value($0.value) }
        let nameWidth = list.settings.map(\.name.count).max() ?? 0
        let valueWidth = min(values.map(\.count).max() ?? 0, 20)
        var lines = zip(list.settings, values).map { setting, value in
            let mark = setting.value == setting.default ? " " : "*"
            return "\(mark) \(setting.name.padded(to: nameWidth))  \(value.padded(to: valueWidth))  "
                + "\(setting.meaning) (\(setting.values)\(setting.effect == "start" ? "; at the next start" : ""))"
        }
        if let fault = list.fault { lines.append(fault) }
        lines.append(list.path)
        self.lines = lines
    }

    /// A value as it is typed; `-` for none.
    static func value(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .bool(let flag): flag ? "on" : "off"
        case .int(let number): "\(number)"
        case .double(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .string(let string): string
        case .array(let array): array.isEmpty ? "-" : array.map(Self.value).joined(separator: ",")
        case .object: "{}"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
