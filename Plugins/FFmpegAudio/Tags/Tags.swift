// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The texts with which a file describes itself, always valid UTF-8.
struct Tags {
    private let dictionaries: [OpaquePointer?]

    /// Reads the tags of the file, and then those of the stream, which is where Ogg keeps them.
    init(_ container: Container) {
        dictionaries = [container.context.pointee.metadata, container.stream.pointee.metadata]
    }

    subscript(key: String) -> String? {
        for dictionary in dictionaries {
            if let entry = av_dict_get(dictionary, key, nil, 0), let value = Self.text(entry.pointee.value) {
                return value
            }
        }
        return nil
    }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer else { return nil }
        // Invalid bytes become U+FFFD.
        let text = String(cString: pointer)
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    private func first(_ keys: String...) -> String? {
        for key in keys {
            if let value = self[key] { return value }
        }
        return nil
    }

    var trackTitle: String? { first("title") }
    var author: String? { first("artist", "album_artist", "author", "performer") }

    /// Returns the title of a book; with several files, a file's own title is only that of its part.
    func bookTitle(trackCount: Int) -> String? {
        trackCount > 1 ? first("album") : first("title", "album")
    }
}
