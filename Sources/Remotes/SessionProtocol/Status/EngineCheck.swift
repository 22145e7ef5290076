// SPDX-License-Identifier: Apache-2.0

/// The conformance of an engine to its contract, as `engines check --json` prints it.
public struct EngineCheck: Codable, Sendable, Hashable {
    public struct Result: Codable, Sendable, Hashable {
        public var name: String
        /// One of `passed`, `failed`, `skipped`, `crashed` and `hung`.
        public var result: String
        public var detail: String
        /// `true` for a case that was not started because the time of the whole run was over; its `result` is `hung`.
        public var notRun: Bool?

        private enum CodingKeys: String, CodingKey {
            case name = "case"
            case result, detail, notRun
        }

        public init(name: String, result: String, detail: String, notRun: Bool? = nil) {
            self.name = name
            self.result = result
            self.detail = detail
            self.notRun = notRun
        }

        /// The outcome in words.
        public var outcome: String { notRun == true ? "not run" : result }

        /// `true` if the engine failed the case, or if its result is unknown.
        public var isFault: Bool { result != "passed" && result != "skipped" }
    }

    /// The ID of the engine.
    public var engine: String
    public var results: [Result]

    public init(engine: String, results: [Result]) {
        self.engine = engine
        self.results = results
    }

    /// One line with the number of cases for each outcome.
    public var summary: String {
        let counts = ["passed", "failed", "crashed", "hung", "not run", "skipped"].compactMap { outcome in
            let count = results.filter { $0.outcome == outcome }.count
            return count > 0 || outcome == "passed" ? "\(count) \(outcome)" : nil
        }
        return "\(engine): \(counts.joined(separator: ", "))"
    }

    /// The reason why the check failed; `nil` if it passed.
    public var failure: SessionError? {
        let open = results.filter { $0.notRun == true }.count
        let faults = results.filter(\.isFault).count - open
        let left = "\(open == 1 ? "was" : "were") not run; give more time with --deadline"
        switch (faults, open) {
        case (0, 0): return nil
        case (0, _):
            return SessionError(.checkFailed, "\(open) of \(results.count) cases of \(engine) \(left)")
        case (_, 0):
            return SessionError(
                .checkFailed, "\(engine) fails \(faults) of \(results.count) cases; each says what it broke")
        default:
            return SessionError(
                .checkFailed,
                "\(engine) fails \(faults) of \(results.count) cases, each says what it broke; \(open) \(left)")
        }
    }
}

/// One line of the output of `rostrumd check-engine`; exactly one member is present.
public enum EngineCheckLine: Codable, Sendable, Hashable {
    case engine(String)
    case result(EngineCheck.Result)
    /// An existing case and its subject.
    case known(name: String, about: String)
    case failed(SessionError)
}
