// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// Blocking calls to the desktop's notification service (Desktop Notifications Specification 1.2).
///
/// The connection stays open: a desktop may remove the notices of a sender that leaves the bus. Unchecked: sd-bus allows
/// one thread at a time, and all calls come from one queue.
final class NotificationBus: @unchecked Sendable {
    private static let limit = Duration.seconds(2)
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// The desktop decides for how long a notice is shown.
    private static let standardTime: Int32 = -1

    /// The number of messages that are read between two calls.
    private static let mostMessages = 100

    private var bus: OpaquePointer?

    deinit { sd_bus_flush_close_unref(bus) }

    /// Shows a notice.
    ///
    /// - Returns: Its number; `nil` if the desktop shows none.
    func show(title: String, text: String) -> UInt32? {
        call("Notify") { message in
            append("Rostrum", to: message)
            append(UInt32(0), "u", to: message)
            for word in ["rostrum", title, Self.escaped(text)] { append(word, to: message) }
            // No actions.
            sd_bus_message_open_container(message, Self.letter("a"), "s")
            sd_bus_message_close_container(message)
            sd_bus_message_open_container(message, Self.letter("a"), "{sv}")
            sd_bus_message_open_container(message, Self.letter("e"), "sv")
            append("desktop-entry", to: message)
            sd_bus_message_open_container(message, Self.letter("v"), "s")
            append("rostrum", to: message)
            for _ in 0..<3 { sd_bus_message_close_container(message) }
            append(Self.standardTime, "i", to: message)
        } read: { reply in
            var number: UInt32 = 0
            return sd_bus_message_read_basic(reply, Self.letter("u"), &number) > 0 ? number : nil
        }
    }

    func withdraw(_ number: UInt32) {
        _ = call("CloseNotification") {
            append(number, "u", to: $0)
        } read: { _ in
            true
        }
    }

    private func call<Answer>(
        _ method: String, _ write: (OpaquePointer?) -> Void, read: (OpaquePointer?) -> Answer?
    ) -> Answer? {
        if let bus, sd_bus_is_open(bus) <= 0 {
            sd_bus_close_unref(bus)
            self.bus = nil
        }
        if bus == nil, sd_bus_open_user(&bus) < 0 { return nil }
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        guard sd_bus_message_new_method_call(bus, &message, Self.service, Self.path, Self.service, method) >= 0 else {
            return nil
        }
        write(message)
        var reply: OpaquePointer?
        defer { sd_bus_message_unref(reply) }
        // Messages that the desktop sends on its own account are of no use here; a flood of them holds up nothing.
        for _ in 0..<Self.mostMessages where sd_bus_process(bus, nil) <= 0 { break }
        guard sd_bus_call(bus, message, UInt64(Self.limit / .microseconds(1)), nil, &reply) >= 0 else { return nil }
        return read(reply)
    }

    private func append(_ text: String, to message: OpaquePointer?) {
        sd_bus_message_append_basic(message, Self.letter("s"), text)
    }

    private func append(_ value: some FixedWidthInteger, _ type: Unicode.Scalar, to message: OpaquePointer?) {
        var value = value
        sd_bus_message_append_basic(message, Self.letter(type), &value)
    }

    private static func letter(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }

    /// Returns a text in which nothing is markup.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
