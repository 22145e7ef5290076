// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Sees when `settings.json` was written anew.
///
/// A look costs one call of the system; the file is read when it is another one.
public struct SettingsFollower {
    public enum News {
        case unchanged
        case settings(SettingsFile.Settings)
        /// What is wrong with the file, in one line; the settings stay as they are. Said once for each version of it.
        case complaint(String)
    }

    private struct Version: Equatable {
        var inode: ino_t
        var size: off_t
        var modified: timespec
        var changed: timespec

        static func == (one: Version, other: Version) -> Bool {
            func equal(_ a: timespec, _ b: timespec) -> Bool { a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec }
            return one.inode == other.inode && one.size == other.size && equal(one.modified, other.modified)
                && equal(one.changed, other.changed)
        }
    }

    private let path: String
    /// Nil: there is no file.
    private var version: Version?
    private var hasLooked = false

    public init(_ path: String) { self.path = path }

    public mutating func look() -> News {
        var status = stat()
        let now =
            stat(path, &status) == 0
            ? Version(inode: status.st_ino, size: status.st_size, modified: status.st_mtim, changed: status.st_ctim)
            : nil
        guard !hasLooked || now != version else { return .unchanged }
        // Before it is read: what is written meanwhile is another version.
        version = now
        hasLooked = true
        let (settings, complaint) = SettingsFile.read(path)
        return complaint.map { .complaint($0) } ?? .settings(settings)
    }
}
