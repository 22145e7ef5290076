// SPDX-License-Identifier: Apache-2.0

/// A position in an item: a track, and units within it.
///
/// A unit is a frame of audio at the track's sample rate, or a byte of a text. Whole units are saved; times are derived
/// from them.
public struct MediaPosition: Hashable, Sendable, Codable, Comparable {
    public var track: Int
    public var units: Int64

    public init(track: Int, units: Int64) {
        self.track = track
        self.units = units
    }

    public static let start = MediaPosition(track: 0, units: 0)

    public static func < (a: Self, b: Self) -> Bool {
        (a.track, a.units) < (b.track, b.units)
    }
}

extension [TimelineTrack] {
    /// Returns the position, or the end of its track if it lies beyond an end that is known exactly.
    public func limited(_ position: MediaPosition) -> MediaPosition {
        guard indices.contains(position.track), self[position.track].confidence == .exact,
            let end = self[position.track].duration
        else { return position }
        return MediaPosition(track: position.track, units: Swift.min(position.units, end))
    }
}

/// The origin of a position.
///
/// Only `heard` and `user` may replace a saved place.
public enum Provenance: String, Sendable, Codable, Hashable {
    case heard
    case user
    case restored
    case estimated
    case unknown
}

/// The reliability of a duration.
public enum Confidence: String, Sendable, Codable, Hashable {
    case unknown
    case estimated
    case container
    case exact
}
