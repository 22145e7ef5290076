// SPDX-License-Identifier: Apache-2.0

import CTransport
public import EngineTransport
import Glibc

/// Checks one engine: each case in a process of its own, one after the other.
public struct ConformanceRun: Sendable {
    private let engine: EngineDescription
    private let runner: String
    private let deadline: Double?
    private let options: [String]

    /// - Parameters:
    ///   - runner: path of `rostrum-engine-runner`.
    ///   - options: what that keeps of its rights, as it is told for a session; it keeps all if there are none.
    ///   - deadline: seconds for every case, in place of its own.
    public init(
        _ engine: EngineDescription, runner: String, options: [String] = [], deadline: Double? = nil
    ) {
        self.engine = engine
        self.runner = runner
        self.deadline = deadline
        self.options = options
    }

    public func run(_ check: ConformanceCase) throws(SystemError) -> CaseResult {
        try CaseProcess.run(
            check.name, of: engine, runner: runner, options: options, deadline: deadline ?? check.deadline)
    }

    /// The same as one of several, which share what time there is.
    public func run(_ check: ConformanceCase, within budget: inout RunBudget) throws(SystemError) -> CaseResult {
        guard let seconds = budget.deadline(wanted: check.deadline, now: monotonicSeconds()) else {
            return budget.notRun(check.name)
        }
        let result = try CaseProcess.run(check.name, of: engine, runner: runner, options: options, deadline: seconds)
        budget.note(result.outcome)
        return result
    }

    /// A budget that begins now.
    public static func budget(seconds: Double = RunBudget.seconds) -> RunBudget {
        RunBudget(seconds: seconds, now: monotonicSeconds())
    }

    /// How far each output of a case may be written, in bytes.
    ///
    /// An engine that talks without end must not fill the memory. What the kit plays is written, too.
    public static let fileBytes: UInt64 = 64 << 20

    /// The other side: runs one case in this process, which then ends.
    ///
    /// - Parameters:
    ///   - arguments: name of the case, and what describes the engine; 3 is the descriptor of the report.
    ///   - confine: gives up what the engine is not to have.
    public static func serve(_ arguments: ArraySlice<String>, confine: (EngineDescription) -> Void) -> Never {
        guard let name = arguments.first, let check = ConformanceCase.all.first(where: { $0.name == name }),
            let engine = EngineDescription(arguments: arguments.dropFirst()),
            let report = try? CaseReport(3)
        else { _exit(64) }
        close(3)
        ctransport_confine_child()
        var limit = rlimit(rlim_cur: rlim_t(fileBytes), rlim_max: rlim_t(fileBytes))
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        confine(engine)
        do throws(Finding) {
            try check.run(CaseContext(engine: engine, report: report))
            report.finish(.passed, "")
        } catch {
            report.finish(error.outcome, error.detail)
        }
        // Without the exit handlers of foreign code, which may still be in a call.
        _exit(0)
    }
}
