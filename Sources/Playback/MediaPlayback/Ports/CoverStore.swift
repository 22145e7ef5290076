// SPDX-License-Identifier: Apache-2.0

/// A picture embedded in a file, as an engine delivered it.
public struct CoverPicture: Sendable, Hashable {
    /// The media type that the engine states, such as `image/jpeg`.
    public var mediaType: String
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// Keeps embedded pictures, each once, for as long as a book of the library refers to it.
public protocol CoverStore: Sendable {
    /// Keeps a picture.
    ///
    /// - Returns: the path of a file with this picture, for ``Book/cover``.
    func keep(_ picture: CoverPicture) async throws(PlaceStoreError) -> String

    /// Returns whether this is the path of a picture that is kept here, not one of the user's own.
    func keeps(_ path: String) -> Bool
}
