// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import SettingsFile

/// The session's traces on the desktop beside its remotes: the machine that stays awake, and notices.
final class DesktopPresence: Sendable {
    private let sleep: SleepPrevention
    private let notices: DesktopNotices

    init(_ settings: Settings) {
        sleep = SleepPrevention(settings)
        notices = DesktopNotices(settings)
    }

    /// Follows a state; it is called for each in order, and does not wait.
    func show(_ snapshot: PlaybackSnapshot) {
        sleep.show(snapshot)
        notices.show(snapshot)
    }

    /// Shows a notice that is over by itself.
    func tell(_ title: String, _ text: String) { notices.tell(title, text) }

    /// Withdraws the notices; the end of the process releases the rest.
    func stop() async { await notices.stop() }

    func set(_ settings: Settings) {
        sleep.set(settings)
        notices.set(settings)
    }
}
