// SPDX-License-Identifier: Apache-2.0

/// A voice with which an engine can read a text.
public struct EngineVoice: Sendable, Hashable {
    /// The name by which a load asks for it.
    public var name: String
    /// The language as a BCP 47 tag.
    public var language: String
    /// A text about it for people to read.
    public var about: String?

    public init(name: String, language: String, about: String? = nil) {
        self.name = name
        self.language = language
        self.about = about
    }
}

/// An engine that speaks, and tells with which voices.
public protocol SpeakingEngine: Sendable {
    /// Returns the voices, whatever is loaded; none if there is no choice.
    ///
    /// The deadline is 10 s.
    func voices() async throws(EngineError) -> [EngineVoice]
}
