// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

extension OpenTrack {
    /// Makes the samples from exactly this position on ready; goes to the end if the position is beyond it.
    func seek(to target: Int64) throws(EngineFailure) {
        let source = container.input.source
        source.obeysInterrupt = true
        defer { container.input.source.obeysInterrupt = false }
        chunk = Chunk()
        if let reached = end.reached, target >= reached {
            resetDecoding()
            place.noteEnd()
            end.moveToEnd()
            return
        }
        self.target = target
        defer { self.target = 0 }
        if clock.canSeek, container.isSeekable {
            for lead in [preroll, preroll * 16 + Int64(sampleRate)]
            where try land(on: extent.raw(of: target), lead: lead) {
                return
            }
        } else if !place.isAtEnd, let next = place.next, extent.unit(of: next) <= target {
            _ = try advance()
            return
        }
        try reopen()
        _ = try advance()
    }

    /// The number of samples that the decoder must process before its output is correct.
    private var preroll: Int64 {
        switch container.parameters.pointee.codec_id {
        case AV_CODEC_ID_AAC: 6 * 2048
        case AV_CODEC_ID_MP3, AV_CODEC_ID_MP2: 24 * 1152
        case AV_CODEC_ID_OPUS: Int64(sampleRate) / 2
        case AV_CODEC_ID_VORBIS: 4 * 8192
        case AV_CODEC_ID_AC3: 6 * 1536
        default: 0
        }
    }

    /// Decodes from at least `lead` samples before a raw position up to it; returns `false` if that failed.
    private func land(on raw: Int64, lead: Int64) throws(EngineFailure) -> Bool {
        if case .counted(let clock) = clock { try count(clock, to: raw) }
        // Decoding after a miss says nothing about where the track ends.
        let known = end
        let wanted = raw &- lead
        let isStart = wanted <= extent.first
        guard move(to: isStart ? extent.first : wanted) else { return false }
        // In some decoders flushing leaves earlier audio, which is not dropped at the start.
        if isStart { decoder = try Decoder(container) }
        _ = try advance()
        if let landed = place.landed, landed <= (isStart ? extent.first : raw &- min(lead, preroll)) { return true }
        end = known
        return false
    }

    /// Moves the demuxer to the packet at or before a raw position, without a guarantee about what follows.
    func move(to raw: Int64) -> Bool {
        container.input.clearEnd()
        container.input.source.failure = nil
        let stamp: Int64?
        switch clock {
        case .timestamps(let clock): stamp = clock.stamp(raw)
        case .entries(let clock): stamp = clock.stamp(raw)
        case .counted(let clock):
            defer {
                decoder.flush()
                resetDecoding()
            }
            return clock.place(before: raw).map { go(to: $0, clock) } ?? false
        case .decoded: stamp = nil
        }
        guard let stamp else { return false }
        let result = av_seek_frame(
            container.context, container.stream.pointee.index, stamp, AVSEEK_FLAG_BACKWARD)
        decoder.flush()
        resetDecoding()
        return result >= 0
    }

    /// Moves the demuxer to a place that the clock remembers, or before it.
    private func go(to place: CountingClock.Place, _ clock: CountingClock) -> Bool {
        clock.lose()
        return av_seek_frame(
            container.context, container.stream.pointee.index, clock.isRow ? place.bytes : place.stamp,
            clock.isRow ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Counts packets, without decoding, until a raw position is known.
    func count(_ clock: CountingClock, to raw: Int64) throws(EngineFailure) {
        guard !clock.isComplete, clock.frontier * clock.unit <= raw else { return }
        // Start at the last place but one, so that the count is certain at the last.
        guard let known = clock.places.dropLast().last ?? clock.places.first, go(to: known, clock) else { return }
        var packets = 0
        while clock.frontier * clock.unit <= raw {
            guard try readPacket() else {
                clock.isComplete = true
                break
            }
            _ = clock.stamp(packet)
            av_packet_unref(packet)
            packets += 1
            if packets % 1024 == 0, host.isInterrupted { throw interrupted() }
        }
    }
}
