// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import Glibc

/// Checks that an engine does what it should, and no more than that.
extension EngineLink {
    func checkRing() {
        guard life.isRunning else { return }
        if ring.isBroken { return end(misbehaved("wrote invalid data into its ring")) }
        checkRendering()
        checkProcessor()
    }

    private func checkRendering() {
        // Other requests have deadlines of their own.
        guard
            ring.mustPing(
                isBusy: requests.delaySound || openings.includeScript, now: now(), patience: deadlines.quiet.nanoseconds
            )
        else {
            return
        }
        ask(.ping, loads.isRemote ? deadlines.renderRemote : deadlines.render, { _ in }) { .ping(request: $0) }
    }

    private func checkProcessor() {
        guard let used = process?.processorTime else { return }
        let now = now()
        // A ring that is half empty counts as a request for sound.
        if ring.isLow, ring.deadline != nil { processor.noteRequest(at: now, used: used) }
        // An engine that measures in the background may use processor time that nobody else needs for as long as it
        // reads a file.
        if requests.includeLongWork { processor.noteRequest(at: now, used: used) }
        guard let deadline = processor.deadline, deadline <= now else { return }
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        guard let excess = processor.excess(at: now, used: used, cores: cores) else { return }
        let percent = Int(excess * 100)
        end(misbehaved("took \(percent) % of a processor for \(ProcessorWatch.window / 1_000_000_000) s and was ended"))
    }
}
