// SPDX-License-Identifier: Apache-2.0

import Clocks

/// The memory of a server that did not answer.
///
/// It keeps the calls behind one that waited from waiting as long again: a load tries twice, in parallel with the
/// engine's start and with its stream, and the user's 10 s are spent once. Times are monotonic, in nanoseconds.
struct UnreachableOutput: Sendable {
    private static let wait = 500 * MonotonicTime.millisecond
    private static let validity = MonotonicTime.second

    private var failure: (error: OutputError, at: Int64)?

    /// Throws the error of an attempt that just took long to fail; forgets an older one.
    mutating func check(at now: Int64) throws(OutputError) {
        if let failure, now - failure.at < Self.validity { throw failure.error }
        failure = nil
    }

    /// Keeps the error of an attempt if it took long.
    mutating func note(_ error: OutputError, from start: Int64, to end: Int64) {
        if end - start >= Self.wait { failure = (error, end) }
    }

    mutating func forget() { failure = nil }
}
