// SPDX-License-Identifier: Apache-2.0

/// Which files a book is played from, and in which order (document 000, `bookFileSpecs`).
public enum BookQueue {
    /// The files that are listed, in their order; else those that chapters name, each once, first seen first; else the
    /// book's own file.
    ///
    /// A folder is no file: only what `isPlayable` says yes to becomes a track.
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
