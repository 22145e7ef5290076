// SPDX-License-Identifier: Apache-2.0

import CCurl
import EngineTransport
import Glibc
import HTTPExchange
import NetworkOrders
import SessionProtocol

/// The requests of the session on their way, all on one thread.
final class NetworkService {
    private let socket: MessageSocket
    private let pool: OpaquePointer
    /// The time after which something is said while there are requests, in milliseconds.
    private let beat: Int64
    /// The reason why no server of https can be asked, or nothing.
    private let problem: String
    private var running: [UInt64: Running] = [:]
    private let clock = ContinuousClock()
    private var said: ContinuousClock.Instant
    private var progressed: ContinuousClock.Instant

    private struct Running {
        var output: OwnedDescriptor
        var mostBytes: Int64
        var isFile: Bool
    }

    /// The largest file that is written, in bytes: 64 GiB.
    static let largestFile: UInt64 = 64 << 30
    private static let mostRedirects: Int32 = 10
    private static let connecting: Int64 = 20_000
    private static let pace = Duration.milliseconds(250)

    /// Returns `nil` without memory.
    init?(_ socket: MessageSocket, _ hello: NetworkOrder.Hello, certificates: OwnedDescriptor?) {
        self.socket = socket
        beat = min(max(hello.beat, 2), 60_000)
        (said, progressed) = (clock.now, clock.now)
        var problem = hello.problem
        var authorities: [UInt8]?
        if let certificates {
            authorities = Self.read(certificates.rawValue, atMost: Limits.certificates)
            if authorities == nil {
                problem = "a file that cannot be read, or of more than \(Limits.certificates >> 20) MiB"
            }
        }
        self.problem = problem
        let agent = strdup("Rostrum/\(RostrumVersion.current)")
        let fingerprints = hello.fingerprints.map { strdup($0) }
        defer { for string in fingerprints + [agent] { free(string) } }
        // Without a byte there is no certificate either, which the library is to find.
        if authorities?.isEmpty == true { authorities = [0x0A] }
        let pool = fingerprints.map { UnsafePointer($0) }.withUnsafeBufferPointer { fingerprints in
            (authorities ?? []).withUnsafeBytes { bytes in
                var options = CCurlPoolOptions()
                options.agent = UnsafePointer(agent)
                options.connect_timeout_ms = Self.connecting
                options.slowest = max(0, hello.slowest)
                options.slowest_seconds = max(1, hello.slowestSeconds)
                options.most_redirects = Self.mostRedirects
                options.fingerprints = fingerprints.baseAddress
                options.fingerprint_count = fingerprints.count
                if authorities != nil {
                    options.authorities = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    options.authorities_length = bytes.count
                }
                return ccurl_pool_create(&options)
            }
        }
        guard let pool else { return nil }
        self.pool = pool
    }

    deinit { ccurl_pool_free(pool) }

    /// Carries out orders until the session ends.
    func run() {
        while takeOrders(waiting: running.isEmpty) {
            if running.isEmpty { continue }
            let isWriting = running.values.contains(where: \.isFile)
            _ = ccurl_pool_run(pool, socket.descriptor.rawValue, Int32(min(beat / 2, isWriting ? 500 : beat)))
            takeAnswers()
            tellProgress()
            if clock.now - said >= .milliseconds(beat / 2) { _ = say(.alive, waiting: false) }
        }
    }

    // MARK: Orders

    /// Takes the orders that have come; returns `false` when the session has ended.
    private func takeOrders(waiting: Bool) -> Bool {
        var isWaiting = waiting
        while true {
            switch socket.receive(waiting: isWaiting) {
            case .message(let bytes, let descriptors):
                guard let order = try? NetworkOrder(decoding: bytes) else { return false }
                switch order {
                case .start(let start):
                    guard let output = descriptors.first else { return false }
                    begin(start, output, body: descriptors.count > 1 ? descriptors[1] : nil)
                case .cancel(let id): cancel(id)
                case .hello: return false
                }
                isWaiting = false
            case .wouldWait: return true
            case .end, .malformed: return false
            }
        }
    }

    private func cancel(_ id: UInt64) {
        guard running.removeValue(forKey: id) != nil else { return }
        _ = ccurl_pool_cancel(pool, id)
        fail(id, .cancelled, "the request was given up")
    }

    private func begin(_ start: NetworkOrder.Start, _ output: OwnedDescriptor, body: OwnedDescriptor?) {
        if !problem.isEmpty, start.url.prefix(6).lowercased() == "https:" {
            return fail(start.id, .certificate, "trustedCertificates of settings.json: \(problem)")
        }
        let bytes: [UInt8]?
        switch start.body {
        case .none: bytes = nil
        case .bytes(let inline): bytes = inline
        case .descriptor(let count):
            bytes = body.flatMap { Self.read($0.rawValue, atMost: Int(clamping: count)) }
            guard bytes?.count == Int(clamping: count) else {
                return fail(start.id, .unavailable, "the request cannot be read")
            }
        }
        let lines = start.fields.map { strdup($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)") }
        let (method, url) = (strdup(start.method.rawValue), strdup(start.url))
        defer { for string in lines + [method, url] { free(string) } }
        let isBegun = lines.map { UnsafePointer($0) }.withUnsafeBufferPointer { lines in
            (bytes ?? []).withUnsafeBytes { body in
                var exchange = CCurlExchange()
                exchange.id = start.id
                exchange.method = UnsafePointer(method)
                exchange.url = UnsafePointer(url)
                exchange.headers = lines.baseAddress
                exchange.header_count = lines.count
                // An empty body is one, too, and needs an address.
                if bytes != nil { exchange.body = body.baseAddress ?? UnsafeRawPointer(url) }
                exchange.body_length = body.count
                exchange.output = output.rawValue
                exchange.is_file = start.isFile ? 1 : 0
                exchange.allows_private = start.allowsPrivate ? 1 : 0
                exchange.most_bytes = start.mostBytes
                exchange.total_timeout_ms = start.milliseconds
                return ccurl_pool_start(pool, &exchange) != 0
            }
        }
        guard isBegun else { return fail(start.id, .unavailable, "no memory to ask the server") }
        running[start.id] = Running(output: output, mostBytes: start.mostBytes, isFile: start.isFile)
    }

    // MARK: Answers

    private func takeAnswers() {
        var answer = CCurlAnswer()
        var output: Int32 = -1
        while ccurl_pool_take(pool, &answer, &output) != 0 {
            defer { ccurl_pool_release(&answer) }
            let mostBytes = running.removeValue(forKey: answer.id)?.mostBytes ?? 0
            guard answer.outcome == CCURL_OK else {
                fail(answer.id, AnswerFailure(answer, mostBytes: mostBytes).failure)
                continue
            }
            let fields = UnsafeBufferPointer(start: answer.fields, count: answer.field_count).map {
                HTTPField(Self.text($0.name), Self.text($0.value))
            }
            let reply = NetworkReply.answered(
                id: answer.id,
                answer: HTTPAnswer(
                    status: Int(answer.status), fields: fields, url: Self.text(answer.address),
                    permanentURL: answer.permanent == nil ? nil : Self.text(answer.permanent)),
                bytes: answer.end)
            guard Self.text(answer.address).utf8.count <= Limits.url, reply.encoded.count <= Limits.message else {
                fail(answer.id, .network, "the answer has too many headers")
                continue
            }
            _ = say(reply, waiting: true)
        }
    }

    private func tellProgress() {
        guard clock.now - progressed >= Self.pace else { return }
        progressed = clock.now
        ccurl_pool_progress(
            pool,
            { id, end, service in
                guard let service else { return }
                let own = Unmanaged<NetworkService>.fromOpaque(service).takeUnretainedValue()
                _ = own.say(.progress(id: id, end: end), waiting: false)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func fail(_ id: UInt64, _ reason: HTTPFailure.Reason, _ message: String) {
        fail(id, HTTPFailure(reason, message))
    }

    private func fail(_ id: UInt64, _ failure: HTTPFailure) {
        _ = say(.failed(id: id, failure: failure), waiting: true)
    }

    private func say(_ reply: NetworkReply, waiting: Bool) -> MessageSocket.Sent {
        said = clock.now
        return socket.send(reply.encoded, waiting: waiting)
    }

    private static func text(_ string: UnsafeMutablePointer<CChar>?) -> String {
        string.map { String(cString: $0) } ?? ""
    }

    /// Returns the whole of a file, or `nil` if it cannot be read or is longer.
    private static func read(_ file: Int32, atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(file, &part, part.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
            guard bytes.count <= limit else { return nil }
        }
    }
}
