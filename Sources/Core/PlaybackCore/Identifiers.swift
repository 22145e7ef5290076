// SPDX-License-Identifier: Apache-2.0

/// The id of an engine, as in its manifest.
public struct EngineID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
    public var description: String { rawValue }
}

/// A name that identifies a playback client: `main`, `clip-viewer-ID`, `render-N` or any other.
public struct OwnerID: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(from decoder: any Decoder) throws { rawValue = try decoder.singleValueContainer().decode(String.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
    public var description: String { rawValue }

    /// The user; the only owner whose places are saved.
    public static let main = OwnerID("main")
}

/// The kinds of content; the session remembers one item of each.
public enum ContentKind: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    case audio
    case text
}
