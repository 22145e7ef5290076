// SPDX-License-Identifier: Apache-2.0

/// The limits on what either side sends or accepts.
///
/// A message that exceeds one is refused, or the engine is.
public enum Limits {
    public static let tracks: UInt32 = 65_536
    public static let chapters: UInt32 = 100_000
    /// The maximum of a position, and of a length, in units: up to it a `Double` holds every whole number.
    public static let units: Int64 = 1 << 53
    /// The units a second that a track may have; a text has fewer than a recording has frames.
    public static let unitRates = 0.1...384_000
    /// The maximum size of one string from an engine, in bytes of UTF-8.
    public static let string = 4_096
    /// The maximum size of a URL, or of all its headers together, in bytes.
    public static let url = 16_384
    /// The maximum size of all fingerprints of certificates, each followed by a newline, in bytes.
    public static let fingerprints = 65 * 64
    /// The maximum size of a file of certificates, in bytes.
    public static let certificates = 4 << 20
    /// The maximum size of the index of one track, in bytes.
    public static let index = 16 << 20
    /// The maximum size of the part of an index in one message, in bytes.
    public static let indexPart = 32_768
    /// The maximum size of the picture of one track, in bytes.
    public static let cover = 16 << 20
    /// The maximum size of the part of a picture in one message, in bytes.
    public static let coverPart = 32_768
    /// The maximum size of a picture's media type, in bytes.
    static let mediaType = 64
    /// The maximum number of texts with which a file that is cut describes itself.
    public static let tags = 8
    /// The maximum size of the key of such a text, of a format's name and of a file's extension, in bytes.
    public static let formatName = 15
    /// The maximum number of peaks in one message, six bytes each.
    public static let peaks: UInt32 = 4_096
    /// The number of frames that one peak may cover.
    public static let framesPerPeak: ClosedRange<UInt32> = 64...65_536
    /// The maximum number of voices of an engine; a neural voice may have a thousand speakers.
    public static let voices = 20_000
    /// The maximum size of one message, in bytes; less than a socket accepts by default.
    public static let message = 49_152
    /// Returns `true` if a string is a picture's media type: at most a few printable characters that begin with
    /// "image/".
    public static func allowsMediaType(_ type: String) -> Bool {
        (7...mediaType).contains(type.utf8.count) && type.hasPrefix("image/")
            && type.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The maximum number of entries in one batch of tracks, chapters or marks.
    static let batch = 1_024
}
