// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// What a listener sees of an attached player.
protocol PlayerView: AnyObject {
    /// Terminal to read keys from, if any.
    var keyboard: Int32? { get }
    var topics: [Subscription.Topic] { get }
    /// Once before the first message, and again after the program was suspended.
    func begin()
    /// Puts the terminal back; nothing is shown until `begin`.
    func end()
    /// The JSON text of a status or of a log record; `now` in monotonic milliseconds.
    func status(_ text: [UInt8], now: Int64) throws(SessionError)
    func transition(_ text: [UInt8]) throws(SessionError)
    func error(_ error: SessionError) throws(SessionError)
    /// A request that a key sent was refused.
    func remark(_ message: String)
    /// Shows what time changed, and says in how many milliseconds it will again; nil while nothing moves.
    func draw(now: Int64) throws(SessionError) -> Int32?
    func resized()
    func key(_ key: Key) -> SessionCommand?
    /// Whether the listener was told this already.
    func hasShown(_ warning: String) -> Bool
}

extension PlayerView {
    var keyboard: Int32? { nil }
    func begin() {}
    func end() {}
    func remark(_ message: String) {}
    func draw(now: Int64) -> Int32? { nil }
    func resized() {}
    func key(_ key: Key) -> SessionCommand? { nil }
    func hasShown(_ warning: String) -> Bool { false }
}

/// Errors only: no terminal, or a render.
final class SilentView: PlayerView {
    let topics: [Subscription.Topic] = []
    func status(_ text: [UInt8], now: Int64) {}
    func transition(_ text: [UInt8]) {}
    func error(_ error: SessionError) {}
}

/// `--json`: what the session says, one object a line, each with its type.
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

    /// Puts the type in front of the object's own members, which stay as they came.
    private func write(_ type: String, _ object: [UInt8]) throws(SessionError) {
        guard object.first == UInt8(ascii: "{") else { return }
        let members = object.dropFirst()
        let separator = members.first { $0 > 32 } == UInt8(ascii: "}") ? "" : ","
        try StandardOutput.write(Array("{\"type\":\"\(type)\"\(separator)".utf8) + members + [JSONLine.newline])
    }
}
