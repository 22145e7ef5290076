// SPDX-License-Identifier: Apache-2.0

/// The choice of the files that a book is played from, and of their order.
public enum BookQueue {
    /// Returns the listed files in their order; else those that chapters name; else the book's own file.
    ///
    /// Files that chapters name appear once each, in the order of first mention. A folder is not a file: only what
    /// `isPlayable` accepts becomes a track.
    public static func files<File: Hashable>(
        listed: [File] = [], chapters: [File] = [], own: File?, isPlayable: (File) -> Bool = { _ in true }
    ) -> [File] {
        let listed = listed.filter(isPlayable)
        if !listed.isEmpty { return listed }
        var seen: Set<File> = []
        let named = chapters.filter { seen.insert($0).inserted && isPlayable($0) }
        if !named.isEmpty { return named }
        return own.map { isPlayable($0) ? [$0] : [] } ?? []
    }
}
