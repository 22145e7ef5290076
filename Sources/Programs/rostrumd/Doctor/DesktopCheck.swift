// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import CSystemd
import Glibc

/// The examination of the desktop: the bus that media keys come from, the service, and logind.
enum DesktopCheck {
    private static let name = "org.mpris.MediaPlayer2.rostrum"
    private static let limit: UInt64 = 3_000_000

    static func findings(isSessionRunning: Bool) async -> [Finding] {
        let queue = BlockingQueue(label: "rostrum.doctor")
        let findings = await queue.run(within: .seconds(10)) {
            user(isSessionRunning: isSessionRunning) + system()
        }
        return findings ?? [.fault("bus", "the bus does not answer within 10 s", do: "log out and in again")]
    }

    private static func user(isSessionRunning: Bool) -> [Finding] {
        var bus: OpaquePointer?
        guard sd_bus_open_user(&bus) >= 0 else {
            return [
                .note(
                    "bus", "there is no desktop bus here: media keys and headset buttons do not work",
                    do: "log in to a desktop, or install dbus-user-session")
            ]
        }
        defer { sd_bus_flush_close_unref(bus) }
        sd_bus_set_method_call_timeout(bus, limit)
        var findings: [Finding] = []
        if sd_bus_get_name_creds(bus, name, 0, nil) >= 0 {
            findings.append(.ok("bus", "media keys reach the session as \(name)"))
        } else if isSessionRunning {
            findings.append(
                .fault(
                    "bus", "the session is not on this bus: media keys do not reach it",
                    do: "end it, and start it from the desktop"))
        } else {
            findings.append(.ok("bus", "the desktop's bus is there"))
        }
        findings.append(service(bus))
        return findings
    }

    private static func service(_ bus: OpaquePointer?) -> Finding {
        var acquired: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        var activatable: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard sd_bus_list_names(bus, &acquired, &activatable) >= 0 else {
            return .note("service", "the bus does not list its services", do: "restart the bus: log out and in again")
        }
        defer {
            release(acquired)
            release(activatable)
        }
        var index = 0
        while let word = activatable?[index] {
            if String(cString: word) == name { return .ok("service", "a media key starts the session") }
            index += 1
        }
        return .note(
            "service", "a media key does not start the session",
            do: "run `make install`, or install the package rostrum, and log in again")
    }

    private static func release(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        guard let words else { return }
        var index = 0
        while let word = words[index] {
            free(word)
            index += 1
        }
        free(words)
    }

    private static let noLogind = Finding.note(
        "sleep", "there is no logind: the machine may go to sleep while something plays",
        do: "use systemd-logind or elogind, or set the machine not to sleep")

    private static func system() -> [Finding] {
        var bus: OpaquePointer?
        guard sd_bus_open_system(&bus) >= 0 else {
            return [noLogind]
        }
        defer { sd_bus_flush_close_unref(bus) }
        sd_bus_set_method_call_timeout(bus, limit)
        guard sd_bus_get_name_creds(bus, "org.freedesktop.login1", 0, nil) >= 0 else {
            return [noLogind]
        }
        return [.ok("sleep", "logind keeps the machine awake while something plays")]
    }
}
