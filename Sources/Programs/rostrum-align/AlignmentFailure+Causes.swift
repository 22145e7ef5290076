// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import MediaPlayback

extension AlignmentFailure {
    init(_ error: EngineError) { self.init(.unavailable, error.message) }
    init(_ error: ItemError) { self.init(error.reason == .missing ? .missing : .content, error.message) }

    /// The exit code of `sysexits.h`.
    var exitCode: Int32 {
        switch kind {
        case .content: 65
        case .missing: 66
        case .unavailable: 69
        case .defect: 70
        case .system: 71
        case .disk: 73
        case .busy, .incomplete: 75
        }
    }
}
