// SPDX-License-Identifier: Apache-2.0

import CSystemd
import MediaPlayback

/// The messages of a service to systemd; for a session that systemd did not start, they go nowhere.
enum ServiceNotification {
    /// Says that clients can connect.
    static func ready() { sd_notify(0, "READY=1") }

    /// Says that the session is saving, and ends.
    static func stopping() { sd_notify(0, "STOPPING=1") }

    /// Answers systemd's watchdog for as long as the task runs, if it asks.
    ///
    /// Each answer has gone through the controller: one that hangs is not answered for.
    static func answerWatchdog(for controller: MediaPlaybackController) async {
        var limit: UInt64 = 0
        guard sd_watchdog_enabled(0, &limit) > 0, limit > 0 else { return }
        let interval = Duration.microseconds(Int64(clamping: limit / 2))
        while !Task.isCancelled {
            await controller.show { _ in }
            sd_notify(0, "WATCHDOG=1")
            try? await Task.sleep(for: interval, tolerance: interval / 4)
        }
    }
}
