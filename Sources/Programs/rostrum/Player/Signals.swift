// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// Signals as events of one loop: they are delivered only inside ``wait(_:timeoutMs:)``.
struct Signals: ~Copyable {
    static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let watched = ending + [SIGTSTP, SIGCONT, SIGWINCH]
    private var before = sigset_t()

    /// Starts to watch; a signal that the caller ignores (nohup) is still ignored.
    init() {
        signal(SIGPIPE, SIG_IGN)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in Self.watched {
            var old = sigaction()
            sigaction(number, nil, &old)
            if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            sigaddset(&blocked, number)
            signal(number) { pendingSignals |= 1 << UInt64($0) }
        }
        sigprocmask(SIG_BLOCK, &blocked, &before)
        // The caller may have blocked some of them; Ctrl-C must work all the same.
        for number in Self.watched { sigdelset(&before, number) }
    }

    /// Waits for descriptors, a signal or the timeout (`nil` for none), and returns the signals that came.
    mutating func wait(_ descriptors: inout [pollfd], timeoutMs: Int32?) -> [Int32] {
        if gnu_ppoll(&descriptors, descriptors.count, timeoutMs ?? -1, &before) > 0 {
            // Where descriptors are ready, no signal is let in; a flood of messages must not keep them out.
            var none: [pollfd] = []
            _ = gnu_ppoll(&none, 0, 0, &before)
        }
        let came = pendingSignals
        pendingSignals = 0
        // A signal may stop the process meanwhile; what was readable before need not be so afterwards.
        if came != 0 { for index in descriptors.indices { descriptors[index].revents = 0 } }
        return Self.watched.filter { came & 1 << UInt64($0) != 0 }
    }

    /// Has the same effect on this process as if it did not watch the signal.
    func passOn(_ number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        sigprocmask(SIG_UNBLOCK, &only, nil)
        // After SIGTSTP the process is stopped here, and continues after SIGCONT.
        sigprocmask(SIG_BLOCK, &only, nil)
        signal(number) { pendingSignals |= 1 << UInt64($0) }
    }
}

// It is unsafe, but the handlers that write it run only inside ppoll of the one thread that reads it.
nonisolated(unsafe) private var pendingSignals: UInt64 = 0
