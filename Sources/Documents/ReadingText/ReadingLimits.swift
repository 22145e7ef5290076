// SPDX-License-Identifier: Apache-2.0

/// The bounds within which a foreign document is read.
public struct ReadingLimits: Sendable {
    /// The most bytes of a file that are read: more than any book.
    public var fileSize = 256 << 20
    /// The most bytes of text that come out of a file.
    public var textSize = 256 << 20
    /// The most bytes of one member of an archive, unpacked.
    public var memberSize = 64 << 20
    /// The most bytes of all members of an archive, unpacked.
    public var unpackedSize = 512 << 20
    /// The most members of an archive.
    public var members = 20_000
    /// The most elements within one another.
    public var depth = 256
    /// The most blocks.
    public var blocks = 2_000_000
    /// Returns `true` if reading must end soon; asked at least every few milliseconds.
    public var isInterrupted: @Sendable () -> Bool

    public init(isInterrupted: @escaping @Sendable () -> Bool = { false }) {
        self.isInterrupted = isInterrupted
    }
}
