// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The identity of a file, whatever its current name.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Creates the identity of what is at the path; `nil` if nothing can be seen there.
    ///
    /// A symbolic link is not followed.
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
