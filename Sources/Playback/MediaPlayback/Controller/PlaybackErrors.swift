// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import PlaybackCore

extension PlaybackError {
    /// Creates an error for a failure of an engine.
    public init(_ error: EngineError) {
        let kind: Kind =
            switch error.kind {
            case .unavailable, .unknownVoice: .unavailable
            case .refused: .notPermitted
            case .usage: .usage
            case .noInput: .noInput
            case .badContent: .badContent
            case .io, .timedOut: .io
            case .interrupted: .busy
            case .crashed, .misbehaved, .neverReady, .failed: .defect
            }
        self.init(kind, message: WebIdentity.redacted(error.message))
    }

    /// Creates an error for a failure of an output.
    public init(_ error: OutputError) {
        let kind: Kind =
            switch error.code {
            case .unavailable, .refused: .unavailable
            case .cannotCreate: .cannotCreate
            case .lost, .deviceGone, .timeout, .io: .io
            }
        self.init(kind, message: error.message)
    }

    /// Creates an error for an item that was not found.
    public init(_ error: ItemError) {
        let kind: Kind =
            switch error.reason {
            case .missing, .empty: .noInput
            case .unreadable, .notAFile, .unsupported: .badContent
            case .timedOut: .io
            }
        self.init(kind, message: error.message)
    }

    /// Carries out a call to an engine, and throws its failure in this form.
    static func ofEngine<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ call: () async throws(EngineError) -> Value
    ) async throws(PlaybackError) -> Value {
        do throws(EngineError) {
            return try await call()
        } catch {
            throw PlaybackError(error)
        }
    }
}
