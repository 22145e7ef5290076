// SPDX-License-Identifier: Apache-2.0

import AudioSession
import CGNUSource
import CPulse
import Clocks

/// libpulse's main loop, in which the output's thread sleeps.
///
/// Everything but `wake` belongs to that thread. Callbacks only record what happened; the output checks after each
/// wait.
final class PulseLoop: OutputWait, @unchecked Sendable {  // Only the thread uses the loop, but for pa_mainloop_wakeup.
    private let loop: OpaquePointer?
    private var watched: OpaquePointer?
    private var descriptor: Int32?
    /// The longest wait, in milliseconds, if there is no loop to end it.
    private static let step: Int32 = 20

    init() {
        loop = pa_mainloop_new()
        if let loop {
            pa_mainloop_set_poll_func(
                loop, { entries, count, timeout, _ in gnu_poll(entries, Int(clamping: count), timeout) }, nil)
        }
    }

    deinit {
        watch(readable: nil)
        if let loop { pa_mainloop_free(loop) }
    }

    var api: UnsafeMutablePointer<pa_mainloop_api>? {
        loop.flatMap { pa_mainloop_get_api($0) }
    }

    func wait(until deadline: Int64?, unless hasWork: () -> Bool) {
        var timeout: Int32 = -1
        if let deadline { timeout = Int32(clamping: max(0, deadline - MonotonicTime.now() + 999) / 1000) }
        // Nothing can wake a thread without a loop.
        guard let loop, pa_mainloop_prepare(loop, timeout) >= 0 else {
            if !hasWork() { _ = gnu_poll(nil, 0, timeout < 0 ? Self.step : min(Self.step, timeout / 1000 + 1)) }
            return
        }
        // `prepare` has emptied the pipe of `wake`: earlier wake-ups are noticed here, later ones end the poll.
        if hasWork() { pa_mainloop_wakeup(loop) }
        guard pa_mainloop_poll(loop) >= 0 else { return }
        _ = pa_mainloop_dispatch(loop)
    }

    func wake() {
        if let loop { pa_mainloop_wakeup(loop) }
    }

    /// Waits for a condition that the loop's callbacks establish; returns `false` on timeout.
    ///
    /// Work that is queued for the thread meanwhile waits; the next wait checks for it.
    func spin(milliseconds: Int64, until isDone: () -> Bool) -> Bool {
        let deadline = MonotonicTime.now() + milliseconds * MonotonicTime.millisecond
        while !isDone() {
            guard MonotonicTime.now() < deadline else { return false }
            wait(until: deadline) { false }
        }
        return true
    }

    /// Sends what is queued.
    func push() {
        guard let loop else { return }
        for _ in 0..<4 where pa_mainloop_iterate(loop, 0, nil) <= 0 { return }
    }

    /// Sets the file descriptor that ends a wait when it becomes readable.
    func watch(readable descriptor: Int32?) {
        guard descriptor != self.descriptor, let api else { return }
        self.descriptor = descriptor
        if let watched { api.pointee.io_free(watched) }
        watched = descriptor.flatMap { api.pointee.io_new(api, $0, PA_IO_EVENT_INPUT, { _, _, _, _, _ in }, nil) }
    }
}
