// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineTransport
import Glibc
import HTTPExchange
import NetworkOrders

/// One request on its way, which is answered exactly once.
final class NetworkJob: Sendable {
    let id: UInt64
    let order: NetworkOrder
    /// The descriptors that go with the order.
    let descriptors: [OwnedDescriptor]
    /// `true` if the answer's body goes into a file of the caller.
    let isFile: Bool
    private let progress: (@Sendable (Int64) -> Void)?
    /// Reason for the lock: answer, cancellation and deadline come from different threads; held for one exchange.
    private let waiting: LockedValue<CheckedContinuation<Outcome, Never>?>

    typealias Outcome = Result<(HTTPAnswer, Int64), HTTPFailure>

    init(
        _ start: NetworkOrder.Start, descriptors: [OwnedDescriptor], progress: (@Sendable (Int64) -> Void)?,
        _ waiting: CheckedContinuation<Outcome, Never>
    ) {
        id = start.id
        order = .start(start)
        self.descriptors = descriptors
        isFile = start.isFile
        self.progress = progress
        self.waiting = LockedValue(waiting)
    }

    func tell(_ end: Int64) { progress?(end) }

    func end(_ outcome: Outcome) {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: outcome)
    }
}

extension NetworkOrder.Start {
    /// The most bytes of all fields, and of a body that goes with the order itself.
    private static let mostFieldBytes = 16_384
    private static let longestBody = 8192
    static let mostRequestBytes = 64 << 20

    /// Checks a request; returns the order and the descriptor of its body, if that is long.
    static func checked(
        _ request: HTTPRequest, id: UInt64, isFile: Bool, milliseconds: Int64
    ) throws(HTTPFailure) -> (NetworkOrder.Start, OwnedDescriptor?) {
        guard isWeb(request.url), request.url.utf8.count <= Limits.url, isLine(request.url) else {
            throw HTTPFailure(.address, "no address of http or https that can be asked")
        }
        let isPlain = request.fields.allSatisfy { isName($0.name) && isLine($0.value) }
        let bytes = request.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 16 }
        guard isPlain, bytes <= mostFieldBytes else {
            throw HTTPFailure(.address, "a field of the request that cannot be sent")
        }
        var start = NetworkOrder.Start(
            id: id, method: request.method, url: request.url, fields: request.fields, body: .none,
            allowsPrivate: request.allowsPrivate, isFile: isFile,
            mostBytes: min(max(0, request.mostBytes), 1 << 60), milliseconds: milliseconds)
        guard let body = request.body else { return (start, nil) }
        guard body.count > longestBody else {
            start.body = .bytes(body)
            return (start, nil)
        }
        guard body.count <= mostRequestBytes else {
            throw HTTPFailure(.tooLarge, "a request of more than \(mostRequestBytes >> 20) MiB")
        }
        start.body = .descriptor(Int64(body.count))
        return (start, try written(body))
    }

    private static func written(_ body: [UInt8]) throws(HTTPFailure) -> OwnedDescriptor {
        let file = OwnedDescriptor(owning: ctransport_memory_descriptor("rostrum-request"))
        var done = 0
        while file.rawValue >= 0, done < body.count {
            let count = body[done...].withUnsafeBytes { pwrite(file.rawValue, $0.baseAddress, $0.count, off_t(done)) }
            guard count > 0 else { break }
            done += count
        }
        let seals = ctransport_seal_grow | ctransport_seal_shrink | ctransport_seal_seal
        guard done == body.count, ctransport_add_seals(file.rawValue, seals) == 0 else {
            throw HTTPFailure(.unavailable, "no memory for the request")
        }
        return file
    }

    private static func isWeb(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func isLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    /// Returns `true` for a token of HTTP.
    private static func isName(_ text: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || marks.contains($0)
            }
    }
}
