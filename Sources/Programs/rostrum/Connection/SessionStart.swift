// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import SessionProtocol

/// A connection to the running session or to a new one that is made on a thread of its own: a start takes up to 10 s.
final class SessionStart {
    private final class Outcome {
        var result: Result<SessionConnection, SessionError>?
        var end: Int32 = -1
    }

    /// Readable when the result is there.
    let descriptor: Int32
    private let outcome: Outcome

    /// Begins; `nil` if the system has no descriptor or thread left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard ctransport_pipe(&ends) == 0 else { return nil }
        let outcome = Outcome()
        outcome.end = ends[1]
        var thread = pthread_t()
        let passed = Unmanaged.passRetained(outcome).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { passed in
                guard let passed else { return nil }
                let outcome = Unmanaged<Outcome>.fromOpaque(passed).takeRetainedValue()
                do throws(SessionError) {
                    outcome.result = .success(try Session.runningOrStarted())
                } catch {
                    outcome.result = .failure(error)
                }
                // The end of the pipe hands the outcome over; this thread does not touch it afterwards.
                close(outcome.end)
                return nil
            }, passed)
        guard result == 0 else {
            Unmanaged<Outcome>.fromOpaque(passed).release()
            for end in ends { close(end) }
            return nil
        }
        pthread_detach(thread)
        descriptor = ends[0]
        self.outcome = outcome
    }

    deinit { close(descriptor) }

    /// The result, once ``descriptor`` is readable.
    func take() -> Result<SessionConnection, SessionError> {
        var byte: UInt8 = 0
        _ = read(descriptor, &byte, 1)
        return outcome.result ?? .failure(SessionError(.defect, "the session did not start; report this"))
    }
}
