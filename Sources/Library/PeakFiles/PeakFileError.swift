// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failure to keep peaks on disk; they can still be shown from memory.
public struct PeakFileError: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// There is no room on the disk, or none that the user may use.
        case full
        /// Another session makes the same peaks.
        case inUse
        /// The disk or the folder failed in another way.
        case io
    }

    public var kind: Kind
    /// One line: what failed, on what.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Creates an error from `errno`.
    init(_ action: String, _ path: String, code: Int32 = errno) {
        kind = [ENOSPC, EDQUOT, EFBIG].contains(code) ? .full : .io
        message = "cannot \(action) \(path): \(String(cString: strerror(code)))"
    }
}
