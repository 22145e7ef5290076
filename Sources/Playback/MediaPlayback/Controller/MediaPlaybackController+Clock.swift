// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// The timer of the watchdog, and the heartbeat of the place. The machine decides when; this only keeps time.
extension MediaPlaybackController {
    func startClock(_ id: UInt64, _ kind: PlaybackClock.Kind, _ duration: Duration) {
        let clock = ports.clock
        watchdog.start(
            Task { [weak self] in
                if kind == .stuck {
                    await self?.watchProgress(id, for: duration)
                } else {
                    try? await clock.sleep(for: duration)
                    guard !Task.isCancelled else { return }
                    await self?.ring(id)
                }
            })
    }

    private func ring(_ id: UInt64) async {
        let heard = await foretoldPosition()
        guard !Task.isCancelled else { return }
        handle(.clock(id: id, heard: heard))
    }

    /// Fires the timer when the audible position has not moved for `limit`.
    private func watchProgress(_ id: UInt64, for limit: Duration) async {
        var last = await foretoldPosition()
        var still = Duration.zero
        let interval = limit / 3
        while still < limit {
            try? await ports.clock.sleep(for: interval)
            guard !Task.isCancelled else { return }
            let heard = await foretoldPosition()
            still = heard == last || heard == nil ? still + interval : .zero
            last = heard
        }
        guard !Task.isCancelled else { return }
        handle(.clock(id: id, heard: last))
    }

    /// Saves the place at intervals while something sounds; no timer runs when nothing does.
    func beat() {
        let interval = settings.placeInterval
        let clock = ports.clock
        keeping.beat(machine.state.stream == .sounding) {
            desk.paces.pause()
            return Task { [weak self] in
                while !Task.isCancelled {
                    try? await clock.sleep(for: interval)
                    guard !Task.isCancelled else { return }
                    await self?.noteHeard()
                }
            }
        }
    }

    private func noteHeard() async {
        let generation = machine.state.generation
        guard let heard = await foretoldPosition() else { return }
        handle(.heard(generation: generation, heard))
        learnPace(at: heard, generation)
        if generation == machine.state.generation { prepareReader(at: heard) }
        if machine.state.sleep != nil { persistSleep() }
    }
}
