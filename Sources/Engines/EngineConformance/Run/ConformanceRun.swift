// SPDX-License-Identifier: Apache-2.0

import CTransport
public import EngineTransport
import Glibc

/// A check of one engine, which runs each case in a process of its own, one after the other.
public struct ConformanceRun: Sendable {
    private let engine: EngineDescription
    private let runner: String
    private let deadline: Double?
    private let options: [String]

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - runner: The path of `rostrum-engine-runner`.
    ///   - options: The rights that the runner keeps, as in a session; without options it keeps all.
    ///   - deadline: The time in seconds for every case, in place of the case's own.
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

    /// Runs a case as one of several, which share the available time.
    public func run(_ check: ConformanceCase, within budget: inout RunBudget) throws(SystemError) -> CaseResult {
        guard let seconds = budget.deadline(wanted: check.deadline, now: monotonicSeconds()) else {
            return budget.notRun(check.name)
        }
        let result = try CaseProcess.run(check.name, of: engine, runner: runner, options: options, deadline: seconds)
        budget.note(result.outcome)
        return result
    }

    /// Returns a budget that begins now.
    public static func budget(seconds: Double = RunBudget.seconds) -> RunBudget {
        RunBudget(seconds: seconds, now: monotonicSeconds())
    }

    /// The size up to which each output of a case may be written, in bytes.
    ///
    /// An engine that prints without end must not fill the memory. The kit's content is written to files, too.
    public static let fileBytes: UInt64 = 64 << 20

    /// Runs one case in this process, which then exits; this is the child's side of a run.
    ///
    /// - Parameters:
    ///   - arguments: The name of the case, and the arguments that describe the engine. Descriptor 3 is the report.
    ///   - confine: Gives up the rights that the engine must not have.
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
        // Skip the exit handlers of foreign code, which may still be in a call.
        _exit(0)
    }
}
