// SPDX-License-Identifier: Apache-2.0

import CMPRIS
import CSystemd
import Glibc

/// A connection to the session bus, used on one thread.
///
/// It waits for a bus that is not there yet: sd-bus watches the folder of its socket.
final class BusConnection {
    let bus: OpaquePointer
    /// The object's functions, where sd-bus finds them; sd-bus keeps the address.
    private let functions: UnsafeMutablePointer<rostrum_mpris_functions>

    /// Connects to a bus; `nil` if there is no address, or too little memory.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, as `DBUS_SESSION_BUS_ADDRESS` has it.
    ///   - functions: What sd-bus calls for the player's object.
    init?(address: String, functions: rostrum_mpris_functions) {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let bus = made else { return nil }
        self.functions = .allocate(capacity: 1)
        self.functions.initialize(to: functions)
        self.bus = bus
        let isReady =
            sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0
            && sd_bus_set_watch_bind(bus, 1) >= 0 && sd_bus_set_description(bus, "rostrum") >= 0
            && rostrum_mpris_add(bus, self.functions) >= 0 && sd_bus_start(bus) >= 0
        if !isReady { return nil }
    }

    deinit {
        sd_bus_close(bus)
        sd_bus_unref(bus)
        functions.deinitialize(count: 1)
        functions.deallocate()
    }

    /// The address of the session bus, or `nil` if the environment names none.
    static var address: String? {
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty {
            return withoutIdentity(address)
        }
        guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), folder.hasPrefix("/") else {
            return nil
        }
        return "unix:path=\(folder)/bus"
    }

    /// Returns an address without the number of one particular bus.
    ///
    /// A bus gives it to the services that it starts; the bus that follows in its place has another.
    static func withoutIdentity(_ address: String) -> String {
        address.split(separator: ";").map { alternative in
            let parts = alternative.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return String(alternative) }
            let keys = parts[1].split(separator: ",").filter { !$0.hasPrefix("guid=") }
            return parts[0] + ":" + keys.joined(separator: ",")
        }.joined(separator: ";")
    }

    /// The number of messages that are taken before others have a turn.
    private static let batch = 32

    /// Takes what has arrived; `false` if the connection is lost.
    ///
    /// After a batch, the deadline says that there is more.
    func process() -> Bool {
        for _ in 0..<Self.batch {
            let result = sd_bus_process(bus, nil)
            if result < 0 { return false }
            if result == 0 { return true }
        }
        return true
    }

    /// `true` once the bus has accepted the connection.
    var isReady: Bool { sd_bus_is_ready(bus) > 0 }

    /// `true` if the bus has taken everything that was sent.
    var isDrained: Bool {
        var queued: UInt64 = 0
        return sd_bus_get_n_queued_write(bus, &queued) < 0 || queued == 0
    }

    /// The descriptor that the thread waits for until the connection has work.
    var wait: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: sd_bus_get_events(bus)), revents: 0)
    }

    /// The monotonic time in microseconds at which the connection has work anyway; `nil` if there is none.
    var deadline: UInt64? {
        var time: UInt64 = .max
        return sd_bus_get_timeout(bus, &time) >= 0 && time != .max ? time : nil
    }

    // MARK: Messages

    /// Emits a signal of the player's object.
    func emit(_ name: String, of interface: String, _ values: [BusValue]) {
        var made: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &made, ROSTRUM_MPRIS_PATH, interface, name) >= 0, let message = made
        else { return }
        defer { sd_bus_message_unref(message) }
        do throws(BusFault) {
            for value in values { try BusWriter(message: message).append(value) }
        } catch { return }
        _ = sd_bus_send(bus, message, nil)
    }

    /// Says that properties have changed; their values are read through the object's functions.
    func tellChanges(of properties: [String], interface: String) {
        guard !properties.isEmpty else { return }
        var names: [UnsafeMutablePointer<CChar>?] = properties.map { strdup($0) }
        defer { for name in names { free(name) } }
        names.append(nil)
        _ = sd_bus_emit_properties_changed_strv(bus, ROSTRUM_MPRIS_PATH, interface, &names)
    }

    /// Answers a call with nothing but success.
    static func answer(_ call: OpaquePointer) { answer(call, []) }

    /// Answers a call with values.
    static func answer(_ call: OpaquePointer, _ body: (BusWriter) throws(BusFault) -> Void) {
        var made: OpaquePointer?
        guard sd_bus_message_new_method_return(call, &made) >= 0, let reply = made else { return }
        defer { sd_bus_message_unref(reply) }
        var isWritten = false
        do throws(BusFault) {
            try body(BusWriter(message: reply))
            isWritten = sd_bus_send(nil, reply, nil) >= 0
        } catch {}
        if !isWritten { refuse(call, "org.freedesktop.DBus.Error.LimitsExceeded", "the answer is too long") }
    }

    private static func answer(_ call: OpaquePointer, _ values: [BusValue]) {
        answer(call) { writer throws(BusFault) in for value in values { try writer.append(value) } }
    }

    /// Answers a call with an error.
    static func refuse(_ call: OpaquePointer, _ name: String, _ message: String) {
        var error = sd_bus_error()
        sd_bus_error_set(&error, name, message)
        _ = sd_bus_reply_method_error(call, &error)
        sd_bus_error_free(&error)
    }
}
