// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import EngineTransport
import Glibc
public import HTTPExchange
public import MediaPlayback
import NetworkOrders

/// Asks servers in one confined process for all requests, which runs while there are some.
///
/// A process that is killed or hangs fails the requests that it has, and the next request starts another. A certificate
/// that the listener trusts or distrusts meanwhile counts from the next request on.
public actor NetworkBridge: HTTPTransport {
    private let program: String
    private let readTrust: @Sendable () -> WebTrust
    private let trustQueue = BlockingQueue(label: "rostrum.trust")
    private let timing: Timing
    private let variables: [String]
    private var waiting: [NetworkJob] = []
    /// The last one takes requests; others have some, and are gone after them.
    private var processes: [NetworkProcess] = []
    /// The certificates that the newest process trusts.
    private var trusted = WebTrust()
    private var nextID: UInt64 = 0

    /// The times of the process; a test has its own.
    struct Timing: Sendable {
        /// The time without a request after which the process ends.
        var idle = Duration.seconds(60)
        /// The time without a word after which a process with requests is taken for dead; it speaks six times as often.
        var silence = Duration.seconds(30)
        /// The time beyond a request's limit that the process has to tell.
        var grace = Duration.seconds(2)
        var slowest: Int64 = 64
        var slowestSeconds: Int64 = 30
    }

    /// The most transfers at a time; more requests wait.
    static let mostTransfers = 8

    /// - Parameters:
    ///   - program: The path of `rostrum-network`.
    ///   - trust: Returns the certificates that are trusted beside the system's; it may read a file.
    public init(program: String, trust: @escaping @Sendable () -> WebTrust) {
        self.init(program: program, timing: Timing(), variables: Self.proxies, trust: trust)
    }

    init(program: String, timing: Timing, variables: [String], trust: @escaping @Sendable () -> WebTrust) {
        self.program = program
        self.timing = timing
        self.variables = variables
        readTrust = trust
    }

    /// The proxies of this process's environment; HTTP_PROXY in capitals is left out, as libcurl does.
    private static var proxies: [String] {
        NetworkProcess.lines([
            "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ])
    }

    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
        let output = try AnswerMemory(mostBytes: request.mostBytes)
        let limit = Self.milliseconds(request.timeLimit)
        var (answer, bytes) = try await ask(
            request, output: output.writable, isFile: false, milliseconds: max(1, limit), progress: nil)
        answer.body = try output.read(bytes)
        return answer
    }

    public func fetch(
        _ request: HTTPRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(HTTPFailure) -> HTTPAnswer {
        let copy = fcntl(file, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw HTTPFailure(.output, String(cString: strerror(errno))) }
        let (answer, _) = try await ask(
            request, output: OwnedDescriptor(owning: copy), isFile: true, milliseconds: 0, progress: progress)
        return answer
    }

    deinit {
        for process in processes { process.retire() }
    }

    /// The number of the process that runs, for tests.
    var processID: pid_t? { processes.last?.processID }

    // MARK: One request

    private func ask(
        _ request: HTTPRequest, output: OwnedDescriptor, isFile: Bool, milliseconds: Int64,
        progress: (@Sendable (Int64) -> Void)?
    ) async throws(HTTPFailure) -> (HTTPAnswer, Int64) {
        nextID &+= 1
        let id = nextID
        let (start, body) = try NetworkOrder.Start.checked(request, id: id, isFile: isFile, milliseconds: milliseconds)
        let trust = await trustQueue.run(within: .seconds(5), readTrust)
        guard let trust else { throw HTTPFailure(.unavailable, "settings.json cannot be read at present") }
        let deadline: Task<Void, Never>? =
            milliseconds == 0
            ? nil
            : Task { [timing, weak self] in
                guard (try? await Task.sleep(for: .milliseconds(milliseconds) + timing.grace)) != nil else { return }
                await self?.expire(id)
            }
        defer { deadline?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.append(
                    NetworkJob(
                        start, descriptors: [output] + [body].compactMap(\.self), progress: progress, continuation))
                // It was cancelled before it waited, so the handler found nothing.
                if Task.isCancelled { giveUp(id) }
                handOver(trust)
            }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
        return try outcome.get()
    }

    /// Hands what waits to the process, as far as there is room, and starts one if there is none.
    private func handOver(_ trust: WebTrust? = nil) {
        processes.removeAll { $0.isOver }
        if let trust, trust != self.trusted {
            // The connections of the process were made to servers that it trusted.
            for process in processes { process.retire() }
            trusted = trust
        }
        while let job = waiting.first {
            if let process = processes.last, !process.isRetired {
                guard process.load < Self.mostTransfers else { return }
                if process.begin(job) {
                    waiting.removeFirst()
                    continue
                }
            }
            processes.append(
                NetworkProcess(program, trust: trusted, timing: timing, variables: variables) { [weak self] in
                    Task { await self?.handOver() }
                })
        }
    }

    private func giveUp(_ id: UInt64) {
        end(id, HTTPFailure(.cancelled, "the request was given up"), isPatient: true)
    }

    private func expire(_ id: UInt64) {
        end(id, HTTPFailure(.timedOut, "the server is too slow; try again later"), isPatient: false)
    }

    private func end(_ id: UInt64, _ failure: HTTPFailure, isPatient: Bool) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index).end(.failure(failure))
        } else {
            for process in processes { process.cancel(id, failure, isPatient: isPatient) }
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return min(seconds, 1 << 40) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
