// SPDX-License-Identifier: Apache-2.0

/// An engine's description of a book, for the library.
public struct BookInspection: Sendable {
    public var media: LoadedMedia
    public var picture: EmbeddedPicture

    public init(media: LoadedMedia, picture: EmbeddedPicture = .notAsked) {
        self.media = media
        self.picture = picture
    }
}

/// The picture embedded in a book's files: the one in the first file that has any.
public enum EmbeddedPicture: Sendable, Hashable {
    case notAsked
    /// None of the files has a picture.
    case absent
    case found(CoverPicture)
    /// The reason, in one line, why it is not known if there is a picture.
    case unknown(String)

    /// Returns the combined result after another file was searched, too.
    func or(_ next: EmbeddedPicture) -> EmbeddedPicture {
        switch (self, next) {
        case (.found, _), (.unknown, .absent), (_, .notAsked): self
        case (.unknown, .unknown): self
        default: next
        }
    }
}
