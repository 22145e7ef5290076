// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The files in an engine's folder that can become part of its code: libraries anywhere in it, and the folders that
/// lead to them.
struct LoadableFiles {
    struct Part {
        var path: String
        /// The status of the file, or of the target if it is a link.
        var status: FileStatus
    }

    private(set) var parts: [Part] = []
    /// `true` if everything in the folder was examined.
    private(set) var isWhole = true

    static let mostEntries = 65_536
    private static let deepest = 16

    private var entries = 0

    init(_ folder: String) { look(in: folder, of: folder, depth: 0) }

    private mutating func look(in folder: String, of engine: String, depth: Int) {
        for name in FileStatus.names(in: folder) where name != "." && name != ".." {
            entries += 1
            guard isWhole, entries <= Self.mostEntries, depth <= Self.deepest else {
                isWhole = false
                return
            }
            let path = "\(folder)/\(name)"
            let isLibrary = name.contains(".so")
            var own = stat()
            guard lstat(path, &own) == 0 else { continue }
            let kind = own.st_mode & S_IFMT
            guard kind == S_IFDIR || kind == S_IFLNK || isLibrary, let status = FileStatus(path) else { continue }
            if kind == S_IFDIR {
                parts.append(Part(path: path, status: status))
                look(in: path, of: engine, depth: depth + 1)
            } else if status.isFolder || isLibrary {
                parts.append(Part(path: path, status: status))
                if kind == S_IFLNK { followLink(path, of: engine) }
            }
        }
    }

    /// Adds the folder that contains a link's target outside the engine's folder, because others must not be able to
    /// replace the target.
    ///
    /// In a sticky folder such as `/tmp` they cannot: only the owner of an entry or of the folder may replace the
    /// entry, and both owners are checked.
    private mutating func followLink(_ path: String, of engine: String) {
        guard let target = FileStatus.resolve(path), !target.hasPrefix(engine + "/") else { return }
        let parent = target.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        if let status = FileStatus(parent.isEmpty ? "/" : parent) {
            parts.append(Part(path: parent, status: status.asParent))
        }
    }
}
