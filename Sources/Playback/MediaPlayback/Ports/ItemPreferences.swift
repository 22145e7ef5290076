// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The way an owner listens to one item; what is `nil` is not known.
public struct ItemPreferences: Sendable, Hashable {
    public var rate: Double?
    public var volume: Double?
    public var engine: EngineID?
    /// The voice of that engine; `nil` leaves the choice to the engine.
    public var voice: String?

    public init(rate: Double? = nil, volume: Double? = nil, engine: EngineID? = nil, voice: String? = nil) {
        self.rate = rate
        self.volume = volume
        self.engine = engine
        self.voice = voice
    }

    init(_ place: SavedPlace) {
        // The values are checked because the file may have been written by anybody.
        rate = place.rate.flatMap { (0.5...3.0).contains($0) ? $0 : nil }
        volume = place.volume.flatMap { (0.0...1.0).contains($0) ? $0 : nil }
        engine = place.engine
        voice = place.voice
    }
}
