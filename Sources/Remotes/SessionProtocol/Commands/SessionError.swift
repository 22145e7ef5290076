// SPDX-License-Identifier: Apache-2.0

/// The error of a command that could not be carried out.
///
/// It has an exit code of `sysexits.h`, and one line that says what failed, on what, and what to do.
public struct SessionError: Error, Sendable, Hashable, Codable {
    /// The exit code; a client treats a code that it does not know as ``defect``.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        public var rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }

        public static let checkFailed = Code(rawValue: 1)
        public static let usage = Code(rawValue: 64)
        public static let badContent = Code(rawValue: 65)
        public static let notFound = Code(rawValue: 66)
        public static let unavailable = Code(rawValue: 69)
        public static let defect = Code(rawValue: 70)
        public static let cannotCreate = Code(rawValue: 73)
        public static let io = Code(rawValue: 74)
        public static let busy = Code(rawValue: 75)
        public static let notPermitted = Code(rawValue: 77)
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error of a command that goes on although its time is up.
    public init(late command: String, after limit: Duration) {
        self.init(.busy, "\(command): takes longer than \(limit.components.seconds) s; look again later")
    }
}
