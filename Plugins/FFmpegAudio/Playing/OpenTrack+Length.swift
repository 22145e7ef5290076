// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineSDK

/// Where a container says that its sound ends.
struct ContainerEnd {
    var position: Int64?
    var confidence: Confidence
    /// Whether what is decoded beyond it is padding, to be cut off.
    var mayTrim = false
}

extension OpenTrack {
    func describe() -> Track {
        let end = containerEnd()
        return Track(
            sampleRate: Int(sampleRate), channels: Int(channels), encoding: encoding, duration: end.position,
            confidence: end.confidence, unitsPerSecond: Double(sampleRate), codec: decoder.codec,
            title: Tags(container).trackTitle)
    }

    private var encoding: Encoding {
        let bits = decoder.context.pointee.bits_per_raw_sample
        return switch av_get_packed_sample_fmt(decoder.context.pointee.sample_fmt) {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16: .int16
        case AV_SAMPLE_FMT_S32 where (1...16).contains(bits): .int16
        case AV_SAMPLE_FMT_S32 where (17...24).contains(bits): .int24
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S64: .int32
        default: .float32
        }
    }

    func containerEnd() -> ContainerEnd {
        let stream = container.stream
        let source = container.input.source
        if case .entries(let clock) = clock {
            let end = clock.end(
                skip: origin &- rawFirst, rate: sampleRate, fileSize: source.size, header: MediaHeader(container))
            var position = max(0, end.raw &- origin)
            if end.isComplete,
                let gapless = GaplessTag(container, total: Int64(clock.count) * clock.frameSize),
                gapless.delay == origin &- rawFirst
            {
                position = min(position, gapless.length)
            }
            return ContainerEnd(
                position: position, confidence: end.isComplete ? .exact : .container, mayTrim: end.isComplete)
        }
        let samples = AVRational(num: 1, den: sampleRate)
        let duration = stream.pointee.duration
        guard duration != CFF_NO_TIME, duration > 0 else { return overallDuration() }
        let length = av_rescale_q(duration, stream.pointee.time_base, samples)
        switch container.format {
        case "wav", "w64", "aiff", "au", "caf":
            return pcmEnd(claimed: length)
        case "ogg":
            // From the last page's count, which for Opus includes the samples to skip.
            let skipped = container.parameters.pointee.codec_id == AV_CODEC_ID_OPUS ? origin &- rawFirst : 0
            let last = length &- skipped
            // A stream that was cut out of another counts on from there.
            guard origin < Int64(sampleRate), last > origin else {
                return ContainerEnd(position: length, confidence: .container)
            }
            let isWhole = clock.canSeek && !isChained(source.size)
            return ContainerEnd(position: last &- origin, confidence: isWhole ? .exact : .container)
        case "mp3":
            let isGuess = container.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
            let tag = XingTag(container)
            let padding = tag.map { Int64($0.padding) } ?? 0
            return ContainerEnd(
                position: max(0, length &- (origin &- rawFirst) &- padding),
                confidence: isGuess || tag == nil ? .estimated : .container)
        case let format where format.hasPrefix("mov,"):
            // Fragmented, or of packets of any length: the time stamps count from behind the delay.
            let first = stream.pointee.start_time == CFF_NO_TIME ? 0 : stream.pointee.start_time
            let end = av_rescale_q(first &+ duration, stream.pointee.time_base, samples)
            return ContainerEnd(
                position: clock.canSeek ? max(0, end &- origin) : length, confidence: .container,
                mayTrim: clock.canSeek && stream.pointee.nb_frames > 0 && end > origin)
        default:
            let isGuess = container.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
            return ContainerEnd(position: length, confidence: isGuess ? .estimated : .container)
        }
    }

    /// On the web every jump is a request of its own.
    private func isChained(_ size: Int64?) -> Bool {
        guard container.input.source is DescriptorSource, let size else { return false }
        let place = avio_tell(container.input.context)
        defer { avio_seek(container.input.context, place, 0) }
        return OggChain(input: container.input, size: size).hasLaterStream
    }

    private func overallDuration() -> ContainerEnd {
        let duration = container.context.pointee.duration
        guard duration != CFF_NO_TIME, duration > 0 else { return ContainerEnd(position: nil, confidence: .unknown) }
        let isGuess = container.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        let length = av_rescale(duration, Int64(sampleRate), Int64(AV_TIME_BASE))
        return ContainerEnd(position: length, confidence: isGuess ? .estimated : .container)
    }

    /// Uncompressed samples: the header's claim, no more than the file has room for.
    private func pcmEnd(claimed: Int64) -> ContainerEnd {
        let block = Int64(container.parameters.pointee.block_align)
        guard clock.canSeek, block > 0, let size = container.input.source.size, container.headerEnd > 0 else {
            return ContainerEnd(position: claimed, confidence: .container)
        }
        let room = max(0, size - container.headerEnd) / block
        return ContainerEnd(position: min(claimed, room), confidence: .exact)
    }
}
