// SPDX-License-Identifier: Apache-2.0

/// A key of a terminal.
public enum TerminalKey: Sendable, Hashable {
    case character(Character)
    case enter, escape, backspace, tab
    case left, right, up, down
    case pageUp, pageDown, home, end
    case function(Int)

    private static let names: [(name: String, key: TerminalKey)] = [
        ("space", .character(" ")), ("enter", .enter), ("escape", .escape), ("backspace", .backspace), ("tab", .tab),
        ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("pageup", .pageUp),
        ("pagedown", .pageDown), ("home", .home), ("end", .end),
    ]

    /// The key with this name: a character, a word such as `space`, or `f1` to `f12`.
    init?(named name: String) {
        let lower = name.lowercased()
        if name.count == 1, let character = name.first,
            character.isLetter || character.isNumber || !character.isWhitespace
        {
            self = .character(character)
        } else if let known = Self.names.first(where: { $0.name == lower }) {
            self = known.key
        } else if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...12).contains(number) {
            self = .function(number)
        } else {
            return nil
        }
    }

    /// The name, as ``init(named:)`` takes it.
    public var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .function(let number): "f\(number)"
        default: Self.names.first { $0.key == self }?.name ?? "?"
        }
    }
}
