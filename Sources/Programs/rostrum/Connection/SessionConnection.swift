// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import FoundationEssentials
import Glibc
import SessionProtocol

/// A connection to the session's control socket.
final class SessionConnection {
    /// The limit of an answer in bytes, which may be longer than a request: a folder can have thousands of files.
    private static let answerLimit = 64 << 20

    let descriptor: Int32
    /// `true` if the session has closed the connection, or no longer exists.
    private(set) var isGone = false
    private var framer = LineFramer(limit: SessionConnection.answerLimit)
    private var lines: [[UInt8]] = []
    private var lastID: Int64 = 0

    /// Connects to the session; `nil` if none is listening.
    ///
    /// - Parameter waits: `false` for a connection that never waits: for a session without room it fails at once.
    init?(to folders: UserFolders, waits: Bool = true) throws(SessionError) {
        guard var address = sockaddr_un(path: folders.socket) else {
            throw SessionError(
                .unavailable, "cannot connect: \(folders.socket) is too long for a socket; set XDG_RUNTIME_DIR")
        }
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_UNIX, waits ? flags : flags | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw SessionError(.io, "cannot make a socket: \(Self.reason)") }
        // On any failure from here on, `deinit` runs and closes the descriptor.
        if address.withSocketAddress({ connect(descriptor, $0, $1) }) != 0 {
            let cause = errno
            if cause == ENOENT || cause == ECONNREFUSED { return nil }
            throw SessionError(
                cause == EACCES ? .notPermitted : .unavailable,
                "cannot connect: \(folders.socket): \(String(cString: strerror(cause)))")
        }
        var process: pid_t = 0
        var user: uid_t = 0
        guard gnu_peer_credentials(descriptor, &process, &user) == 0, user == geteuid() || user == 0 || geteuid() == 0
        else {
            throw SessionError(.notPermitted, "not our session: \(folders.socket) belongs to user \(user); remove it")
        }
    }

    deinit { close(descriptor) }

    /// Sends a request and returns its ID; the caller keeps the descriptors.
    @discardableResult
    func send(_ request: SessionRequest, descriptors: [Int32] = []) throws(SessionError) -> RequestID {
        lastID += 1
        let id = RequestID.number(lastID)
        let line = try RequestMessage(id: id, request).line()
        var sent = 0
        while sent < line.count {
            let passed = sent == 0 ? descriptors : []
            let count = line[sent...].withUnsafeBytes {
                ctransport_send(descriptor, $0.baseAddress, $0.count, passed, passed.count, 0)
            }
            guard count > 0 else {
                let cause = errno
                if cause == EPIPE || cause == ECONNRESET, let refusal = refusal() { throw refusal }
                isGone = true
                throw SessionError(
                    .unavailable, "the session went away: \(String(cString: strerror(cause))); try again")
            }
            sent += count
        }
        return id
    }

    /// Sends as much as the session takes of what ``line(_:)`` made, without waiting; returns the number of bytes.
    func sendNow(_ bytes: some Collection<UInt8>, descriptors: [Int32] = []) throws(SessionError) -> Int {
        let count = Array(bytes).withUnsafeBytes {
            ctransport_send(descriptor, $0.baseAddress, $0.count, descriptors, descriptors.count, Int32(MSG_DONTWAIT))
        }
        if count >= 0 { return count }
        let cause = errno
        if cause == EAGAIN || cause == EWOULDBLOCK { return 0 }
        if cause == EPIPE || cause == ECONNRESET, let refusal = refusal() { throw refusal }
        isGone = true
        throw SessionError(.unavailable, "the session went away: \(String(cString: strerror(cause))); try again")
    }

    /// Returns the line of a request, and its ID.
    func line(_ request: SessionRequest) throws(SessionError) -> (id: RequestID, line: [UInt8]) {
        lastID += 1
        let id = RequestID.number(lastID)
        return (id, try RequestMessage(id: id, request).line())
    }

    /// Sends a request, waits for its answer, and returns the JSON text of the result.
    func call(_ request: SessionRequest, descriptors: [Int32] = [], seconds: Int32 = 10) throws(SessionError) -> [UInt8]
    {
        let id = try send(request, descriptors: descriptors)
        while true {
            while let message = try nextMessage() {
                if let refusal = message.refusal { throw refusal }
                guard case .answer(id, let result) = message else { continue }
                do {
                    return try result.get()
                } catch {
                    throw error.sessionError
                }
            }
            guard try InputWait.isReadable(descriptor, within: seconds) else {
                throw SessionError(
                    .busy, "no answer: \(request.method) within \(seconds) s; see `rostrum log`, try again")
            }
            guard try receive() else {
                throw SessionError(.unavailable, "the session ended: before it answered \(request.method); try again")
            }
        }
    }

    /// Tells the user if what plays now is not played as it was asked for.
    func tellSubstitution() {
        guard let answer = try? call(.command(.status)),
            let status = try? JSONDecoder().decode(Status.self, from: Data(answer)),
            status.engine != nil, let warning = status.warning
        else { return }
        StandardError.write(warning: warning)
    }

    /// Returns the reason why the session closed the connection, if it sent one.
    private func refusal() -> SessionError? {
        while (try? receive()) == true {}
        while let message = try? nextMessage() {
            guard let refusal = message.refusal else { continue }
            // The session still exists, and another attempt would only add a client.
            isGone = false
            return refusal
        }
        return nil
    }

    // MARK: - Reading

    /// Returns a message that has already arrived.
    func nextMessage() throws(SessionError) -> SessionMessage? {
        lines.isEmpty ? nil : try SessionMessage(line: lines.removeFirst())
    }

    /// Reads once; returns `false` at the end of the connection.
    func receive() throws(SessionError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return true }
        guard count > 0 else {
            isGone = true
            return false
        }
        do throws(LineFramer.TooLong) {
            lines += try framer.receive(buffer[..<count])
        } catch {
            throw SessionError(.io, "the session sent a line of more than \(Self.answerLimit) bytes; report this")
        }
        return true
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

extension SessionMessage {
    /// The error by which the session turns this client away; it belongs to no request.
    var refusal: SessionError? {
        if case .answer(.null, .failure(let error)) = self { error.sessionError } else { nil }
    }
}
