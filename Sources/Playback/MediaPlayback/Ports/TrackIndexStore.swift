// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The key of an index: an engine and a content, whatever its file is called.
public struct TrackIndexKey: Sendable, Hashable {
    /// Letters and digits.
    public var name: String

    public init(name: String) { self.name = name }
}

/// Keeps what engines found out by reading whole files.
///
/// This is a cache: losing it costs only time. All calls block, so none may run on a thread that others wait for.
public protocol TrackIndexStore: Sendable {
    /// Returns the key of an open file, whose offset stays.
    ///
    /// `nil` for anything but a regular file, or if it is too short to be worth it.
    func key(of descriptor: Int32, engine: EngineID) -> TrackIndexKey?

    /// Returns an open file that is positioned where the index begins; the index is the rest of the file.
    ///
    /// `nil` if none is kept, or if it was damaged.
    func open(_ key: TrackIndexKey) -> SharedDescriptor?

    /// Keeps an index; fails silently.
    func keep(_ index: [UInt8], for key: TrackIndexKey)
}
