// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTPExchange
import WaitTestSupport

/// A server of files without a network, which fails as it is told.
final class FileServer: HTTPTransport {
    enum Fault: Sendable, Hashable {
        /// The connection ends after so many bytes of the answer.
        case cut(Int)
        case status(Int)
        case failure(HTTPFailure.Reason)
        /// Nothing comes before `release`.
        case hold(Int)
    }

    struct State: Sendable {
        var files: [String: [UInt8]] = [:]
        var tags: [String: String] = [:]
        /// The faults of requests for an address, one for each.
        var faults: [String: [Fault]] = [:]
        var log: [String] = []
        var held = 0
        var isReleased = false
        var takesRanges = true
        var takesHead = true
        var isAway = false
    }

    let state = Watched(State())

    func put(_ name: String, _ bytes: [UInt8], tag: String? = nil) {
        state.change { state in
            state.files[url(name)] = bytes
            state.tags[url(name)] = tag ?? "\"\(name)-\(bytes.count)\""
        }
    }

    func url(_ name: String) -> String { "https://example.org/\(name)" }

    func fail(_ name: String, _ faults: Fault...) {
        state.change { $0.faults[url(name), default: []] += faults }
    }

    var log: [String] { state.value.log }
    var transfers: [String] { log.filter { $0.hasPrefix("GET") } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
        try note(request)
        guard request.method == .get, !request.fields.contains(where: { $0.name == "Range" }) else {
            if request.method == .head, !state.value.takesHead { return HTTPAnswer(status: 405, url: request.url) }
            let size = Int64(state.value.files[request.url]?.count ?? 0)
            if request.method == .get, !state.value.takesRanges, size > request.mostBytes {
                throw HTTPFailure(.tooLarge, "too large")
            }
            return request.method == .get && state.value.takesRanges ? first(request) : head(request)
        }
        var answer = head(request)
        answer.body = answer.status == 200 ? state.value.files[request.url] ?? [] : []
        return answer
    }

    private func note(_ request: HTTPRequest) throws(HTTPFailure) {
        let range = request.fields.first { $0.name == "Range" }.map { " " + $0.value } ?? ""
        let name = request.url.split(separator: "/").last ?? ""
        let isAway = state.read { $0.isAway }
        state.change { $0.log.append("\(request.method.rawValue) \(name)\(range)") }
        if isAway { throw HTTPFailure(.network, "no route") }
    }

    private func head(_ request: HTTPRequest) -> HTTPAnswer {
        let state = state.value
        guard let bytes = state.files[request.url] else { return HTTPAnswer(status: 404, url: request.url) }
        var fields = [HTTPField("Content-Length", String(bytes.count))]
        if let tag = state.tags[request.url], !tag.isEmpty { fields.append(HTTPField("ETag", tag)) }
        if request.url.hasSuffix(".png") { fields.append(HTTPField("Content-Type", "image/png")) }
        return HTTPAnswer(status: 200, fields: fields, url: request.url)
    }

    /// Answers a request for the first byte.
    private func first(_ request: HTTPRequest) -> HTTPAnswer {
        var answer = head(request)
        guard answer.status == 200, let count = state.value.files[request.url]?.count else { return answer }
        answer.status = 206
        answer.fields[0] = HTTPField("Content-Length", "1")
        answer.fields.append(HTTPField("Content-Range", "bytes 0-0/\(count)"))
        return answer
    }

    func fetch(
        _ request: HTTPRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(HTTPFailure) -> HTTPAnswer {
        try note(request)
        var fault: Fault?
        state.change { state in
            guard state.faults[request.url]?.isEmpty == false else { return }
            fault = state.faults[request.url]?.removeFirst()
        }
        var answer = head(request)
        guard answer.status == 200, let bytes = state.value.files[request.url] else { return answer }
        if case .status(let status) = fault { return HTTPAnswer(status: status, url: request.url) }
        if case .failure(let reason) = fault { throw HTTPFailure(reason, "told to", isFull: reason == .output) }
        var first = 0
        let condition = request.fields.first { $0.name == "If-Range" }?.value
        if state.value.takesRanges, condition == nil || condition == state.value.tags[request.url],
            let range = request.fields.first(where: { $0.name == "Range" })?.value,
            let start = Int(range.dropFirst("bytes=".count).prefix { $0 != "-" })
        {
            guard start < bytes.count else {
                answer.status = 416
                answer.fields[0] = HTTPField("Content-Range", "bytes */\(bytes.count)")
                return answer
            }
            first = start
            answer.status = 206
            answer.fields[0] = HTTPField("Content-Length", String(bytes.count - start))
            answer.fields.append(HTTPField("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"))
        }
        guard bytes.count - first <= request.mostBytes else { throw HTTPFailure(.tooLarge, "too large") }
        var end = bytes.count
        switch fault {
        case .cut(let count), .hold(let count): end = min(end, first + count)
        case .status, .failure, nil: break
        }
        bytes[first..<end].withUnsafeBytes { _ = pwrite(file, $0.baseAddress, $0.count, off_t(first)) }
        progress(Int64(end))
        if case .hold = fault {
            state.change { $0.held += 1 }
            guard await state.wait(until: { $0.isReleased }) else { throw HTTPFailure(.cancelled, "cancelled") }
        }
        if end < bytes.count { throw HTTPFailure(.network, "the connection ended") }
        return answer
    }
}
