// SPDX-License-Identifier: Apache-2.0

/// How one case went.
public struct CaseResult: Sendable, Hashable {
    public enum Outcome: String, Sendable, CaseIterable {
        case passed, failed
        /// It does not apply to this engine; the detail says why.
        case skipped
        /// The process ended before the case had: by a signal, or because the engine called exit.
        case crashed
        /// The case had not ended by its deadline.
        case hung
    }

    /// Of the case, as `render.positions`.
    public var name: String
    public var outcome: Outcome
    /// One line for the author of the engine; empty if it passed.
    public var detail: String

    public init(name: String, outcome: Outcome, detail: String) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
    }

    /// Whether the engine is at fault.
    public var isFault: Bool { outcome != .passed && outcome != .skipped }
}

/// What ends a case early: the engine is at fault, or the case does not apply to it.
struct Finding: Error {
    var outcome: CaseResult.Outcome
    var detail: String

    /// What was called, what was expected of it, what came, and the sentence that it breaks.
    static func fault(_ call: String, expected: String, came: String, _ clause: Clause) -> Finding {
        Finding(
            outcome: .failed,
            detail: "\(call): expected \(expected); came \(came). \(clause.header): “\(clause.sentence)”")
    }

    static func skip(_ reason: String) -> Finding { Finding(outcome: .skipped, detail: reason) }
}

func expect(
    _ holds: Bool, _ call: @autoclosure () -> String, expected: @autoclosure () -> String,
    came: @autoclosure () -> String, _ clause: Clause
) throws(Finding) {
    if !holds { throw .fault(call(), expected: expected(), came: came(), clause) }
}
