// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
public import SessionProtocol

/// Serves the control socket on a thread of its own, where short commands begin, too; commands run in tasks, those of
/// one client one after the other, those of different clients side by side.
public final class ControlServer: Sendable {
    private let socket: ListeningSocket
    private let signal: LoopSignal
    private let ended: AsyncStream<Void>

    /// Starts to serve.
    ///
    /// Peers of another user are turned away.
    public convenience init(_ socket: ListeningSocket, service: any SessionService) throws(SessionError) {
        try self.init(socket, service: service, accept: { gnu_accept($0) })
    }

    /// - Parameter accept: for tests, in place of the system's.
    init(
        _ socket: ListeningSocket, service: any SessionService, accept: @escaping @Sendable (Int32) -> Int32
    ) throws(SessionError) {
        self.socket = socket
        signal = try LoopSignal()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        let loop = ServerLoop(
            socket: socket, signal: signal, executor: LoopExecutor(signal: signal), service: service, accept: accept)
        try Self.startThread {
            loop.run()
            end.finish()
        }
    }

    /// Takes no more requests, delivers what is already answered (at most a second long), closes every
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

    private static func startThread(_ body: @escaping @Sendable () -> Void) throws(SessionError) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let result = pthread_create(
            &thread, nil,
            { argument in
                // Signals belong to the program's own thread.
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                gnu_name_thread("control-socket")
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw SessionError(.defect, "cannot start a thread: control socket: \(reason(result))")
        }
        pthread_detach(thread)
    }
}
