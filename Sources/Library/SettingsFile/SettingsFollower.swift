// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Notices changes of the settings file.
///
/// Each call of `look` costs one system call; the file is read only if it has changed.
public struct SettingsFollower: Sendable {
    public enum News {
        case unchanged
        case settings(Settings)
        /// The fault of the file, in one line.
        ///
        /// The settings stay unchanged. Each version of the file is reported once.
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

    private let file: SettingsFile
    /// The version that was read last, or `nil` if there was no file.
    private var version: Version?
    private var hasLooked = false

    public init(_ path: String) { file = SettingsFile(path) }

    public mutating func look() -> News {
        var status = stat()
        let now =
            stat(file.path, &status) == 0
            ? Version(inode: status.st_ino, size: status.st_size, modified: status.st_mtim, changed: status.st_ctim)
            : nil
        guard !hasLooked || now != version else { return .unchanged }
        // Stored before the file is read: a write during the read makes another version.
        version = now
        hasLooked = true
        let (settings, complaint) = file.read()
        return complaint.map { .complaint($0) } ?? .settings(settings)
    }
}
