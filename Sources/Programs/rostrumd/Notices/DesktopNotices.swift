// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import ListenerNotices
import MediaPlayback
import SettingsFile
import Synchronization

/// The notices of the session on the desktop, which shows them as it shows others.
///
/// A desktop without notifications shows none. No call waits.
final class DesktopNotices: Sendable {
    private struct State {
        var rules = ListenerNotices()
        var isAllowed: Bool
    }

    private let queue = BlockingQueue(label: "rostrum.notices")
    private let bus = NotificationBus()
    private let state: Mutex<State>
    /// The desktop's numbers of the notices that are shown; only work on the queue uses them.
    private let numbers = Mutex<[ListenerNotices.Subject: UInt32]>([:])

    init(_ settings: Settings) { state = Mutex(State(isAllowed: settings.showsNotices)) }

    /// Follows a state; it is called for each in order, and does not wait.
    func show(_ snapshot: PlaybackSnapshot) {
        let (changes, isAllowed) = state.withLock { state in
            (state.rules.follow(snapshot.state, saveFault: snapshot.saveFault), state.isAllowed)
        }
        for change in changes {
            // A notice that is there is withdrawn in any case.
            if case .show = change, !isAllowed { continue }
            queue.enqueue { [self] in carryOut(change) }
        }
    }

    /// Shows a notice that is over by itself.
    func tell(_ title: String, _ text: String) {
        guard state.withLock({ $0.isAllowed }) else { return }
        queue.enqueue { [self] in _ = bus.show(title: title, text: text) }
    }

    func set(_ settings: Settings) { state.withLock { $0.isAllowed = settings.showsNotices } }

    /// Withdraws what is shown: nobody else would.
    func stop() async {
        _ = await queue.run(within: .seconds(1)) { [self] in
            for number in numbers.withLock({ $0.values.map(\.self) }) { bus.withdraw(number) }
        }
    }

    private func carryOut(_ change: ListenerNotices.Change) {
        switch change {
        case .show(let subject, let title, let text):
            let number = bus.show(title: title, text: text)
            numbers.withLock { $0[subject] = number }
        case .withdraw(let subject):
            if let number = numbers.withLock({ $0.removeValue(forKey: subject) }) {
                bus.withdraw(number)
            }
        }
    }
}
