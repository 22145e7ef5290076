// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// One blocking call to the desktop's notification service (Desktop Notifications Specification 1.2).
enum NotificationCall {
    static let limit = Duration.seconds(2)

    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// The desktop decides for how long a notice is shown.
    private static let standardTime: Int32 = -1

    /// Shows a notice.
    ///
    /// - Returns: Its number; `nil` if the desktop shows none.
    static func show(title: String, text: String) -> UInt32? {
        call("Notify") { message in
            append("Rostrum", to: message)
            append(UInt32(0), "u", to: message)
            for word in ["rostrum", title, escaped(text)] { append(word, to: message) }
            // No actions.
            sd_bus_message_open_container(message, letter("a"), "s")
            sd_bus_message_close_container(message)
            sd_bus_message_open_container(message, letter("a"), "{sv}")
            sd_bus_message_open_container(message, letter("e"), "sv")
            append("desktop-entry", to: message)
            sd_bus_message_open_container(message, letter("v"), "s")
            append("rostrum", to: message)
            for _ in 0..<3 { sd_bus_message_close_container(message) }
            append(standardTime, "i", to: message)
        } read: { reply in
            var number: UInt32 = 0
            return sd_bus_message_read_basic(reply, letter("u"), &number) > 0 ? number : nil
        }
    }

    static func withdraw(_ number: UInt32) {
        _ = call("CloseNotification") {
            append(number, "u", to: $0)
        } read: { _ in
            true
        }
    }

    private static func call<Answer>(
        _ method: String, _ write: (OpaquePointer?) -> Void, read: (OpaquePointer?) -> Answer?
    ) -> Answer? {
        var bus: OpaquePointer?
        guard sd_bus_open_user(&bus) >= 0 else { return nil }
        defer { sd_bus_flush_close_unref(bus) }
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        guard sd_bus_message_new_method_call(bus, &message, service, path, service, method) >= 0 else { return nil }
        write(message)
        var reply: OpaquePointer?
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_call(bus, message, UInt64(limit / .microseconds(1)), nil, &reply) >= 0 else { return nil }
        return read(reply)
    }

    private static func append(_ text: String, to message: OpaquePointer?) {
        sd_bus_message_append_basic(message, letter("s"), text)
    }

    private static func append(_ value: some FixedWidthInteger, _ type: Unicode.Scalar, to message: OpaquePointer?) {
        var value = value
        sd_bus_message_append_basic(message, letter(type), &value)
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
