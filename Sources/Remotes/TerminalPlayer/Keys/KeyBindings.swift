// SPDX-License-Identifier: Apache-2.0

/// The keys of each action: the usual ones, or those of the setting `keys`.
public struct KeyBindings: Sendable, Hashable {
    private var keys: [PlayerAction: [TerminalKey]]
    private var actions: [TerminalKey: PlayerAction]
    /// The keys that the listener has chosen; they come before those that move in lists.
    private var chosen: Set<TerminalKey> = []
    /// The part of the setting that has no meaning, in one line; `nil` if there is none.
    public private(set) var fault: String?

    public static let usual = KeyBindings([])

    /// - Parameter assignments: `ACTION=KEY` each. An action that is named has no other keys than those; a key that is
    ///   given to one action is taken from the others.
    public init(_ assignments: [String]) {
        var chosen: [PlayerAction: [TerminalKey]] = [:]
        var taken: Set<TerminalKey> = []
        for assignment in assignments {
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let action = PlayerAction(rawValue: String(parts[0])),
                let key = TerminalKey(named: String(parts[1]))
            else {
                fault = fault ?? "keys: no such action or key: \(assignment); press ? for the actions"
                continue
            }
            chosen[action, default: []].append(key)
            taken.insert(key)
        }
        self.chosen = taken
        keys = [:]
        actions = [:]
        for action in PlayerAction.allCases {
            keys[action] = chosen[action] ?? action.defaultKeys.filter { !taken.contains($0) }
            for key in keys[action] ?? [] { actions[key] = action }
        }
    }

    func isChosen(_ key: TerminalKey) -> Bool { chosen.contains(key) }

    public func action(of key: TerminalKey) -> PlayerAction? { actions[key] }

    /// The first key of an action, by name; `nil` if it has none.
    func name(of action: PlayerAction) -> String? { keys[action]?.first?.sign }

    func names(of action: PlayerAction) -> String { (keys[action] ?? []).map(\.sign).joined(separator: " ") }
}

extension TerminalKey {
    /// The key as the list of keys shows it.
    fileprivate var sign: String {
        switch self {
        case .left: "←"
        case .right: "→"
        case .up: "↑"
        case .down: "↓"
        case .character("\u{0C}"): "Ctrl-L"
        default: name
        }
    }
}
