// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import Glibc
import MediaPlayback

/// Handles input from the engine's process: messages, lines on stderr, and its end.
extension EngineLink {
    var interests: [pollfd] {
        var entries = connection.interests(at: now())
        if let process { entries.append(pollfd(fd: process.descriptor.rawValue, events: Int16(POLLIN), revents: 0)) }
        return entries
    }

    func handle(_ ready: Set<Int32>) {
        let processEnded = process.map { ready.contains($0.descriptor.rawValue) } ?? false
        if let errors = connection.errors, processEnded || ready.contains(errors.descriptor.rawValue) {
            for line in connection.readErrors(all: processEnded, at: now()) { log(Self.printed, line) }
        }
        if let socket = connection.socket, processEnded || ready.contains(socket.descriptor.rawValue) {
            takeMessages(socket, all: processEnded)
        }
        if processEnded { reapIfEnded() }
    }

    private func takeMessages(_ socket: MessageSocket, all: Bool) {
        // Take a few at a time, so that one busy engine does not block the others.
        var left = all ? 4096 : 64
        while left > 0, connection.socket != nil, all || connection.allowance.isOpen(at: now()) {
            left -= 1
            switch socket.receive(waiting: false) {
            case .wouldWait: return
            case .end: return sawSocketEnd()
            case .malformed: return end(misbehaved("sent a message of invalid size"))
            case .message(let bytes, let descriptors):
                // Ignore messages once the engine is condemned. Descriptors that nobody asked for end it.
                guard life.cause == nil else {
                    connection.allowance.charge(InputAllowance.message)
                    continue
                }
                guard descriptors.isEmpty else { return end(misbehaved("sent descriptors")) }
                do throws(WireError) {
                    let message = try EngineMessage(decoding: bytes[...])
                    connection.allowance.charge(InputAllowance.cost(of: message, bytes: bytes.count))
                    take(message)
                } catch {
                    return end(misbehaved("sent \(error.what)"))
                }
            }
        }
    }

    /// The level of what the engine's libraries print on stderr.
    private static let printed = "stderr"

    func log(_ level: String, _ line: String) {
        guard logAllowance.take(isPrinted: level == Self.printed, at: now()) else { return }
        connection.allowance.charge(InputAllowance.line)
        deliver(.log(level: level, message: line))
    }
}
