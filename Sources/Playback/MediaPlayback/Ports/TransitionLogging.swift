// SPDX-License-Identifier: Apache-2.0

public import TransitionRecords

/// Writes down what happened and why.
///
/// Never blocks, and never makes what it records fail. Entries that cannot be written are counted, and the count is
/// written as soon as possible.
///
/// Nothing secret is recorded: no header and no credential. URIs are already clean.
public protocol TransitionLogging: Sendable {
    /// Records an entry.
    ///
    /// Callable from any thread but the output callback. The calls of one thread keep their order.
    func record(_ entry: TransitionEntry)

    /// Returns when everything recorded before is written, or could not be.
    func flush() async

    /// Returns the lines as they are recorded, without the newline.
    ///
    /// The stream is bounded: a subscriber that is too slow loses the oldest lines. It ends when the log is
    /// closed.
    func subscribe() -> AsyncStream<String>
}
