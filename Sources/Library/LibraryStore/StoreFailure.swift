// SPDX-License-Identifier: Apache-2.0

import GRDB
import MediaPlayback

extension PlaceStoreError {
    /// Explains a failure of SQLite to the user.
    init(_ error: any Error, doing what: String, _ path: String) {
        if let error = error as? PlaceStoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.unavailable, "cannot \(what) \(path): it contains invalid values")
            return
        }
        let advice: String
        var reason = Reason.unavailable
        switch error.resultCode {
        case .SQLITE_FULL:
            reason = .diskFull
            advice = "the disk is full; make room"
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            advice = "it cannot be written; check the permissions of the file and its folder"
        case .SQLITE_CANTOPEN: advice = "check that its folder can be written and that it is a file"
        case .SQLITE_BUSY, .SQLITE_LOCKED: advice = "another program has locked it"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: advice = "it is damaged; it is set aside and a new one is created"
        default: advice = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        }
        self.init(reason, "cannot \(what) \(path): \(advice)")
    }
}
