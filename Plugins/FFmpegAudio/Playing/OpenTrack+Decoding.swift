// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

extension OpenTrack {
    /// The number of consecutive packets without audio after which the host is asked whether to continue.
    private static let patience = 64

    /// Makes the next audible samples ready in ``chunk``; returns `false` at the end of the track.
    func advance() throws(EngineFailure) -> Bool {
        var silent = 0
        while !isAtEnd {
            let result = avcodec_receive_frame(decoder.context, decoder.frame)
            if result == 0 {
                defer { av_frame_unref(decoder.frame) }
                if try take(decoder.frame) { return true }
                continue
            }
            if result == CFF_ERROR_EOF {
                finish()
                break
            }
            if result != CFF_ERROR_AGAIN { hasPendingDamage = true }
            silent += 1
            if silent % Self.patience == 0, host.isInterrupted { throw interrupted() }
            try feed()
        }
        return false
    }

    func interrupted() -> EngineFailure {
        EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "reading “\(name)” was interrupted")
    }

    /// Sends one packet of the stream to the decoder, or the end.
    private func feed() throws(EngineFailure) {
        if isDraining {
            // A decoder that fails while it is drained does not end by itself.
            if avcodec_send_packet(decoder.context, nil) < 0 { finish() }
            return
        }
        guard try readPacket() else {
            isDraining = true
            avcodec_send_packet(decoder.context, nil)
            return
        }
        defer { av_packet_unref(packet) }
        guard clock.stamp(packet) else { return }
        var size = 0
        if av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size) != nil {
            throw EngineFailure(ROSTRUM_ERROR_ENCRYPTED, "cannot play “\(name)”: it is encrypted (DRM)")
        }
        if avcodec_send_packet(decoder.context, packet) < 0 { hasPendingDamage = true }
    }

    /// Reads the next packet of the stream; returns `false` at the end of the file.
    func readPacket() throws(EngineFailure) -> Bool {
        var failures = 0
        while true {
            let result = av_read_frame(container.context, packet)
            if result >= 0 {
                if packet.pointee.stream_index == container.stream.pointee.index { return true }
                av_packet_unref(packet)
                failures += 1
                if failures % 4096 == 0, host.isInterrupted { throw interrupted() }
                continue
            }
            if let failure = container.input.source.failure {
                container.input.source.failure = nil
                throw failure
            }
            if result == CFF_ERROR_EXIT || host.isInterrupted, container.input.source.obeysInterrupt {
                throw interrupted()
            }
            // A demuxer that fails may recover; one that stays where it is will not.
            failures += 1
            if result == CFF_ERROR_EOF || container.input.context.pointee.eof_reached != 0 || failures > 100 {
                return false
            }
            hasPendingDamage = true
        }
    }

    /// Records the end, and what is known once it is reached.
    private func finish() {
        isAtEnd = true
        if case .counted(let clock) = clock { clock.isComplete = true }
        if lastEnd > 0 { reachedEnd = lastEnd }
    }

    /// Trims a decoded frame and makes the rest of it the chunk; returns `false` if nothing is left.
    private func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(EngineFailure) -> Bool {
        let count = Int64(frame.pointee.nb_samples)
        guard count > 0, frame.pointee.sample_rate > 0 else { return false }
        var trim = Trim(frame)
        if sampleRate == 0 { try begin(frame, skip: Int64(trim.before)) }
        guard let raw = rawPosition(frame) else { return false }
        if landedRaw == nil { landedRaw = raw }
        if frame.pointee.flags & AV_FRAME_FLAG_DISCARD != 0, raw >= origin, case .decoded = clock {
            // The frame was edited out in the middle of the file and is no part of the track.
            nextRaw = raw
            return false
        }
        nextRaw = raw &+ count
        let position = raw &- origin
        let from = max(0, dropBefore &- position)
        // If a frame has fewer samples than are to be dropped from its end, none are dropped, as in FFmpeg.
        if let padding, raw < padding.upperBound, raw &+ count > padding.lowerBound {
            // libavformat reports the padding too, but not after a seek.
            trim.behind = UInt32(min(count, raw &+ count - padding.lowerBound))
        }
        var to = Int64(trim.behind) <= count &- max(0, 0 &- position) ? count - Int64(trim.behind) : count
        if let audibleEnd { to = min(to, audibleEnd &- position) }
        if to > 0 { lastEnd = max(lastEnd, position &+ to) }
        guard from < to else {
            // Audio before the target of a seek is not missed if it cannot be decoded.
            if from > 0 { hasPendingDamage = false }
            return false
        }
        guard converter.convert(frame) else {
            hasPendingDamage = true
            return false
        }
        // There is no audio at the target of the seek.
        if !hasSounded, position &+ from > dropBefore { hasPendingDamage = true }
        chunk = Chunk(
            offset: Int(from), frames: Int(to - from), position: position &+ from,
            sampleRate: Int(frame.pointee.sample_rate), channels: Int(frame.pointee.ch_layout.nb_channels),
            isDamaged: hasPendingDamage)
        isFromStart = isFromStart && !hasPendingDamage
        hasPendingDamage = false
        hasSounded = true
        return true
    }

    /// Returns the raw position of a frame: behind the one before it, unless time stamps contradict that twice.
    ///
    /// It takes two because libavformat's time stamps are wrong for single packets of Ogg Vorbis.
    private func rawPosition(_ frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
        let stamped = frame.pointee.sample_rate == sampleRate ? clock.raw(frame.pointee.pts) : nil
        guard let expected = nextRaw else { return stamped ?? (clock.canSeek ? nil : rawFirst) }
        guard let stamped, stamped != expected else {
            drift = 0
            return expected
        }
        let difference = stamped &- expected
        let isSure = container.format != "ogg" || difference == drift || (hasPendingDamage && difference > 0)
        drift = difference
        guard isSure else { return expected }
        drift = 0
        if difference > 0, hasSounded || hasPendingDamage {
            let furthest = max(expected &+ Int64(sampleRate) * 60, origin &+ (track.duration ?? 0))
            guard stamped <= furthest else { return expected }
            hasPendingDamage = true
            return stamped
        }
        if !hasSounded { return stamped }
        if isFromStart {
            // The first frame's own time stamp was wrong: everything is shifted by the difference.
            origin &+= difference
            rawFirst &+= difference
            return stamped
        }
        return expected
    }

    /// Sets up the track from what the first frame shows about the stream.
    private func begin(_ frame: UnsafeMutablePointer<AVFrame>, skip: Int64) throws(EngineFailure) {
        sampleRate = frame.pointee.sample_rate
        channels = frame.pointee.ch_layout.nb_channels
        guard (1000...384_000).contains(sampleRate), (1...8).contains(channels) else {
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED, "cannot play “\(name)”: \(sampleRate) Hz in \(channels) channels")
        }
        clock = clock.settled(container, frame)
        rawFirst = clock.raw(frame.pointee.pts) ?? 0
        origin = rawFirst &+ skip
        nextRaw = rawFirst
        padding = XingTag(container)?.paddingRange(samplesPerPacket: Int64(frame.pointee.nb_samples)).map {
            $0.lowerBound + rawFirst..<$0.upperBound + rawFirst
        }
        let end = containerEnd()
        if end.mayTrim { audibleEnd = end.position }
    }
}

/// The numbers of samples of a frame that are not part of the audio, according to the demuxer or the codec.
private struct Trim {
    var before: UInt32 = 0
    var behind: UInt32 = 0

    init(_ frame: UnsafeMutablePointer<AVFrame>) {
        guard let side = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES),
            side.pointee.size >= 10, let data = side.pointee.data
        else { return }
        before = cff_read_le32(data)
        behind = cff_read_le32(data + 4)
    }
}
