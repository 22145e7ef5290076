// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// What an index belongs to: an engine, and a content, whatever its file is called.
public struct TrackIndexKey: Sendable, Hashable {
    /// Letters and digits.
    public var name: String

    public init(name: String) { self.name = name }
}

/// Keeps what engines found out by reading whole files.
///
/// A cache: nothing is lost with it but time. All calls block; none on a thread that others wait for.
public protocol TrackIndexStore: Sendable {
    /// Of an open file, whose offset stays; nil for what is no regular file, or too short to be worth it.
    func key(of descriptor: Int32, engine: EngineID) -> TrackIndexKey?

    /// An open file that stands where the index begins, and whose rest it is; nil if none is kept, or it was damaged.
    func open(_ key: TrackIndexKey) -> SharedDescriptor?

    /// Fails silently.
    func keep(_ index: [UInt8], for key: TrackIndexKey)
}
