// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import ReadingList

/// A machine without documents and without a web.
struct NoWeb: DocumentReading {
    static func list(_ folder: String) -> ReadingList {
        ReadingList(folder: folder, now: { 0 }) { url, _, _ in .failure(ItemError(.unreadable, "\(url): no web")) }
    }

    func read(
        _ source: TrackSource, name: String, charset: String?, wishes: ReadingWishes
    ) async throws(ItemError) -> TextDocument {
        throw ItemError(.unsupported, "\(name): no documents")
    }
}
