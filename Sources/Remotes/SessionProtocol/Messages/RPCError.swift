// SPDX-License-Identifier: Apache-2.0

/// The `error` member of a JSON-RPC answer: `{"code":…,"message":…,"data":{"exit":…}}`.
public struct RPCError: Error, Sendable, Hashable, Codable {
    public struct Details: Sendable, Hashable, Codable {
        /// The exit code of `sysexits.h` with which a command line ends for this error.
        public var exit: Int32
        public init(exit: Int32) { self.exit = exit }
    }

    public var code: Int
    public var message: String
    public var data: Details?

    public init(code: Int, message: String, exit: SessionError.Code) {
        self.code = code
        self.message = message
        data = Details(exit: exit.rawValue)
    }

    public static func parse(_ message: String) -> RPCError { RPCError(code: -32700, message: message, exit: .usage) }
    public static func invalidRequest(_ message: String) -> RPCError {
        RPCError(code: -32600, message: message, exit: .usage)
    }
    public static func methodNotFound(_ message: String) -> RPCError {
        RPCError(code: -32601, message: message, exit: .usage)
    }
    public static func invalidParams(_ message: String) -> RPCError {
        RPCError(code: -32602, message: message, exit: .usage)
    }
}

// MARK: - Exit codes

/// The mapping between exit codes and error codes.
///
/// JSON-RPC reserves −32099 to −32000 for servers. Exit code N is sent as −32000−N, except for usage (−32602, invalid
/// params) and a defect (−32603, internal error), which have codes of their own.
extension RPCError {
    public init(_ error: SessionError) {
        let code =
            switch error.code {
            case .usage: -32602
            case .defect: -32603
            default: (1...99).contains(error.code.rawValue) ? -32000 - Int(error.code.rawValue) : -32603
            }
        self.init(code: code, message: error.message, exit: error.code)
    }

    /// The error as a command line shows it; `data.exit` takes precedence over the code.
    public var sessionError: SessionError {
        if let exit = data?.exit, (1...255).contains(exit) { return SessionError(.init(rawValue: exit), message) }
        switch code {
        case -32700, -32602, -32601, -32600: return SessionError(.usage, message)
        case -32099 ... -32001: return SessionError(.init(rawValue: Int32(-32000 - code)), message)
        default: return SessionError(.defect, message)
        }
    }
}
