// SPDX-License-Identifier: Apache-2.0

/// The time that all cases of a run may take together, whatever the engine does.
///
/// Times are in seconds of a clock that only grows.
public struct RunBudget: Sendable {
    /// The time for a whole run.
    public static let seconds = 30.0
    /// The time for each case after one that hung, because the others would mostly hang at the same point.
    static let afterHang = 3.0
    /// The least time with which a case is begun.
    static let least = 0.1

    private let end: Double
    private let total: Double
    private var hasHung = false

    public init(seconds: Double = RunBudget.seconds, now: Double) {
        total = seconds
        end = now + seconds
    }

    /// Returns the time for a case that wants `wanted` seconds, or `nil` if no time is left for it.
    func deadline(wanted: Double, now: Double) -> Double? {
        let left = end - now
        guard left >= Self.least else { return nil }
        return min(left, hasHung ? min(wanted, Self.afterHang) : wanted)
    }

    mutating func note(_ outcome: CaseResult.Outcome) {
        if outcome == .hung { hasHung = true }
    }

    /// Returns the result for a case that was not begun.
    func notRun(_ name: String) -> CaseResult {
        CaseResult(
            name: name, outcome: .notRun,
            detail:
                "not run: the \(format(total)) s of a run are over; name it with --case, or give all more time with --deadline"
        )
    }
}
