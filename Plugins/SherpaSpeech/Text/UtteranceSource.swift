// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A source of what is said, in order of the document.
protocol UtteranceSource {
    /// Returns the utterance that holds a position or, if none does, the next one; `nil` if nothing is said from there
    /// on.
    func utterance(at position: Int64) throws(EngineFailure) -> SpokenUtterance?
}

/// The session's script.
struct ScriptSource: UtteranceSource {
    let host: Host

    /// Creates the source, or returns `nil` if the content has no script.
    init?(_ host: Host, at position: Int64) throws(EngineFailure) {
        self.host = host
        do throws(EngineFailure) {
            _ = try host.utterance(at: position)
        } catch {
            if error.code == ROSTRUM_ERROR_UNSUPPORTED { return nil }
            throw error
        }
    }

    func utterance(at position: Int64) throws(EngineFailure) -> SpokenUtterance? {
        guard let found = try host.utterance(at: position) else { return nil }
        guard found.units.upperBound > position, !found.text.isEmpty else {
            throw EngineFailure(ROSTRUM_ERROR_CORRUPT, "the script goes back at \(position)")
        }
        return found
    }
}
