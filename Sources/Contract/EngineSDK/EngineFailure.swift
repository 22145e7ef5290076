// SPDX-License-Identifier: Apache-2.0

public import EngineABI

/// The reason why a call failed: a code of the contract, and one line that says what failed, on what.
public struct EngineFailure: Error {
    public var code: rostrum_result
    public var message: String

    public init(_ code: rostrum_result, _ message: String) {
        self.code = code
        self.message = message
    }
}
