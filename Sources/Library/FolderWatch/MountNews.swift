// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// Reports when file systems are mounted or unmounted.
///
/// A thread of its own waits for that and for nothing else: the list of mounts is always readable, so that Dispatch,
/// which waits for readable files, would never rest.
public final class MountNews: Sendable {
    private let wake: Int32

    /// - Parameter changed: Called on the thread of this value.
    /// - Returns: `nil` if the system does not report mounts.
    public init?(_ changed: @escaping @Sendable () -> Void) {
        let list = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard list >= 0 else { return nil }
        let wake = gnu_wake_descriptor()
        let ends = wake >= 0 ? dup(wake) : -1
        guard ends >= 0 else {
            close(list)
            if wake >= 0 { close(wake) }
            return nil
        }
        guard Wait(list: list, ends: ends, changed: changed).start() else {
            close(list)
            close(ends)
            close(wake)
            return nil
        }
        self.wake = wake
    }

    deinit {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
        close(wake)
    }

    private final class Wait: Sendable {
        let list: Int32
        let ends: Int32
        let changed: @Sendable () -> Void

        init(list: Int32, ends: Int32, changed: @escaping @Sendable () -> Void) {
            (self.list, self.ends, self.changed) = (list, ends, changed)
        }

        func start() -> Bool {
            var thread = pthread_t()
            let box = Unmanaged.passRetained(self)
            let result = pthread_create(
                &thread, nil,
                { argument in
                    // Signals must go to the program's main thread.
                    var all = sigset_t()
                    sigfillset(&all)
                    pthread_sigmask(SIG_BLOCK, &all, nil)
                    gnu_name_thread("mount-news")
                    guard let argument else { return nil }
                    Unmanaged<Wait>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, box.toOpaque())
            guard result == 0 else {
                box.release()
                return false
            }
            pthread_detach(thread)
            return true
        }

        private func run() {
            defer {
                close(list)
                close(ends)
            }
            while true {
                var waits = [
                    pollfd(fd: list, events: Int16(POLLPRI), revents: 0),
                    pollfd(fd: ends, events: Int16(POLLIN), revents: 0),
                ]
                _ = gnu_poll(&waits, waits.count, -1)
                if waits[1].revents != 0 { return }
                if waits[0].revents != 0 { changed() }
            }
        }
    }
}
