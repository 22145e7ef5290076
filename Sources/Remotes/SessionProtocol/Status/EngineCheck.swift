// SPDX-License-Identifier: Apache-2.0

/// How an engine kept to its contract, as `engines check --json` prints it.
public struct EngineCheck: Codable, Sendable, Hashable {
    public struct Result: Codable, Sendable, Hashable {
        public var name: String
        /// `passed`, `failed`, `skipped`, `crashed` or `hung`.
        public var result: String
        public var detail: String

        private enum CodingKeys: String, CodingKey {
            case name = "case"
            case result, detail
        }

        public init(name: String, result: String, detail: String) {
            self.name = name
            self.result = result
            self.detail = detail
        }

        /// Whether the engine is at fault.
        public var isFault: Bool { result != "passed" && result != "skipped" }
    }

    /// Its id.
    public var engine: String
    public var results: [Result]

    public init(engine: String, results: [Result]) {
        self.engine = engine
        self.results = results
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
