// SPDX-License-Identifier: Apache-2.0

/// Told when a command has been taken up: what is asked for after that finds it there, though its answer is to come.
///
/// A remote that lets one command of a client begin after the other goes on to the next one then, so that nobody's pause
/// waits for his own `play`. An object: a closure as a task-local value crashes an optimized program (Swift 6.3.1).
public final class CommandTurn: Sendable {
    /// Of the command that the running task carries out.
    @TaskLocal public static var current: CommandTurn?

    private let told: @Sendable () -> Void

    /// `told` may be called more than once, on any thread, and must not wait.
    public init(_ told: @escaping @Sendable () -> Void) { self.told = told }

    func isTaken() { told() }
}
