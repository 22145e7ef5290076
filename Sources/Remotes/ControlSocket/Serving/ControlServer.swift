// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
public import SessionProtocol

/// Serves the control socket on a thread of its own, where short commands begin, too; commands run in tasks, those of
/// one client one after the other, those of different clients side by side.
public final class ControlServer: Sendable {
    private let socket: ListeningSocket
    private let signal: LoopSignal
    /// Both end with the thread; who is cancelled while he waits ends a stream, and that must not be the one of `stop`.
    private let ended: AsyncStream<Void>
    private let over: AsyncStream<Void>

    /// Starts to serve.
    ///
    /// Peers of another user are turned away.
    public convenience init(_ socket: ListeningSocket, service: any SessionService) throws(SessionError) {
        try self.init(socket, service: service, calls: SystemCalls())
    }

    /// - Parameters:
    ///   - calls: for tests, in place of the system's.
    ///   - limits: for tests, in place of those that are documented.
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

    /// Returns when it serves no more, also without `stop`.
    ///
    /// Another session has its place then, or the system gives it nothing to wait with. Nobody reaches this one then.
    public func isOver() async {
        for await _ in over {}
    }

    /// Takes no more requests, delivers the answers to those that were taken up (at most a second long), closes every
    /// connection, and removes the socket.
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
                // Signals belong to the program's own thread.
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
