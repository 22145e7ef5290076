// SPDX-License-Identifier: Apache-2.0

/// How an engine kept to its contract, as `engines check --json` prints it.
public struct EngineCheck: Codable, Sendable, Hashable {
    public struct Result: Codable, Sendable, Hashable {
        public var name: String
        /// `passed`, `failed`, `skipped`, `crashed` or `hung`.
        public var result: String
        public var detail: String
        /// `true` for a case that was not begun, because the time of the whole run was over; its `result` is `hung`.
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

        /// What came of it, in words.
        public var outcome: String { notRun == true ? "not run" : result }

        /// Whether the engine is at fault, or nothing is known of it.
        public var isFault: Bool { result != "passed" && result != "skipped" }
    }

    /// Its id.
    public var engine: String
    public var results: [Result]

    public init(engine: String, results: [Result]) {
        self.engine = engine
        self.results = results
    }

    /// One line: how many cases ended in which way.
    public var summary: String {
        let counts = ["passed", "failed", "crashed", "hung", "not run", "skipped"].compactMap { outcome in
            let count = results.filter { $0.outcome == outcome }.count
            return count > 0 || outcome == "passed" ? "\(count) \(outcome)" : nil
        }
        return "\(engine): \(counts.joined(separator: ", "))"
    }

    /// Why the check is not passed; `nil` if it is.
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

/// One line of what `rostrumd check-engine` prints: exactly one member is there.
public enum EngineCheckLine: Codable, Sendable, Hashable {
    case engine(String)
    case result(EngineCheck.Result)
    /// A case that there is, and what it is about.
    case known(name: String, about: String)
    case failed(SessionError)
}
