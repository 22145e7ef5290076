// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol
import Synchronization

/// Runs the requests of one client in order.
final class ClientWorker: Sendable {
    private let client: ClientID
    private let jobs: AsyncStream<Connection.Input>.Continuation
    private let service: any SessionService
    // Reason for the lock: set by the socket's thread, read by the client's task; held for one access.
    private let isGone = Mutex(false)

    init(client: ClientID, service: any SessionService, outbox: Outbox) {
        self.client = client
        self.service = service
        let (stream, jobs) = AsyncStream.makeStream(of: Connection.Input.self)
        self.jobs = jobs
        Task {
            for await job in stream { await self.run(job, outbox) }
            // Again, for a request that was under way at the first call.
            if self.isGone.withLock({ $0 }) { await service.disconnected(client) }
            outbox.quiet(client)
        }
    }

    func submit(_ input: Connection.Input) { jobs.yield(input) }

    /// No more requests will come; those that came are still carried out.
    func finish() { jobs.finish() }

    /// The client is gone: nobody is there to be attached to.
    func leave() {
        isGone.withLock { $0 = true }
        jobs.finish()
        Task { await service.disconnected(client) }
    }

    private func run(_ input: Connection.Input, _ outbox: Outbox) async {
        var line: [UInt8]?
        switch input {
        case .rejected(let rejection):
            line = try? SessionLine.failure(rejection.id, rejection.error)
        case .request(let message, let descriptors):
            do throws(SessionError) {
                let reply = try await perform(message.request, descriptors, outbox)
                line = try message.id.map { id throws(SessionError) in try SessionLine.answer(id, reply) }
            } catch {
                line = message.id.flatMap { try? SessionLine.failure($0, RPCError(error)) }
            }
        }
        outbox.put(.init(client: client, kind: .answer, line: line ?? []))
    }

    private func perform(
        _ request: SessionRequest, _ descriptors: [Int32], _ outbox: Outbox
    ) async throws(SessionError) -> SessionReply {
        let client = client
        switch request {
        case .subscribe(let subscription):
            for descriptor in descriptors { close(descriptor) }
            outbox.subscribe(client, subscription)
            await service.subscribe(client, owner: subscription.owner) { notification in
                Self.send(notification, to: client, outbox)
            }
            return .done
        case .command(let command):
            if command.attaches && isGone.withLock({ $0 }) {
                for descriptor in descriptors { close(descriptor) }
                return .done
            }
            return try await service.perform(command, client: client, descriptors: descriptors)
        }
    }

    private static func send(_ notification: SessionNotification, to client: ClientID, _ outbox: Outbox) {
        switch notification {
        case .status(let status):
            guard let line = try? SessionLine.status(status) else { return }
            outbox.put(.init(client: client, kind: .notification(.status), line: line))
        case .transition(let record):
            outbox.put(.init(client: client, kind: .notification(.transition), line: SessionLine.transition(record)))
        case .finished(let error):
            guard let line = try? SessionLine.finished(error) else { return }
            outbox.put(.init(client: client, kind: .notification(nil), line: line))
        }
    }
}

extension SessionCommand {
    /// The client stays as a player.
    var attaches: Bool {
        switch self {
        case .play(let parameters), .read(let parameters), .clip(let parameters): parameters.attach == true
        default: false
        }
    }
}
