// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc
import SessionProtocol

/// A file that says that a session played when a signal ended it.
///
/// A session that starts right after that continues: a service that is restarted, or upgraded, does not stop a book. A
/// session that starts later does not.
struct RestartMark {
    /// The time in which a service manager starts the next session.
    private static let validity = 10 * MonotonicTime.second

    private let path: String

    /// - Parameter folders: The file is in the runtime folder, so that it is gone after a logout.
    init(_ folders: UserFolders) { path = folders.runtime + "/playing" }

    func set() {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(String(MonotonicTime.now()).utf8)
        _ = write(file, bytes, bytes.count)
    }

    /// Removes the file and returns `true` if it was there and is still valid.
    func take() -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        unlink(path)
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        guard count > 0, let time = Int64(String(decoding: bytes[..<count], as: UTF8.self)) else { return false }
        return (0...Self.validity).contains(MonotonicTime.now() - time)
    }
}
