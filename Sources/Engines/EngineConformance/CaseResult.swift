// SPDX-License-Identifier: Apache-2.0

/// The result of one case.
public struct CaseResult: Sendable, Hashable {
    public enum Outcome: String, Sendable, CaseIterable {
        case passed, failed
        /// The case does not apply to this engine; the detail says why.
        case skipped
        /// The process ended before the case did: by a signal, or because the engine called exit.
        case crashed
        /// The case had not ended by its deadline.
        case hung
        /// The case was not begun, because the time of the whole run was over; nothing is known of it.
        case notRun
    }

    /// The name of the case, such as `render.positions`.
    public var name: String
    public var outcome: Outcome
    /// One line for the author of the engine; empty if the case passed.
    public var detail: String

    public init(name: String, outcome: Outcome, detail: String) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
    }

    /// `true` if the engine is at fault.
    public var isFault: Bool { outcome != .passed && outcome != .skipped }
}

/// The reason why a case ends early: the engine is at fault, or the case does not apply to it.
struct Finding: Error {
    var outcome: CaseResult.Outcome
    var detail: String

    /// Returns a fault that says what was called, what was expected, what came, and which sentence of the contract it
    /// breaks.
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
