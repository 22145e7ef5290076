// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineTransport
import Glibc
import MediaPlayback

/// Checks that an engine does what it should, and no more than that.
extension EngineLink {
    func checkRing() {
        guard case .running = phase else { return }
        if reader.isBroken { return end(misbehaved("wrote invalid data into its ring")) }
        checkRendering()
        checkProcessor()
    }

    private func checkRendering() {
        // Other requests have deadlines of their own.
        let isAsked = pending.values.contains { ![.describe, .measureLater, .ping].contains($0.kind) }
        let isLow = reader.isLow
        let mustAsk = watch.mustAsk(
            isLow: isLow && !isAsked, written: reader.written, now: now(), patience: deadlines.quiet.nanoseconds)
        guard mustAsk else { return }
        ask(.ping, isRemote ? deadlines.renderRemote : deadlines.render, { _ in }) { .ping(request: $0) }
    }

    private func checkProcessor() {
        guard let used = process?.processorTime else { return }
        let now = now()
        // A ring that is half empty counts as a request for sound.
        if reader.isLow, watch.deadline != nil { processor.noteRequest(at: now, used: used) }
        // An engine that measures in the background may use processor time that nobody else needs for as long as it
        // reads a file.
        if pending.values.contains(where: { $0.kind == .measureLater }) { processor.noteRequest(at: now, used: used) }
        guard let deadline = processor.deadline, deadline <= now else { return }
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        guard let excess = processor.excess(at: now, used: used, cores: cores) else { return }
        let percent = Int(excess * 100)
        end(misbehaved("took \(percent) % of a processor for \(ProcessorWatch.window / 1_000_000_000) s and was ended"))
    }

    /// The position at which another process could continue, or `nil` while a thread may still be writing.
    var renderedEnd: RenderedEnd? {
        guard process != nil, !reader.isBroken, leavesSound,
            let tracks = loads.values.first(where: \.isLoaded)?.content.tracks,
            let last = reader.newest, !last.flags.contains(.end)
        else { return nil }
        let isTrackEnd = last.flags.contains(.trackEnd)
        let position = MediaPosition(
            track: Int(last.track) + (isTrackEnd ? 1 : 0), units: isTrackEnd ? 0 : last.positionEnd)
        guard tracks.indices.contains(position.track) else { return nil }
        return RenderedEnd(generation: last.generation, position: position, wasIdle: reader.isAwaited)
    }
}
