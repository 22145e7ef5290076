// SPDX-License-Identifier: Apache-2.0

/// A picture that was inside of a file, as an engine gave it.
public struct CoverPicture: Sendable, Hashable {
    /// What the engine says that it is, as `image/jpeg`.
    public var mediaType: String
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// Keeps pictures that were inside of files, each once, for as long as a book of the library names it.
public protocol CoverStore: Sendable {
    /// - Returns: the path of a file with this picture, for ``Book/cover``.
    func keep(_ picture: CoverPicture) async throws(PlaceStoreError) -> String

    /// Whether this is the path of a picture that is kept here, not one of the listener's own.
    func keeps(_ path: String) -> Bool
}
