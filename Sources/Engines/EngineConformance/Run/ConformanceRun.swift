// SPDX-License-Identifier: Apache-2.0

import CTransport
public import EngineTransport
import Glibc

/// Checks one engine: each case in a process of its own, one after the other.
public struct ConformanceRun: Sendable {
    private let engine: EngineDescription
    private let runner: String
    private let deadline: Double?

    /// - Parameters:
    ///   - runner: path of `rostrum-engine-runner`.
    ///   - deadline: seconds for every case, in place of its own.
    public init(_ engine: EngineDescription, runner: String, deadline: Double? = nil) {
        self.engine = engine
        self.runner = runner
        self.deadline = deadline
    }

    public func run(_ check: ConformanceCase) throws(SystemError) -> CaseResult {
        try CaseProcess.run(check.name, of: engine, runner: runner, deadline: deadline ?? check.deadline)
    }

    /// The other side: runs one case in this process, which then ends.
    ///
    /// - Parameter arguments: name of the case, and what describes the engine; 3 is the descriptor of the report.
    public static func serve(_ arguments: ArraySlice<String>) -> Never {
        guard let name = arguments.first, let check = ConformanceCase.all.first(where: { $0.name == name }),
            let engine = EngineDescription(arguments: arguments.dropFirst()),
            let report = try? CaseReport(3)
        else { _exit(64) }
        close(3)
        ctransport_confine_child()
        // An engine that talks without end must not fill the memory.
        var limit = rlimit(rlim_cur: 64 << 20, rlim_max: 64 << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
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
