// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The display of an attached player.
protocol PlayerView: AnyObject {
    /// The terminal to read keys from, if there is one.
    var keyboard: Int32? { get }
    var topics: [Subscription.Topic] { get }
    /// Prepares the terminal, before the first message and again after the program was suspended.
    func begin()
    /// Restores the terminal; nothing is shown until ``begin()``.
    func end()
    /// Takes the JSON text of a status; `now` is the monotonic time in ms.
    func status(_ text: [UInt8], now: Int64) throws(SessionError)
    func transition(_ text: [UInt8]) throws(SessionError)
    func error(_ error: SessionError) throws(SessionError)
    /// Shows that a request that a key sent was refused.
    func remark(_ message: String)
    /// Shows what the session has to say about what begins to play.
    func notice(_ message: String)
    /// Draws what time has changed, and returns the ms until the next change; `nil` while nothing moves.
    func draw(now: Int64) throws(SessionError) -> Int32?
    func resized()
    func key(_ key: Key) -> SessionCommand?
    /// Returns `true` if the user has seen this warning already.
    func hasShown(_ warning: String) -> Bool
}

extension PlayerView {
    var keyboard: Int32? { nil }
    func begin() {}
    func end() {}
    func remark(_ message: String) {}
    func notice(_ message: String) { StandardError.write(warning: message) }
    func draw(now: Int64) -> Int32? { nil }
    func resized() {}
    func key(_ key: Key) -> SessionCommand? { nil }
    func hasShown(_ warning: String) -> Bool { false }
}

/// A view that shows nothing, for a client without a terminal and for renders.
final class SilentView: PlayerView {
    let topics: [Subscription.Topic] = []
    func status(_ text: [UInt8], now: Int64) {}
    func transition(_ text: [UInt8]) {}
    func error(_ error: SessionError) {}
}

/// The view of `--json`: the session's notifications, one object per line, each with its type.
final class JSONLinesView: PlayerView {
    let topics = Subscription.Topic.allCases

    func status(_ text: [UInt8], now: Int64) throws(SessionError) { try write("status", text) }
    func transition(_ text: [UInt8]) throws(SessionError) { try write("transition", text) }

    func error(_ error: SessionError) throws(SessionError) {
        struct Failure: Encodable {
            var code: Int32
            var message: String
        }
        try write("error", JSONLine.text(Failure(code: error.code.rawValue, message: error.message)))
    }

    /// Writes an object with the type before its own members, which are not changed.
    private func write(_ type: String, _ object: [UInt8]) throws(SessionError) {
        guard object.first == UInt8(ascii: "{") else { return }
        let members = object.dropFirst()
        let separator = members.first { $0 > 32 } == UInt8(ascii: "}") ? "" : ","
        try StandardOutput.write(Array("{\"type\":\"\(type)\"\(separator)".utf8) + members + [JSONLine.newline])
    }
}
