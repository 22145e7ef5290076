// SPDX-License-Identifier: Apache-2.0

/// What an engine said of a book for the library.
public struct BookInspection: Sendable {
    public var media: LoadedMedia
    public var picture: EmbeddedPicture

    public init(media: LoadedMedia, picture: EmbeddedPicture = .notAsked) {
        self.media = media
        self.picture = picture
    }
}

/// The picture inside of a book's files: that of the first one that has any.
public enum EmbeddedPicture: Sendable, Hashable {
    case notAsked
    /// None of the files has one.
    case absent
    case found(CoverPicture)
    /// Why it cannot be said whether there is one; one line.
    case unknown(String)

    /// What is known once another file has been asked, too.
    func or(_ next: EmbeddedPicture) -> EmbeddedPicture {
        switch (self, next) {
        case (.found, _), (.unknown, .absent), (_, .notAsked): self
        case (.unknown, .unknown): self
        default: next
        }
    }
}
