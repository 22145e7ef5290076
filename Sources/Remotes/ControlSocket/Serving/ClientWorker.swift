// SPDX-License-Identifier: Apache-2.0

import Glibc
public import SessionProtocol
import Synchronization

/// Begins the requests of one client in order.
///
/// The next one begins when one is done, or is taken up and waits for sound: its answer may come first.
/// `executor` is where short ones begin; others, and all if it is nil, run wherever there is room.
final class ClientWorker: Sendable {
    private let client: ClientID
    /// Requests that have not begun, and what they hold.
    private struct Queue {
        var inputs: ArraySlice<Connection.Input> = []
        /// Lines of a client that is gone.
        var left: ArraySlice<Connection.Input> = []
        var holdings = Holdings()
    }

    /// One element for each request.
    private let jobs: AsyncStream<Void>.Continuation
    // Reason for the lock: the socket's thread puts, counts and discards, the client's task takes; held for an access.
    private let queue = Mutex(Queue())
    private let service: any SessionService
    private let output: ClientOutput
    private let signal: LoopSignal
    // Reason for the lock: set by the socket's thread, read by the client's task; held for one access.
    private let isGone = Mutex(false)
    /// Requests that wait for sound.
    private let waiting = Atomic(0)

    /// A bound for what foreign clients can pile up; with so many the next one waits until one is done.
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
                    // None: it was discarded.
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
            // Again, for a request that was under way at the first call.
            if self.isGone.withLock({ $0 }) { await service.disconnected(client) }
            signal.quiet(client)
        }
    }

    /// What the requests hold that have not begun.
    var holdings: Holdings { queue.withLock { $0.holdings } }

    /// - Parameter input: no line, but what was read of it.
    func submit(_ input: Connection.Input) {
        queue.withLock { queue in
            // Not appended to an empty one, whose memory would stay.
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

    /// What has not begun will not, and holds nothing any more.
    func discard() {
        let queue = queue.withLock { queue in
            defer { queue = Queue() }
            return queue
        }
        for input in queue.inputs + queue.left { input.discard() }
    }

    /// What a client that leaves had sent and what nobody has looked at yet; `leave` comes next.
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

    /// No more requests will come; those that came are still carried out.
    func finish() { jobs.finish() }

    /// The client is gone: nobody is there to be attached to, nor to be told of what is no request.
    func leave() {
        isGone.withLock { $0 = true }
        Task { await service.disconnected(client) }
        guard queue.withLock({ !$0.left.isEmpty }) else { return jobs.finish() }
        // Not on the socket's thread: nobody waits for these.
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
        // Nobody submits one.
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
            if command.attaches && isGone.withLock({ $0 }) {
                for descriptor in descriptors { close(descriptor) }
                return .done
            }
            return try await service.perform(command, client: client, descriptors: descriptors, begun: begun)
        }
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
        }
        if let line, output.put(line, .notification(topic)) { signal.look() }
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

    /// Decided in a moment, with a short answer, and whatever it needs of files and programs is waited for elsewhere: may
    /// begin on the socket's thread.
    var isShort: Bool {
        switch self {
        case .status, .pause, .resume, .toggle, .stop, .seek, .skip, .chapter, .rate, .volume, .claim, .release, .undo,
            .sleep, .sleepChoices:
            true
        case .addressed(_, let command): command.isShort
        case .play, .read, .clip, .engine, .engines, .manageEngine, .inspect, .history, .option, .library, .log: false
        }
    }
}

extension SessionCommand {
    /// Starts the sound of what is there, or of something else: its answer comes when that is heard.
    public var startsSound: Bool {
        switch self {
        case .play, .read, .clip, .resume, .toggle, .engine: true
        case .addressed(_, let command): command.startsSound
        default: false
        }
    }

    /// The same, or does so where nothing is there: then the last item goes on from the place that was named.
    public var mayWaitForSound: Bool {
        switch self {
        case .seek, .chapter, .undo: true
        default: startsSound
        }
    }
}

extension Connection.Input {
    fileprivate var mayWait: Bool {
        if case .request(let message, _, _) = self, case .command(let command) = message.request {
            command.mayWaitForSound
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
