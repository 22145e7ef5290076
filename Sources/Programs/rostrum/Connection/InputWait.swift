// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol

/// A wait for what the session sends or does.
enum InputWait {
    /// Waits until a descriptor can be read, and returns `false` if the time is up first.
    ///
    /// A signal does not cut it short.
    static func isReadable(_ descriptor: Int32, within seconds: Int32) throws(SessionError) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = gnu_poll_on(&wait, 1, seconds * 1000)
        guard ready >= 0 else {
            throw SessionError(
                .io, "cannot wait for the session: \(String(cString: strerror(errno))); check `ulimit -a`, try again")
        }
        return ready > 0
    }
}
