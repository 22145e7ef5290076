// SPDX-License-Identifier: Apache-2.0

import EngineABI
public import MediaPlayback

/// The numbers by which the log names failures that the engine contract, `rostrum/engine.h`, has none for.
public enum EngineNumber {
    public static let unavailable: Int32 = -1
    public static let timedOut: Int32 = -2
    public static let crashed: Int32 = -3
    public static let misbehaved: Int32 = -4
    public static let refused: Int32 = -5
    public static let usage: Int32 = -6
    public static let neverReady: Int32 = -7
}

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
        // The contract's ranges: sources from 200 on, formats from 300, decoding from 400.
        case -299 ... -203: .io
        case -499 ... -300: .badContent
        default: .failed
        }
    }
}
