// SPDX-License-Identifier: Apache-2.0

/// The description of one voice.
public struct Voice: Sendable {
    public var name: String
    public var language: String
    public var description: String?

    public init(name: String, language: String, description: String? = nil) {
        self.name = name
        self.language = language
        self.description = description
    }
}

/// The kind of text that a mark points to.
public enum MarkKind: UInt32, Sendable {
    case word = 1
    case sentence = 2
}
