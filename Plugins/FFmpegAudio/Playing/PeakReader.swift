// SPDX-License-Identifier: Apache-2.0

import CPeaks
import EngineABI
import EngineSDK

/// A reader of a track's peaks, which decodes straight on as long as it is asked for them in order.
final class PeakReader {
    let track: OpenTrack
    private let mix = PeakMix()
    private var framesPerPeak = 0
    /// The number of the next peak, or `nil` if decoding is somewhere else.
    private var next: Int64?
    private var tally = cpeaks_tally()
    /// The unit up to which the tally has everything.
    private var unit: Int64 = 0
    private var hasEnded = false

    /// The number of decoded frames after which the host is asked whether to continue.
    private static let patience = 64

    /// Creates a reader that takes the track over: it renders no more.
    init(_ track: OpenTrack) throws(EngineFailure) {
        guard track.container.isSeekable || track.container.input.source.canReopen else {
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED, "cannot read the peaks of “\(track.name)”: it is a stream, not a file")
        }
        self.track = track
        track.mix = mix
    }

    /// Fills the buffer with the peaks from `first` on, and returns how many the track has of them.
    func read(
        _ framesPerPeak: Int, from first: Int64, into peaks: UnsafeMutableBufferPointer<rostrum_peak>
    ) throws(EngineFailure) -> Int {
        if next != first || framesPerPeak != self.framesPerPeak {
            next = nil
            try begin(framesPerPeak, at: first)
        }
        // After a failure decoding is somewhere within the peaks that were asked for.
        next = nil
        var filled = 0
        var frames = 0
        track.container.input.source.obeysInterrupt = true
        defer { track.container.input.source.obeysInterrupt = false }
        while filled < peaks.count, !hasEnded {
            if mix.count == 0 {
                frames += 1
                if frames % Self.patience == 0, track.host.isInterrupted { throw track.interrupted() }
                hasEnded = try !track.advance()
            }
            if hasEnded ? tally.count > 0 : fill() {
                peaks[filled] = rostrum_peak(
                    minimum: tally.minimum, maximum: tally.maximum, rms: cpeaks_rms(&tally))
                tally = cpeaks_tally()
                filled += 1
            }
        }
        next = first + Int64(filled)
        return filled
    }

    private func begin(_ framesPerPeak: Int, at first: Int64) throws(EngineFailure) {
        self.framesPerPeak = framesPerPeak
        mix.clear()
        tally = cpeaks_tally()
        unit = first * Int64(framesPerPeak)
        hasEnded = false
        try track.seek(to: unit)
    }

    /// Moves what belongs to the current peak into the tally; returns `true` if the peak is complete.
    private func fill() -> Bool {
        let room = framesPerPeak - Int(tally.count)
        let gap = mix.position &- unit
        if gap < 0 { mix.drop(Int(min(Int64(mix.count), 0 &- gap))) }
        guard mix.count > 0 else { return false }
        let count: Int
        if gap > 0 {
            count = Int(min(gap, Int64(room)))
            cpeaks_add_silence(&tally, count)
        } else {
            count = min(mix.count, room)
            mix.move(count, to: &tally)
        }
        unit += Int64(count)
        return count == room
    }
}
