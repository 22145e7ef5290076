// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback

extension EngineError {
    /// Creates an error from an engine's failure, with a message of one line that a terminal only shows.
    init(_ failure: WireFailure) {
        self.init(number: failure.code, message: failure.message.harmless)
    }
}
