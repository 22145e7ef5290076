// SPDX-License-Identifier: Apache-2.0

import Glibc

extension UserFolders {
    /// `true` if a process holds the lock of the user's session; otherwise there is none, and none is starting.
    public var isInUse: Bool { lockState().isHeld }

    /// `true` if there is a session that is not leaving; one that leaves ends its lock's file with an empty line.
    public var hasSession: Bool {
        let found = lockState()
        return found.isHeld && !found.isLeaving
    }

    private func lockState() -> (isHeld: Bool, isLeaving: Bool) {
        let file = open(lock, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return (false, false) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(file, &bytes, bytes.count, 0)
        let isLeaving = count > 1 && bytes[..<count].suffix(2).allSatisfy { $0 == UInt8(ascii: "\n") }
        return (flock(file, LOCK_SH | LOCK_NB) != 0, isLeaving)
    }
}
