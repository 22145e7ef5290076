// SPDX-License-Identifier: Apache-2.0

/// The most that either side sends or takes.
///
/// Beyond it a message, or the engine, is refused.
public enum Limits {
    public static let tracks: UInt32 = 65_536
    public static let chapters: UInt32 = 100_000
    /// Bytes of UTF-8 of one string from an engine.
    public static let string = 4_096
    /// Bytes of a URL, or of all its headers.
    public static let url = 16_384
    /// Bytes of fingerprints of certificates, with a newline behind each.
    public static let fingerprints = 65 * 64
    /// Bytes of a file of certificates.
    public static let certificates = 4 << 20
    /// Bytes of the index of one track.
    public static let index = 16 << 20
    /// Bytes of it in one message.
    public static let indexPart = 32_768
    /// Bytes of the picture of one track.
    public static let cover = 16 << 20
    /// Bytes of it in one message.
    public static let coverPart = 32_768
    /// Bytes of what kind of picture it is.
    static let mediaType = 64
    /// Bytes of one message; below what a socket takes without being asked to.
    public static let message = 49_152
    /// Says of a picture what it is, in a few printable characters.
    public static func allowsMediaType(_ type: String) -> Bool {
        (7...mediaType).contains(type.utf8.count) && type.hasPrefix("image/")
            && type.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Entries of one batch of tracks, chapters or marks.
    static let batch = 1_024
}
