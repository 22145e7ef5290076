// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import Clocks
import EngineABI
import EngineSDK
import Glibc

/// The reason why a server could not be read.
struct WebFault: Error {
    var code: rostrum_result
    /// The end of a message that begins with what failed.
    var reason: String
    /// `true` if an immediate retry may succeed.
    var isPassing = false

    static func broken(_ reason: String = "the connection failed or broke off") -> WebFault {
        WebFault(code: ROSTRUM_ERROR_NETWORK, reason: reason, isPassing: true)
    }

    static func wrong(_ reason: String) -> WebFault { WebFault(code: ROSTRUM_ERROR_NETWORK, reason: reason) }
    static func refused(_ reason: String) -> WebFault { WebFault(code: ROSTRUM_ERROR_PERMISSION, reason: reason) }
}

/// A deadline for waiting on a server, which also ends the wait when the host interrupts.
struct Patience {
    private let host: Host
    private let end: Int

    init(_ host: Host, seconds: Int) {
        self.host = host
        end = Self.now + seconds * 1000
    }

    /// Creates a deadline that is the earlier of both.
    init(_ other: Patience, atMost seconds: Int) {
        host = other.host
        end = min(other.end, Self.now + seconds * 1000)
    }

    private static var now: Int { Int(MonotonicTime.milliseconds()) }

    func check() throws(WebFault) {
        if host.isInterrupted { throw WebFault(code: ROSTRUM_ERROR_INTERRUPTED, reason: "interrupted") }
        if Self.now >= end { throw WebFault(code: ROSTRUM_ERROR_TIMEOUT, reason: "the server does not answer") }
    }

    /// Returns once the file descriptor is ready.
    func wait(for descriptor: Int32, _ events: Int32) throws(WebFault) {
        while true {
            try check()
            // It waits in slices, because an interruption by the host wakes nothing.
            var wait = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = poll(&wait, 1, Int32(max(1, min(100, end - Self.now))))
            if ready > 0 { return }
            if ready < 0, errno != EINTR {
                throw .broken("cannot wait for the server: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Returns after this number of milliseconds.
    func pause(_ milliseconds: Int) throws(WebFault) {
        let until = Self.now + milliseconds
        while Self.now < until {
            try check()
            _ = poll(nil, 0, Int32(max(1, min(100, until - Self.now))))
        }
    }
}
