// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A connection to the keyring, with blocking calls.
final class SecretBus {
    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let collection = "/org/freedesktop/secrets/aliases/default"
    private static let interface = "org.freedesktop.Secret."

    private var bus: OpaquePointer?
    private let application: String
    private let microseconds: UInt64
    private var session = ""

    init(application: String, limit: Duration) throws(SecretService.Failure) {
        self.application = application
        microseconds = UInt64(max(1, limit / .microseconds(1)))
        guard sd_bus_open_user(&bus) >= 0 else { throw .absent }
        do throws(SecretService.Failure) {
            session = try call(Self.root, "Service", "OpenSession") { message in
                append("plain", to: message)
                inside(message, "v", "s") { append("", to: message) }
            } read: { reply in
                sd_bus_message_skip(reply, "v") >= 0 ? path(reply) : nil
            }
        } catch {
            // Before there is a session, every failure means that nothing can be kept here.
            throw .absent
        }
    }

    deinit { sd_bus_flush_close_unref(bus) }

    func secret(_ account: String) throws(SecretService.Failure) -> [UInt8]? {
        let (open, locked) = try items(account)
        guard let item = open.first else {
            if !locked.isEmpty { throw .locked }
            return nil
        }
        return try call(item, "Item", "GetSecret") { message in
            _ = sd_bus_message_append_basic(message, letter("o"), session)
        } read: { reply in
            guard sd_bus_message_enter_container(reply, letter("r"), "oayays") > 0, path(reply) != nil,
                bytes(reply) != nil
            else { return nil }
            return bytes(reply)
        }
    }

    func store(_ secret: [UInt8], for account: String, label: String) throws(SecretService.Failure) {
        let item = try call(Self.collection, "Collection", "CreateItem") { message in
            inside(message, "a", "{sv}") {
                inside(message, "e", "sv") {
                    append(Self.interface + "Item.Label", to: message)
                    inside(message, "v", "s") { append(label, to: message) }
                }
                inside(message, "e", "sv") {
                    append(Self.interface + "Item.Attributes", to: message)
                    inside(message, "v", "a{ss}") { appendAttributes(account, to: message) }
                }
            }
            inside(message, "r", "oayays") {
                _ = sd_bus_message_append_basic(message, letter("o"), session)
                _ = sd_bus_message_append_array(message, letter("y"), nil, 0)
                _ = secret.withUnsafeBytes {
                    sd_bus_message_append_array(message, letter("y"), $0.baseAddress, $0.count)
                }
                append("application/json", to: message)
            }
            var replaces: Int32 = 1
            _ = sd_bus_message_append_basic(message, letter("b"), &replaces)
        } read: { reply in
            path(reply)
        }
        // Without an item it wants to prompt first.
        if item == "/" { throw .locked }
    }

    func remove(_ account: String) throws(SecretService.Failure) {
        let (open, locked) = try items(account)
        if !locked.isEmpty { throw .locked }
        for item in open {
            let prompt = try call(item, "Item", "Delete", { _ in }, read: { path($0) })
            if prompt != "/" { throw .locked }
        }
    }

    private func items(_ account: String) throws(SecretService.Failure) -> (open: [String], locked: [String]) {
        try call(Self.root, "Service", "SearchItems") { message in
            appendAttributes(account, to: message)
        } read: { reply in
            guard let open = paths(reply), let locked = paths(reply) else { return nil }
            return (open, locked)
        }
    }

    // MARK: Messages

    private func call<Answer>(
        _ path: String, _ interface: String, _ method: String, _ write: (OpaquePointer?) -> Void,
        read: (OpaquePointer?) -> Answer?
    ) throws(SecretService.Failure) -> Answer {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        let made = sd_bus_message_new_method_call(
            bus, &message, Self.service, path, Self.interface + interface, method)
        guard made >= 0 else { throw .refused(String(cString: strerror(-made))) }
        write(message)
        var (reply, error): (OpaquePointer?, sd_bus_error) = (nil, sd_bus_error())
        defer {
            sd_bus_message_unref(reply)
            sd_bus_error_free(&error)
        }
        let sent = sd_bus_call(bus, message, microseconds, &error, &reply)
        guard sent >= 0 else {
            let name = error.name.map { String(cString: $0) } ?? ""
            if name == Self.interface + "Error.IsLocked" { throw .locked }
            throw .refused("the keyring refuses it (\(name.isEmpty ? String(cString: strerror(-sent)) : name))")
        }
        guard let answer = read(reply) else { throw .refused("the keyring answers nonsense") }
        return answer
    }

    private func inside(_ message: OpaquePointer?, _ type: Character, _ content: String, _ body: () -> Void) {
        sd_bus_message_open_container(message, letter(type), content)
        body()
        sd_bus_message_close_container(message)
    }

    private func append(_ text: String, to message: OpaquePointer?) {
        sd_bus_message_append_basic(message, letter("s"), text)
    }

    private func appendAttributes(_ account: String, to message: OpaquePointer?) {
        let attributes = [
            ("account", account), ("application", application), ("xdg:schema", Self.interface + "Generic"),
        ]
        inside(message, "a", "{ss}") {
            for (name, value) in attributes {
                inside(message, "e", "ss") {
                    append(name, to: message)
                    append(value, to: message)
                }
            }
        }
    }

    private func path(_ message: OpaquePointer?) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, letter("o"), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    private func paths(_ message: OpaquePointer?) -> [String]? {
        guard sd_bus_message_enter_container(message, letter("a"), "o") >= 0 else { return nil }
        var paths: [String] = []
        while paths.count < 64, let next = path(message) { paths.append(next) }
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        return paths
    }

    private func bytes(_ message: OpaquePointer?) -> [UInt8]? {
        var (start, count): (UnsafeRawPointer?, Int) = (nil, 0)
        guard sd_bus_message_read_array(message, letter("y"), &start, &count) >= 0 else { return nil }
        return start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    private func letter(_ character: Character) -> CChar { CChar(character.asciiValue ?? 0) }
}
