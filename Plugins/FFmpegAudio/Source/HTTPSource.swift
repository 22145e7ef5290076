// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// A file on a web server.
///
/// It does not use libavformat's http, which repeats all that it told the first server to the target of a redirect,
/// goes from https to http, and verifies a server only if it is asked to.
final class HTTPSource: ByteSource {
    /// The number of seconds for which a server may stay silent.
    private static let patience = 8
    private static let redirects = 8
    /// The number of bytes up to which reading on is faster than a new request.
    private static let nearby: Int64 = 64 * 1024

    /// The final address, after redirects.
    private var url: WebURL
    /// The header fields of the request, for ``url`` alone.
    private var lines: [String]
    private let trust: Trust
    /// The track whose source the session is asked for again when a server refuses the address.
    private let track: Int?
    /// The address and the header fields as the session gave them last.
    private var given: (url: String, lines: [String])
    /// The certificates, read when the first server needs them.
    private var store: ServerTrust?
    private var exchange: HTTPExchange?
    /// The offset of the next byte of ``exchange``.
    private var place: Int64 = 0
    /// The offset of the next byte that is wanted.
    private var position: Int64 = 0
    private var contentLength: Int64?
    private var hasRanges = false
    /// The offset at which an answer of unknown length ended.
    private var end: Int64?

    override var size: Int64? { contentLength }
    override var isSeekable: Bool { hasRanges }

    init(url: String, headers: String?, trust: Trust, host: Host, track: Int? = nil) throws(EngineFailure) {
        let name = Address.shown(url)
        guard let address = WebURL(url) else {
            throw EngineFailure(
                ROSTRUM_ERROR_FORMAT, "cannot open “\(name)”: not an http or https address; check its host and port")
        }
        self.url = address
        self.trust = trust
        self.track = track
        lines = Self.lines(headers ?? "")
        given = (url, lines)
        super.init(host: host, name: name)
        do throws(WebFault) {
            try open(Patience(host, seconds: Self.patience))
        } catch {
            throw EngineFailure(error.code, "cannot open “\(name)”: \(error.reason)")
        }
    }

    /// Returns the header fields, without those that say how the answer is sent, which this source sets itself.
    private static func lines(_ headers: String) -> [String] {
        let own = ["range", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "upgrade"]
        return headers.split(whereSeparator: \.isNewline).map(String.init).filter { line in
            line.contains(":") && !own.contains(HTTPExchange.name(of: line))
        }
    }

    /// Requests what follows ``position``.
    private func open(_ patience: Patience) throws(WebFault) {
        exchange = nil
        var answer = try request(patience)
        // A login that has ended, or a file that has another number now: the session may know better.
        if [401, 403, 404, 410].contains(answer.status), try renew() {
            answer = try request(Patience(host, seconds: Self.patience))
        }
        switch answer.status {
        case 206:
            try take(range: answer)
        case 200..<300:
            guard position == 0 else { throw .wrong("the server does not continue where it was") }
            // A length that grew or shrank means another file.
            if let contentLength, let length = answer.length, length != contentLength { throw Self.changed }
            contentLength = answer.length ?? contentLength
            hasRanges = answer["accept-ranges"]?.lowercased().contains("bytes") ?? false && answer.length != nil
        case 401: throw .refused("the server requires a login (401)")
        case 403: throw .refused("the server forbids it (403)")
        case 404, 410:
            throw WebFault(
                code: ROSTRUM_ERROR_NOT_FOUND, reason: "the server does not have it (\(answer.status))")
        case 416 where position == 0: contentLength = 0
        case 416: throw Self.changed
        default: throw .wrong("the server answers \(answer.status)")
        }
        place = position
        exchange = answer
    }

    /// Asks the session again where the track is, and returns `true` if it says something else than before.
    private func renew() throws(WebFault) -> Bool {
        guard let track else { return false }
        let source: Source
        do throws(EngineFailure) {
            source = try host.openSource(track: track)
        } catch {
            if host.isInterrupted { throw WebFault(code: ROSTRUM_ERROR_INTERRUPTED, reason: "interrupted") }
            return false
        }
        switch source {
        case .descriptor(let descriptor, _):
            close(descriptor)
            return false
        case .url(let url, let headers, _):
            let new = (url: url, lines: Self.lines(headers ?? ""))
            // The certificates that are trusted are those of the first address.
            guard new != given, let address = WebURL(url), address.isSecure || !self.url.isSecure else { return false }
            given = new
            (self.url, lines) = (address, new.lines)
            return true
        }
    }

    private static let changed = WebFault.wrong("the file on the server has changed")

    private func take(range answer: HTTPExchange) throws(WebFault) {
        guard let range = answer.range, range.first == position else {
            throw .wrong("the server sends another part than was requested")
        }
        if let length = answer.length, length != range.last - range.first + 1 {
            throw .wrong("the server states two lengths of its content")
        }
        if let contentLength, let total = range.total, total != contentLength { throw Self.changed }
        contentLength = range.total ?? contentLength
        hasRanges = contentLength != nil
    }

    /// Returns the first answer that is not a redirect.
    private func request(_ patience: Patience) throws(WebFault) -> HTTPExchange {
        for _ in 0...Self.redirects {
            if url.isSecure, store == nil { store = try ServerTrust(trust, host) }
            let answer = try HTTPExchange(url, from: position, lines, store, patience)
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer["location"] else {
                return answer
            }
            guard let next = url.following(location) else {
                throw .wrong("the server redirects to an address that is neither http nor https")
            }
            guard next.isSecure || !url.isSecure else {
                throw .refused("the server redirects from https to http, where anybody could answer")
            }
            // What the user told one server is not sent to another.
            if !next.hasOrigin(of: url) { lines = [] }
            url = next
        }
        throw .wrong("the server redirects more than \(Self.redirects) times")
    }

    override func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        if let end = contentLength ?? end, position >= end { return CFF_ERROR_EOF }
        let patience = Patience(host, seconds: Self.patience)
        // A connection that breaks off is resumed where it was, at once and after a second.
        for attempt in 0...2 {
            do throws(WebFault) {
                if attempt == 2 { try patience.pause(1000) }
                if exchange == nil || place != position { try reach(patience) }
                guard let exchange else { throw .broken() }
                let read = try exchange.read(buffer, count, patience)
                position += Int64(read)
                place = position
                if read > 0 { return Int32(clamping: read) }
                self.exchange = nil
                guard let contentLength, position < contentLength else {
                    end = position
                    return CFF_ERROR_EOF
                }
                throw .broken("it ended at byte \(position) of \(contentLength)")
            } catch {
                exchange = nil
                if error.isPassing, hasRanges, attempt < 2 { continue }
                return fail(error)
            }
        }
        return CFF_ERROR_IO
    }

    /// Moves to ``position``: by reading on if it is near, else with a new request.
    private func reach(_ patience: Patience) throws(WebFault) {
        guard let exchange, position > place, position - place <= Self.nearby else { return try open(patience) }
        var rest = [UInt8](repeating: 0, count: 8 * 1024)
        while place < position {
            let read = try exchange.read(&rest, min(rest.count, Int(position - place)), patience)
            guard read > 0 else { return try open(patience) }
            place += Int64(read)
        }
    }

    private func fail(_ fault: WebFault) -> Int32 {
        var fault = fault
        if fault.isPassing, let contentLength { fault.reason = "it ended at byte \(position) of \(contentLength)" }
        failure = EngineFailure(fault.code, "cannot read “\(name)”: \(fault.reason)")
        return fault.code == ROSTRUM_ERROR_INTERRUPTED || fault.code == ROSTRUM_ERROR_TIMEOUT
            ? CFF_ERROR_EXIT : CFF_ERROR_IO
    }

    override func seek(to position: Int64) -> Int64 {
        guard isSeekable, position >= 0 else { return Int64(CFF_ERROR_UNSEEKABLE) }
        self.position = position
        return position
    }
}
