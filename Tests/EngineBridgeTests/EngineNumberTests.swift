// SPDX-License-Identifier: Apache-2.0

import EngineBridge
import EngineTransport
import MediaPlayback
import Testing

@Suite struct `The number of a failure` {
    /// Numbers of the contract and of the session, and the kind of failure that each stands for.
    static let numbers: [(number: Int32, kind: EngineError.Kind)] = [
        (-101, .failed), (-102, .failed), (-104, .badContent), (-105, .interrupted), (-200, .failed), (-201, .noInput),
        (-202, .badContent), (-203, .io), (-204, .io), (-299, .io), (-301, .badContent), (-302, .badContent),
        (-401, .badContent), (-402, .unknownVoice), (-499, .badContent), (-1234, .failed),
        (EngineNumber.unavailable, .unavailable), (EngineNumber.timedOut, .timedOut), (EngineNumber.crashed, .crashed),
        (EngineNumber.misbehaved, .misbehaved), (EngineNumber.refused, .refused), (EngineNumber.usage, .usage),
        (EngineNumber.neverReady, .neverReady),
    ]

    @Test(arguments: numbers)
    func `stands for one kind, and is kept for the log`(_ number: Int32, _ kind: EngineError.Kind) {
        let error = EngineError(number: number, message: "it went wrong")
        #expect(error == EngineError(kind, message: "it went wrong", number: number))
    }
}
