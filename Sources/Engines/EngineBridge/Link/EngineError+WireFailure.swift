// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback

extension EngineError {
    /// Creates an error from an engine's failure, with control characters replaced by spaces.
    ///
    /// The message is foreign: control characters could break the line or command a terminal.
    init(_ failure: WireFailure) {
        let line = failure.message.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }
        self.init(code: failure.code, message: String(String.UnicodeScalarView(line)))
    }
}
