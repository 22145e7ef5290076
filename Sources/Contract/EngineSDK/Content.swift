// SPDX-License-Identifier: Apache-2.0

/// The kind of a piece of content.
public enum Kind: UInt32, Sendable {
    case audio = 1
    case text = 2
}

/// The content to load, and the position to start from.
public struct Content: Sendable {
    public var kind: Kind
    public var trackCount: Int
    public var startTrack: Int
    /// The start position, in units of `startTrack`.
    public var start: Int64
    /// The language of the content as a BCP 47 tag, which is only a hint.
    public var language: String?
    public var voice: String?
    public var rate: Double
}

/// A range of the content, `[start, end)`.
public struct PlayingRange: Sendable, Hashable {
    public var startTrack: Int
    /// The first unit of the range, in units of `startTrack`.
    public var start: Int64
    public var endTrack: Int
    /// The unit at which the range ends, in units of `endTrack`.
    public var end: Int64
    public var loops: Bool
}
