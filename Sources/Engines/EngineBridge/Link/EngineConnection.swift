// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import Glibc

/// The socket and the stderr of an engine, with limits on what may be pending in either direction.
///
/// It is used on the reactor's thread only.
struct EngineConnection {
    private(set) var socket: MessageSocket?
    private(set) var errors: ErrorOutput?
    private var outbox: [(bytes: [UInt8], descriptors: [OwnedDescriptor])] = []
    private var outboxBytes = 0
    /// The number of responses about sources that the engine may not have read yet.
    private var unreadSources = 0
    var allowance = InputAllowance()

    /// The maximum number of messages that wait because the socket is full; an engine that reads leaves none for long.
    private static let mostMessages = 512
    private static let mostBytes = 4 << 20

    /// Creates the socket, and returns the engine's end.
    mutating func open(withErrors: Bool) throws(SystemError) -> MessageSocket {
        let (ours, theirs) = try MessageSocket.pair()
        if withErrors { errors = try ErrorOutput() }
        socket = ours
        return theirs
    }

    /// Closes this process's copies of the ends that the engine's process now has.
    mutating func handedOver() { errors?.theirs = nil }

    mutating func closeSocket() { socket = nil }

    mutating func close() { self = EngineConnection() }

    // MARK: Output

    /// Sends or queues a message, and returns `false` if more is queued than an engine that reads would leave.
    mutating func send(_ message: HostMessage, _ descriptors: [OwnedDescriptor]) -> Bool {
        // Among many commands, there may be something unread whenever the engine asks for a source.
        _ = countUnreadSources()
        let bytes = message.encoded()
        outbox.append((bytes, descriptors))
        outboxBytes += bytes.count
        if case .source = message { unreadSources += 1 }
        flush()
        return outbox.count <= Self.mostMessages && outboxBytes <= Self.mostBytes
    }

    /// Sends as many queued messages as the socket accepts.
    mutating func flush() {
        guard !outbox.isEmpty else { return }
        var sent = 0
        while sent < outbox.count, let socket {
            let next = outbox[sent]
            guard socket.send(next.bytes, descriptors: next.descriptors, waiting: false) != .wouldWait else { break }
            // If the other end is closed, drop the message: the end of the process is handled separately.
            outboxBytes -= next.bytes.count
            sent += 1
        }
        outbox.removeFirst(sent)
    }

    /// Returns the number of responses about sources that were sent since the engine had last read everything.
    mutating func countUnreadSources() -> Int {
        if outbox.isEmpty, socket?.hasUnread == false { unreadSources = 0 }
        return unreadSources
    }

    // MARK: Input

    /// Returns the descriptors to poll, without those that may not be read now.
    mutating func interests(at now: UInt64) -> [pollfd] {
        let isOpen = allowance.isOpen(at: now)
        var entries: [pollfd] = []
        if let socket, isOpen || !outbox.isEmpty {
            let events = (isOpen ? POLLIN : 0) | (outbox.isEmpty ? 0 : POLLOUT)
            entries.append(pollfd(fd: socket.descriptor.rawValue, events: Int16(events), revents: 0))
        }
        if isOpen, let errors = errors?.interest { entries.append(errors) }
        return entries
    }

    /// Returns lines of stderr, as far as the allowance permits reading them now.
    mutating func readErrors(all: Bool, at now: UInt64) -> [String] {
        var lines: [String] = []
        for _ in 0..<(all ? 16 : 1) where all || allowance.isOpen(at: now) {
            guard let more = errors?.read() else { break }
            allowance.charge(InputAllowance.cost(ofErrors: ErrorOutput.chunk, lines: more.count))
            lines += more
        }
        return lines
    }
}
