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
        while !place.isAtEnd {
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
            if result != CFF_ERROR_AGAIN { place.noteDamage() }
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
        if place.isDraining {
            // A decoder that fails while it is drained does not end by itself.
            if avcodec_send_packet(decoder.context, nil) < 0 { finish() }
            return
        }
        guard try readPacket() else {
            place.drain()
            avcodec_send_packet(decoder.context, nil)
            return
        }
        defer { av_packet_unref(packet) }
        guard clock.stamp(packet) else { return }
        if beginsWithHole(packet) { place.noteDamage() }
        var size = 0
        if av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size) != nil {
            throw EngineFailure(ROSTRUM_ERROR_ENCRYPTED, "cannot play “\(name)”: it is encrypted (DRM)")
        }
        if sampleRate == 0, firstPacket == nil { noteFirst(packet) }
        if avcodec_send_packet(decoder.context, packet) < 0 { place.noteDamage() }
    }

    /// Returns `true` if a packet begins with a hole in the file, which its decoder skips without a word.
    ///
    /// The parser of MPEG audio puts what it does not know into the packet before the next frame. That may also be a tag
    /// between two files that were joined; only zeros are taken for a hole.
    private func beginsWithHole(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        let codecs = [AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_MP1]
        guard codecs.contains(container.parameters.pointee.codec_id), packet.pointee.size > Self.largestFrame,
            let data = packet.pointee.data
        else { return false }
        return UnsafeBufferPointer(start: data, count: Int(Self.largestFrame)).allSatisfy { $0 == 0 }
    }

    /// More bytes than a frame of MPEG audio has: those of layer II at 384 kbit/s and 32 kHz are 1728, and a free format may
    /// have somewhat more.
    private static let largestFrame: Int32 = 4096

    /// Notes where the file begins, even if what it begins with cannot be decoded.
    private func noteFirst(_ packet: UnsafeMutablePointer<AVPacket>) {
        let stamp = packet.pointee.pts == CFF_NO_TIME ? packet.pointee.dts : packet.pointee.pts
        var size = 0
        let side = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size)
        firstPacket = (stamp, side.flatMap { size >= 10 ? Int64(cff_read_le32($0)) : nil } ?? 0)
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
            place.noteDamage()
        }
    }

    /// Records the end, and what is known once it is reached.
    private func finish() {
        place.noteEnd()
        if case .counted(let clock) = clock { clock.isComplete = true }
        end.noteEnd()
    }

    /// Trims a decoded frame and makes the rest of it the chunk; returns `false` if nothing is left.
    private func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(EngineFailure) -> Bool {
        let count = Int64(frame.pointee.nb_samples)
        guard count > 0, frame.pointee.sample_rate > 0 else { return false }
        let trim = Trim(frame)
        if sampleRate == 0 { try begin(frame, skip: Int64(trim.before)) }
        guard let raw = rawPosition(frame) else { return false }
        if frame.pointee.flags & AV_FRAME_FLAG_DISCARD != 0, raw >= extent.origin, case .decoded = clock {
            // The frame was edited out in the middle of the file and is no part of the track.
            place.note(frameAt: raw, next: raw)
            return false
        }
        place.note(frameAt: raw, next: raw &+ count)
        let position = extent.unit(of: raw)
        let from = max(0, target &- position)
        let to = extent.samples(ofFrameAt: raw, count: count, trimmed: trim.behind)
        if to > 0 { end.noteAudio(upTo: position &+ to) }
        guard from < to else {
            if from > 0 { place.noteSilence() }
            return false
        }
        if let mix {
            guard mix.take(frame, Int(from)..<Int(to), at: position &+ from, converter) else {
                place.noteDamage()
                return false
            }
            _ = place.noteSound(isLate: position &+ from > target)
            return true
        }
        guard converter.convert(frame) else {
            place.noteDamage()
            return false
        }
        chunk = Chunk(
            Int(from)..<Int(to), at: position &+ from, sampleRate: Int(frame.pointee.sample_rate),
            channels: Int(frame.pointee.ch_layout.nb_channels),
            isDamaged: place.noteSound(isLate: position &+ from > target))
        return true
    }

    /// Returns the raw position of a frame, or `nil` if it cannot be known.
    private func rawPosition(_ frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
        let stamped = frame.pointee.sample_rate == sampleRate ? clock.raw(frame.pointee.pts) : nil
        let found = place.find(
            stamped: stamped, trusts: container.format != "ogg", minute: Int64(sampleRate) * 60,
            end: extent.raw(of: track.duration ?? containerEnd().position ?? 0))
        guard let found else { return clock.canSeek ? nil : extent.first }
        extent.shift(by: found.shift)
        return found.raw
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
        var first = clock.raw(frame.pointee.pts) ?? 0
        var skip = skip
        // What is damaged before the first frame is a part of the track, so that nothing behind it moves.
        if place.hasPendingDamage, let packet = firstPacket, let raw = clock.raw(packet.stamp), raw < first {
            (first, skip) = (raw, packet.skip)
        }
        let samples = Int64(frame.pointee.nb_samples)
        frameLength = samples
        extent.begin(
            at: first, delay: skip, padding: XingTag(container)?.paddingRange(samplesPerPacket: samples))
        place.begin(at: first)
        let end = containerEnd()
        if end.mayTrim, let position = end.position { extent.cut(at: position) }
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
