// SPDX-License-Identifier: Apache-2.0

import Glibc
public import SessionProtocol
import Synchronization

/// A worker that begins the requests of one client in order.
///
/// The next request begins when the one before it is done, or is taken up and waits for sound; then its answer may come
/// first. Short requests begin on `executor`. Others, and all if it is `nil`, run on the global executor.
final class ClientWorker: Sendable {
    private let client: ClientID
    /// Requests that have not begun, and what they hold.
    private struct Queue {
        var inputs: ArraySlice<Connection.Input> = []
        /// Unparsed lines of a client that is gone.
        var left: ArraySlice<Connection.Input> = []
        var holdings = Holdings()
    }

    /// A stream with one element for each request.
    private let jobs: AsyncStream<Void>.Continuation
    // The lock is needed because the socket's thread adds, counts and discards, and the client's task takes; it is held
    // for an access.
    private let queue = Mutex(Queue())
    private let service: any SessionService
    private let output: ClientOutput
    private let signal: LoopSignal
    /// The presence of the client.
    private struct Presence {
        var isGone = false
        /// Ends the request under way that nobody needs once the client is gone.
        var end: (@Sendable () -> Void)?
    }

    // The lock is needed because the socket's thread sets it and the client's task reads it; it is held for one access.
    private let presence = Mutex(Presence())
    /// The number of requests that wait for sound.
    private let waiting = Atomic(0)

    /// The maximum number of requests that wait for sound, so that clients cannot pile them up.
    ///
    /// At the limit, the next request waits until another is done.
    private static let mostWaiting = 8

    init(
        client: ClientID, service: any SessionService, output: ClientOutput, signal: LoopSignal,
        executor: (any TaskExecutor)?
    ) {
        self.client = client
        self.service = service
        self.output = output
        self.signal = signal
        let (stream, jobs) = AsyncStream.makeStream(of: Void.self)
        self.jobs = jobs
        Task(executorPreference: executor) {
            await withDiscardingTaskGroup { requests in
                for await _ in stream {
                    // The request was discarded.
                    guard let input = self.next() else { continue }
                    guard input.mayWait, self.waiting.load(ordering: .relaxed) < Self.mostWaiting else {
                        await self.run(input) {}
                        continue
                    }
                    let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
                    self.waiting.wrappingAdd(1, ordering: .relaxed)
                    requests.addTask {
                        await self.run(input) { beginning.finish() }
                        self.waiting.wrappingSubtract(1, ordering: .relaxed)
                        beginning.finish()
                    }
                    for await _ in beginnings {}
                }
            }
            // This is the second call, for a request that was under way at the first.
            if self.isGone { await service.disconnected(client) }
            signal.quiet(client)
        }
    }

    private var isGone: Bool { presence.withLock(\.isGone) }

    /// The resources that the requests hold that have not begun.
    var holdings: Holdings { queue.withLock { $0.holdings } }

    /// Adds a request.
    ///
    /// - Parameter input: A parsed request or a rejection; not a line.
    func submit(_ input: Connection.Input) {
        queue.withLock { queue in
            // Appending to an empty array would keep its memory.
            if queue.inputs.isEmpty { queue.inputs = [input] } else { queue.inputs.append(input) }
            queue.holdings = queue.holdings + input.holdings
        }
        jobs.yield()
    }

    private func next() -> Connection.Input? {
        queue.withLock { queue in
            guard let input = queue.inputs.popFirst() else { return nil }
            queue.holdings = queue.holdings - input.holdings
            return input
        }
    }

    /// Discards the requests that have not begun, and frees what they hold.
    func discard() {
        let queue = queue.withLock { queue in
            defer { queue = Queue() }
            return queue
        }
        for input in queue.inputs + queue.left { input.discard() }
    }

    /// Keeps the unparsed lines of a client that leaves; ``leave()`` must be called next.
    func keep(_ lines: ArraySlice<Connection.Input>) {
        queue.withLock { queue in
            queue.left = lines
            queue.holdings = lines.reduce(queue.holdings) { $0 + $1.holdings }
        }
    }

    private func nextLeft() -> Connection.Input? {
        queue.withLock { queue in
            guard let input = queue.left.popFirst() else { return nil }
            queue.holdings = queue.holdings - input.holdings
            return input
        }
    }

    /// Declares that no more requests will come; those that came are still carried out.
    func finish() { jobs.finish() }

    /// Notes that the client is gone: it is attached to nothing any more, and gets no more errors.
    func leave() {
        let end = presence.withLock { presence in
            presence.isGone = true
            return presence.end
        }
        end?()
        Task { await service.disconnected(client) }
        guard queue.withLock({ !$0.left.isEmpty }) else { return jobs.finish() }
        // It does not run on the socket's thread, because nobody waits for these.
        Task {
            while let input = nextLeft()?.read {
                if case .request = input { submit(input) }
            }
            jobs.finish()
        }
    }

    private func run(_ input: Connection.Input, begun: @escaping @Sendable () -> Void) async {
        let line: [UInt8]?
        switch input {
        // A line is never submitted.
        case .line(let bytes, let descriptors):
            return await run(Connection.Input.line(bytes, descriptors: descriptors).read, begun: begun)
        case .rejected(let rejection):
            line = try? SessionLine.failure(rejection.id, rejection.error)
        case .request(let message, let descriptors, _) where message.request.isShort:
            line = await answer(message, descriptors, begun)
        case .request(let message, let descriptors, _):
            line = await withTaskExecutorPreference(globalConcurrentExecutor) {
                await answer(message, descriptors, begun)
            }
        }
        if output.put(line ?? [], .answer) { signal.look() }
    }

    private func answer(
        _ message: RequestMessage, _ descriptors: [Int32], _ begun: @escaping @Sendable () -> Void
    ) async -> [UInt8]? {
        do throws(SessionError) {
            let reply = try await perform(message.request, descriptors, begun)
            return try message.id.map { id throws(SessionError) in try SessionLine.answer(id, reply) }
        } catch {
            return message.id.flatMap { try? SessionLine.failure($0, RPCError(error)) }
        }
    }

    private func perform(
        _ request: SessionRequest, _ descriptors: [Int32], _ begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply {
        let client = client
        switch request {
        case .subscribe(let subscription):
            for descriptor in descriptors { close(descriptor) }
            output.subscribe(subscription)
            await service.subscribe(client, subscription) { [output, signal] notification in
                Self.send(notification, output, signal)
            }
            return .done
        case .command(let command):
            if command.attaches && isGone {
                for descriptor in descriptors { close(descriptor) }
                return .done
            }
            guard command.endsWithClient else {
                return try await service.perform(command, client: client, descriptors: descriptors, begun: begun)
            }
            return try await performWhileHere(command, descriptors, begun)
        }
    }

    /// Performs a command in a task that is cancelled when the client is gone.
    ///
    /// Such a command does not wait for sound, so there is never more than one under way.
    private func performWhileHere(
        _ command: SessionCommand, _ descriptors: [Int32], _ begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply {
        let task = Task { [service, client] () -> Result<SessionReply, SessionError> in
            do throws(SessionError) {
                return .success(
                    try await service.perform(command, client: client, descriptors: descriptors, begun: begun))
            } catch {
                return .failure(error)
            }
        }
        let isGone = presence.withLock { presence in
            presence.end = { task.cancel() }
            return presence.isGone
        }
        if isGone { task.cancel() }
        defer { presence.withLock { $0.end = nil } }
        return try await task.value.get()
    }

    private static func send(_ notification: SessionNotification, _ output: ClientOutput, _ signal: LoopSignal) {
        let line: [UInt8]?
        let topic: Subscription.Topic?
        switch notification {
        case .status(let status): (line, topic) = (status.bytes, .status)
        case .transition(let record): (line, topic) = (SessionLine.transition(record), .transition)
        case .finished(let error, let warning):
            (line, topic) = (try? SessionLine.finished(error, warning: warning), nil)
        case .library(let progress): (line, topic) = (try? SessionLine.library(progress), nil)
        case .peaks(let progress): (line, topic) = (try? SessionLine.peaks(progress), nil)
        case .text(let progress): (line, topic) = (try? SessionLine.text(progress), nil)
        }
        if let line, output.put(line, .notification(topic)) { signal.look() }
    }
}

extension SessionCommand {
    /// `true` if the client stays attached as a player.
    var attaches: Bool {
        switch self {
        case .play(let parameters), .read(let parameters), .clip(let parameters): parameters.attach == true
        default: false
        }
    }

    /// `true` if nobody needs the rest of the work once the client is gone.
    var endsWithClient: Bool {
        if case .manageClips(let action) = self { action.action == .export } else { false }
    }

    /// `true` if the command is quick, has a short answer, and waits for files and programs elsewhere.
    ///
    /// Such a command may begin on the socket's thread.
    var isShort: Bool {
        switch self {
        case .status, .pause, .resume, .toggle, .stop, .seek, .skip, .chapter, .rate, .volume, .claim, .release, .undo,
            .sleep, .sleepChoices:
            true
        case .addressed(_, let command): command.isShort
        case .play, .read, .clip, .engine, .engines, .manageEngine, .inspect, .history, .option, .settings,
            .library, .manageClips, .podcasts, .peaks, .log, .contents, .text, .reading, .server:
            false
        }
    }
}

extension SessionCommand {
    /// `true` if the command starts sound; its answer comes when that is audible.
    public var startsSound: Bool {
        switch self {
        case .play, .read, .clip, .resume, .toggle, .engine: true
        case .manageClips(let action): action.action == .play
        case .addressed(_, let command): command.startsSound
        default: false
        }
    }

    /// `true` if the command starts sound, or does so if nothing is loaded.
    ///
    /// In that case the last item is resumed from the place that the command names.
    public var mayWaitForSound: Bool {
        switch self {
        case .seek, .chapter, .undo: true
        default: startsSound
        }
    }
}

extension SessionCommand {
    /// `true` if the next command of the client may begin once this one is accepted.
    fileprivate var mayBeOvertaken: Bool {
        switch self {
        // A document that was never opened is read for its title, and a server may be slow.
        case .peaks, .reading, .podcasts, .server: true
        default: mayWaitForSound
        }
    }
}

extension Connection.Input {
    fileprivate var mayWait: Bool {
        if case .request(let message, _, _) = self, case .command(let command) = message.request {
            command.mayBeOvertaken
        } else {
            false
        }
    }
}

extension SessionRequest {
    fileprivate var isShort: Bool {
        switch self {
        case .subscribe: true
        case .command(let command): command.isShort
        }
    }
}
