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
