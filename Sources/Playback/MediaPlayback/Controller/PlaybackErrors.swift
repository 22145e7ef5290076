// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import PlaybackCore

extension PlaybackError {
    /// Creates an error with the `sysexits.h` exit code for a failure of an engine.
    public init(_ error: EngineError) {
        let code: Int32 =
            switch error.code {
            case EngineError.unavailable: 69
            case EngineError.refused: 77
            case EngineError.usage: 64
            case EngineError.timeout: 74
            case EngineError.crashed, EngineError.misbehaved: 70
            // These are codes of the engine contract, rostrum/engine.h.
            case -201: 66
            case -202: 65
            case -299 ... -203: 74
            case -402: 69
            case -499 ... -300: 65
            case -104: 65
            default: 70
            }
        self.init(code: code, message: WebIdentity.redacted(error.message))
    }

    /// Creates an error with the `sysexits.h` exit code for a failure of an output.
    public init(_ error: OutputError) {
        let code: Int32 =
            switch error.code {
            case .unavailable, .refused: 69
            case .cannotCreate: 73
            case .lost, .deviceGone, .timeout, .io: 74
            }
        self.init(code: code, message: error.message)
    }

    /// Creates an error with the `sysexits.h` exit code for an item that was not found.
    public init(_ error: ItemError) {
        let code: Int32 =
            switch error.reason {
            case .missing, .empty: 66
            case .unreadable, .notAFile, .unsupported: 65
            case .timedOut: 74
            }
        self.init(code: code, message: error.message)
    }
}
