// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback

/// The file that holds the script of a document: the same one as long as the document is the same.
struct DocumentIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64

    init?(_ document: TextDocument) {
        var found = stat()
        guard fstat(document.script.rawValue, &found) == 0 else { return nil }
        device = UInt64(found.st_dev)
        inode = UInt64(found.st_ino)
        size = Int64(found.st_size)
    }
}
