// SPDX-License-Identifier: Apache-2.0

/// A failure of an engine.
public struct EngineError: Error, Sendable, Hashable {
    /// A code of the contract (negative), or one of the codes below.
    public var code: Int32
    /// One line for the user.
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// There is no engine with this id, or it may not be loaded.
    public static let unavailable: Int32 = -1
    /// The engine did not answer in time and was ended.
    public static let timeout: Int32 = -2
    /// The engine process died.
    public static let crashed: Int32 = -3
    /// The engine broke the contract.
    public static let misbehaved: Int32 = -4
    /// The engine's folder or licence does not permit loading it.
    public static let refused: Int32 = -5
    /// The request makes no sense for this content.
    public static let usage: Int32 = -6

    /// The engine process ended before it was ready; no item is at fault.
    public static let neverReady: Int32 = -7

    /// Whether the process is gone or is being ended, so that the content is not at fault.
    public var isOfTheProcess: Bool {
        [Self.unavailable, Self.timeout, Self.crashed, Self.misbehaved, Self.neverReady].contains(code)
    }
}
