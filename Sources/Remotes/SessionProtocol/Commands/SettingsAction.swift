// SPDX-License-Identifier: Apache-2.0

/// An operation on the settings.
public enum SettingsAction: Sendable, Hashable {
    case list
    case get(String)
    /// Stores a value; `nil` removes the setting from the file, so that its default applies again.
    case set(String, to: String?)

    enum Verb: String {
        case list, get, set
    }

    var verb: Verb {
        switch self {
        case .list: .list
        case .get: .get
        case .set: .set
        }
    }

    /// The word that stands for no value.
    static let defaultWord = "default"

    /// - Parameter value: The value as the user types it, or `default`.
    public static func set(_ name: String, toText value: String) -> SettingsAction {
        .set(name, to: value == defaultWord ? nil : value)
    }

    func validate() throws(SessionError) {
        switch self {
        case .list: break
        case .get(let name), .set(let name, _):
            guard !name.isEmpty, name.utf8.count <= 128 else {
                throw SessionError(.usage, "settings \(verb.rawValue): bad name; see `rostrum settings`")
            }
        }
    }
}
