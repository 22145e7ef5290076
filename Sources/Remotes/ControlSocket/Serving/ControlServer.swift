// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
public import SessionProtocol

/// A server of the control socket, with a thread of its own.
///
/// Commands run in tasks, and short ones begin on that thread. Those of one client run one after the other, those of
/// different clients concurrently.
public final class ControlServer: Sendable {
    private let socket: ListeningSocket
    private let signal: LoopSignal
    /// A stream that ends with the thread, for ``stop()``.
    ///
    /// Cancelling a task that waits ends its stream, so ``isOver()`` has another.
    private let ended: AsyncStream<Void>
    private let over: AsyncStream<Void>

    /// Starts to serve; connections of other users are closed.
    public convenience init(_ socket: ListeningSocket, service: any SessionService) throws(SessionError) {
        try self.init(socket, service: service, calls: SystemCalls())
    }

    /// - Parameters:
    ///   - calls: The system calls; tests replace them.
    ///   - limits: The limits over all clients; tests replace the documented ones.
    init(
        _ socket: ListeningSocket, service: any SessionService, calls: SystemCalls,
        limits: CrowdLimits = CrowdLimits()
    ) throws(SessionError) {
        self.socket = socket
        signal = try LoopSignal()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (over, endOver) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        self.over = over
        let loop = ServerLoop(
            socket: socket, signal: signal, executor: LoopExecutor(signal: signal), service: service, calls: calls,
            limits: limits)
        try Self.startThread("control-socket") {
            loop.run()
            end.finish()
            endOver.finish()
        }
    }

    /// Returns when the server has ended, also without ``stop()``.
    ///
    /// That happens if another session has taken its place, or if the system gives it nothing to wait with. Then no
    /// client can reach this session.
    public func isOver() async {
        for await _ in over {}
    }

    /// Stops the server and removes the socket.
    ///
    /// It takes no more requests, delivers the answers to those that have begun (for at most a second), and closes
    /// every connection.
    public func stop() async {
        socket.remove()
        signal.stop()
        for await _ in ended {}
    }

    deinit {
        socket.remove()
        signal.stop()
    }

    static func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SessionError) {
        final class Box: Sendable {
            let name: String
            let body: @Sendable () -> Void
            init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(name, body))
        let result = pthread_create(
            &thread, nil,
            { argument in
                // Signals must go to the program's main thread.
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                guard let argument else { return nil }
                let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
                gnu_name_thread(box.name)
                box.body()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw SessionError(.defect, "cannot start a thread: \(name): \(reason(result))")
        }
        pthread_detach(thread)
    }
}
