// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
public import MediaPlayback

extension EngineError {
    /// Creates an error from a number of the engine contract, or one of those above.
    public init(number: Int32, message: String) {
        self.init(Self.kind(of: number), message: message, number: number)
    }

    private static func kind(of number: Int32) -> Kind {
        switch number {
        case EngineNumber.unavailable: .unavailable
        case EngineNumber.timedOut: .timedOut
        case EngineNumber.crashed: .crashed
        case EngineNumber.misbehaved: .misbehaved
        case EngineNumber.refused: .refused
        case EngineNumber.usage: .usage
        case EngineNumber.neverReady: .neverReady
        case ROSTRUM_ERROR_NOT_FOUND: .noInput
        case ROSTRUM_ERROR_PERMISSION, ROSTRUM_ERROR_UNSUPPORTED: .badContent
        case ROSTRUM_ERROR_VOICE: .unknownVoice
        case ROSTRUM_ERROR_INTERRUPTED: .interrupted
        // The contract's ranges: sources from 200 on, formats from 300, decoding from 400.
        case -299...ROSTRUM_ERROR_IO: .io
        case -499 ... -300: .badContent
        default: .failed
        }
    }
}
