// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import MediaPlayback

/// The reason why an alignment failed, with the exit code of `sysexits.h`.
struct AlignFailure: Error {
    var message: String
    var code: Int32

    init(_ message: String, _ code: Int32) {
        self.message = message
        self.code = code
    }

    init(_ error: AlignmentFileError) {
        let code: Int32 =
            switch error.kind {
            case .io: 73
            case .format: 65
            case .busy: 75
            }
        self.init(error.message, code)
    }

    init(_ error: EngineError) { self.init(error.message, 69) }
    init(_ error: ItemError) { self.init(error.message, error.reason == .missing ? 66 : 65) }
}
