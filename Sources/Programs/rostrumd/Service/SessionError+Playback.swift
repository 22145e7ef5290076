// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import SessionProtocol
import TransitionRecords

extension SessionError {
    /// Creates the error by which the protocol tells a failure of playback.
    init(_ error: PlaybackError) {
        self.init(Code(rawValue: error.kind.exitCode), error.message)
    }
}

extension PlaybackError {
    /// Creates an error for a refusal by the protocol's own rules.
    init(_ error: SessionError) {
        let kind = Kind.allCases.first { $0.exitCode == error.code.rawValue }
        self.init(kind ?? .usage, message: error.message)
    }
}
