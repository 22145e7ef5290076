// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback
import SettingsFile
import TransitionLog

/// What `settings.json` says, at the start and whenever it was written anew; what is wrong with it goes to the log, once.
struct SettingsNews {
    private var follower: SettingsFollower
    private let log: TransitionLog

    init(_ path: String, log: TransitionLog) {
        follower = SettingsFollower(path)
        self.log = log
    }

    /// Nil: nothing new, or nothing that can be used.
    mutating func take() -> SettingsFile.Settings? {
        switch follower.look() {
        case .unchanged: return nil
        case .settings(let settings): return settings
        case .complaint(let line):
            log.complain(line)
            return nil
        }
    }
}

extension TransitionLog {
    /// A note for whoever looks for the reason, also in the session's own log.
    func complain(_ line: String) {
        record(TransitionEntry(.event, cause: .restore, fields: ["event": "note", "message": .string(line)]))
        let bytes = Array("rostrumd: \(line)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
