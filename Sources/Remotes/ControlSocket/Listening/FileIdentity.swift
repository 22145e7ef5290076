// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which file it is, whatever its name is now.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// What lies at the path; nil: nothing that can be seen.
    ///
    /// A link is itself.
    init?(at path: String) {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        self.init(found)
    }

    init?(of descriptor: Int32) {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        self.init(found)
    }

    private init(_ found: stat) {
        device = UInt64(found.st_dev)
        inode = UInt64(found.st_ino)
    }
}
