// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import Glibc

/// The identity of files for somebody who knows nothing else of them: their sizes and the times of their last change.
enum ContentIdentity {
    /// Returns the identity that somebody knows, or else that of the files, which must exist.
    static func of(_ paths: [String], unless known: String?) throws(AlignmentFailure) -> String {
        var parts: [String] = []
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0 else {
                throw AlignmentFailure(
                    errno == ENOENT ? .missing : .content, "\(path): \(String(cString: strerror(errno)))")
            }
            parts.append("\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)")
        }
        return known ?? parts.joined(separator: " ")
    }
}
