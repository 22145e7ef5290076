// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// One blocking call to systemd-logind.
enum LogindCall {
    /// The events that are inhibited, and how, in the order of preference.
    ///
    /// `block-weak` (systemd 257) lets the user suspend all the same, as `block` did before. A session that is not local
    /// may only inhibit `idle`.
    private static let ways = [("sleep:idle", "block-weak"), ("sleep:idle", "block"), ("idle", "block")]

    /// Takes an inhibitor lock against automatic sleep.
    ///
    /// - Returns: The descriptor that is the lock, or -1 if logind is not there or refuses.
    static func inhibit(reason: String, within limit: Duration) -> Int32 {
        var bus: OpaquePointer?
        guard sd_bus_open_system(&bus) >= 0 else { return -1 }
        defer { sd_bus_flush_close_unref(bus) }
        let microseconds = UInt64(limit / .microseconds(1))
        sd_bus_set_method_call_timeout(bus, microseconds)
        for (what, mode) in ways {
            let lock = inhibit(bus, what, reason, mode, within: microseconds)
            if lock >= 0 { return lock }
        }
        return -1
    }

    private static func inhibit(
        _ bus: OpaquePointer?, _ what: String, _ reason: String, _ mode: String, within microseconds: UInt64
    ) -> Int32 {
        var call: OpaquePointer?
        defer { sd_bus_message_unref(call) }
        let made = sd_bus_message_new_method_call(
            bus, &call, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
            "Inhibit")
        guard made >= 0 else { return -1 }
        for word in [what, "Rostrum", reason, mode] {
            guard sd_bus_message_append_basic(call, CChar(UInt8(ascii: "s")), word) >= 0 else { return -1 }
        }
        var reply: OpaquePointer?
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_call(bus, call, microseconds, nil, &reply) >= 0 else { return -1 }
        var descriptor: Int32 = -1
        guard sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "h")), &descriptor) > 0 else { return -1 }
        // The message owns the descriptor.
        return fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    }

    static func release(_ lock: Int32) { close(lock) }
}
