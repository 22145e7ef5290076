// SPDX-License-Identifier: Apache-2.0

/// One line of the output of `rostrumd list-voices`.
public enum EngineVoiceLine: Codable, Sendable, Hashable {
    /// A voice of an engine, with its language as a BCP 47 tag, and a text about it for people to read.
    case voice(engine: String, name: String, language: String, about: String?)
    /// An engine whose voices cannot be listed.
    case failed(engine: String, SessionError)
}
