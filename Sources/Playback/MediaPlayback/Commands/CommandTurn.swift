// SPDX-License-Identifier: Apache-2.0

/// A notification that a command has been taken up.
///
/// A later command finds it there then, although its answer is still to come.
/// A remote that runs the commands of a client one after the other continues with the next one then, so that nobody's
/// pause waits for their own `play`. This is an object because a closure as a task-local value crashes an optimized
/// program (Swift 6.3.1).
public final class CommandTurn: Sendable {
    /// The turn of the command that the running task carries out.
    @TaskLocal public static var current: CommandTurn?

    private let notify: @Sendable () -> Void

    /// - Parameter notify: May be called more than once, on any thread, and must not wait.
    public init(_ notify: @escaping @Sendable () -> Void) { self.notify = notify }

    public func isTaken() { notify() }
}
