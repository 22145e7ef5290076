// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The result of `settings`: all settings, or the one that was requested or changed.
public struct SettingsList: Sendable, Hashable, Codable {
    public struct Entry: Sendable, Hashable, Codable {
        public var name: String
        /// The value in the file, or else the default.
        ///
        /// `null` if there is neither. While the file has a fault, the value in force.
        public var value: JSONValue
        public var `default`: JSONValue
        /// The accepted values, as a phrase: `0 to 60 s`.
        public var values: String
        public var meaning: String
        /// `live` if a change applies from the next command on; `start` if it applies when a session starts.
        public var effect: String

        public init(
            name: String, value: JSONValue, default: JSONValue, values: String, meaning: String, effect: String
        ) {
            self.name = name
            self.value = value
            self.default = `default`
            self.values = values
            self.meaning = meaning
            self.effect = effect
        }
    }

    /// The path of the file.
    public var path: String
    public var settings: [Entry]
    /// The fault of the file, because of which everything in it is ignored; `nil` if it has none.
    public var fault: String?

    public init(path: String, settings: [Entry], fault: String?) {
        self.path = path
        self.settings = settings
        self.fault = fault
    }
}
