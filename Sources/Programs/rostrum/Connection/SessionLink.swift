// SPDX-License-Identifier: Apache-2.0

import Clocks
import FoundationEssentials
import Glibc
import SessionProtocol
import TerminalPlayer

/// A connection to the session that never waits, and the requests that it has not answered yet.
final class SessionLink {
    /// The bytes that a session may leave unread before further commands are refused.
    private static let mostUnsent = 65_536

    private let connection: SessionConnection
    private var requests: [RequestID: Request] = [:]
    /// Lines that the session has not taken; descriptors go with the first byte of their line.
    private var unsent: [(bytes: ArraySlice<UInt8>, descriptors: [Int32])] = []
    private var unsentBytes = 0
    /// The monotonic time in ms of the connection.
    let since = MonotonicTime.milliseconds()
    /// `true` after the session has closed the connection, or refused it.
    private(set) var isGone = false
    /// `true` once the session has sent a message.
    private(set) var hasSpoken = false

    /// Subscribes to the status as an owner sees it.
    init(_ connection: SessionConnection, owner: String) throws(SessionError) {
        self.connection = connection
        _ = fcntl(connection.descriptor, F_SETFL, O_NONBLOCK)
        try follow(owner)
    }

    func follow(_ owner: String) throws(SessionError) {
        try send(.subscribe(Subscription([.status], owner: owner, stay: true)), .subscription, [])
    }

    /// The descriptor to wait for, and what for.
    var wait: pollfd {
        pollfd(fd: connection.descriptor, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
    }

    func send(_ command: SessionCommand, _ request: Request, descriptors: [Int32] = []) throws(SessionError) {
        try send(.command(command), request, descriptors)
    }

    private func send(_ request: SessionRequest, _ purpose: Request, _ descriptors: [Int32]) throws(SessionError) {
        guard unsentBytes < Self.mostUnsent else {
            throw SessionError(.busy, "the session does not answer; see `rostrum log`, or wait")
        }
        let (id, line) = try connection.line(request)
        requests[id] = purpose
        unsent.append((line[...], descriptors))
        unsentBytes += line.count
        try flush()
    }

    /// Sends what the session takes now.
    func flush() throws(SessionError) {
        while let (bytes, descriptors) = unsent.first {
            let count: Int
            do throws(SessionError) {
                count = try connection.sendNow(bytes, descriptors: descriptors)
            } catch {
                isGone = true
                throw error
            }
            guard count > 0 else { return }
            unsentBytes -= count
            if count == bytes.count {
                unsent.removeFirst()
            } else {
                unsent[0] = (bytes.dropFirst(count), [])
            }
        }
    }

    /// `true` while a command has not been answered.
    var isAnswering: Bool { requests.contains { $0.value != .subscription } }

    /// Sends the rest before the program ends, for at most so many ms.
    func flush(within ms: Int32) {
        while !unsent.isEmpty {
            var output = pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&output, 1, ms) == 1, (try? flush()) != nil else { return }
        }
    }

    /// Reads once, and returns what came; throws when the session is gone.
    func receive() throws(SessionError) -> [PlayerEvent] {
        let isOpen = try connection.receive()
        var events: [PlayerEvent] = []
        while let message = try connection.nextMessage() {
            if let refusal = message.refusal { throw refusal }
            hasSpoken = true
            if let event = event(message) { events.append(event) }
        }
        guard isOpen || !events.isEmpty else {
            throw SessionError(.unavailable, "the session has ended; the next command starts one")
        }
        return events
    }

    private func event(_ message: SessionMessage) -> PlayerEvent? {
        switch message {
        case .status(let text): return Self.decode(Status.self, text).map { .status($0) }
        case .answer(let id, let result):
            guard let request = requests.removeValue(forKey: id) else { return nil }
            do throws(RPCError) {
                return .answer(request, Self.answer(request, try result.get()))
            } catch {
                return .answer(request, .failure(error.sessionError))
            }
        case .peaks(let text): return Self.decode(WaveformProgress.self, text).map { .peaks($0) }
        case .text(let text): return Self.decode(TextProgress.self, text).map { .text($0) }
        case .transition, .finished, .library, .unknown: return nil
        }
    }

    private static func answer(_ request: Request, _ text: [UInt8]) -> Result<Answer, SessionError> {
        let answer: Answer? =
            switch request {
            case .control, .seek, .start, .subscription, .records,
                .clipScreen(.play, _), .clipScreen(.range, _), .clipScreen(.seek, _), .clipScreen(.control, _),
                .clipScreen(.delete, _):
                .done
            case .contents, .clipScreen(.contents, _): decode(ItemContents.self, text).map { .contents($0) }
            case .books, .next: decode(LibraryPage.self, text).map { .books($0.books) }
            case .documents, .document, .deletedDocument:
                decode(ReadingPage.self, text).map { .documents($0.documents) }
            case .history: decode(History.self, text).map { .history($0) }
            case .clip: decode(ClipPage.self, text).map { $0.clips.first.map { .clip($0) } ?? .done }
            case .clips, .clipScreen(.open, _), .clipScreen(.save, _):
                decode(ClipPage.self, text).map { .clips($0.clips) }
            case .clipScreen(.peaks, _): decode(WaveformInfo.self, text).map { .waveform($0) }
            case .text: decode(TextPassage.self, text).map { .text($0) }
            case .engines: decode([EngineInfo].self, text).map { .engines($0) }
            case .sleep: decode(SleepChoices.self, text).map { .sleep($0) }
            case .settings: decode(SettingsList.self, text).map { .settings($0) }
            case .status, .holder: decode(Status.self, text).map { .status($0) }
            }
        guard let answer else {
            return .failure(SessionError(.io, "the session sent an unknown answer; is it another version? restart it"))
        }
        return .success(answer)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ text: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text))
    }
}
