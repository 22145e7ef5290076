// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

extension PacketClock {
    /// Returns the clock to use until the first frame is decoded.
    ///
    /// Formats whose packets have to be counted are counted from the first packet on.
    static func beforeFirstFrame(_ container: Container) -> PacketClock {
        let isRow = ["mp3", "aac"].contains(container.format)
        guard isRow || container.format.hasPrefix("matroska"), container.isSeekable else { return .decoded }
        let clock = CountingClock(
            parameters: container.parameters, rate: max(container.parameters.pointee.sample_rate, 1000),
            timeBase: container.stream.pointee.time_base, isRow: isRow)
        return clock.map { .counted($0) } ?? .decoded
    }

    /// Returns the clock to use now that a frame shows how long packets are.
    func settled(_ container: Container, _ frame: UnsafeMutablePointer<AVFrame>) -> PacketClock {
        if case .counted(let clock) = self {
            clock.unit = clock.isPerPacket ? Int64(frame.pointee.nb_samples) : 1
            return self
        }
        let stream = container.stream
        let rate = frame.pointee.sample_rate
        let codec = container.parameters.pointee.codec_id
        let exact = TimestampClock(timeBase: stream.pointee.time_base, rate: rate)
        guard frame.pointee.pts != CFF_NO_TIME else { return .decoded }
        if container.format.hasPrefix("mov,") {
            let isFixed = [
                AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC, AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_AC3,
            ].contains(codec)
            if isFixed, stream.pointee.nb_frames > 0 {
                let clock = EntryClock(stream: stream, frameSize: Int64(frame.pointee.nb_samples))
                guard clock.count > 0 else { return .decoded }
                let isEdited = clock.hasInnerEdits(timeBase: stream.pointee.time_base, rate: rate)
                return isEdited ? .decoded : .entries(clock)
            }
            return exact.map { .timestamps($0) } ?? .decoded
        }
        guard Self.countsSamples(container.format, codec), let exact else { return .decoded }
        return .timestamps(exact)
    }

    /// Returns whether a format's time stamps count samples, also after a seek.
    private static func countsSamples(_ format: String, _ codec: AVCodecID) -> Bool {
        switch format {
        case "flac": codec == AV_CODEC_ID_FLAC
        // libavformat's time stamps for FLAC in Ogg are wrong after a seek.
        case "ogg": [AV_CODEC_ID_VORBIS, AV_CODEC_ID_OPUS].contains(codec)
        case "wav", "w64", "aiff", "au", "caf": av_get_exact_bits_per_sample(codec) >= 8
        default: false
        }
    }
}
