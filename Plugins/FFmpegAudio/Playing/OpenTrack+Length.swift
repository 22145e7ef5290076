// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineSDK

/// The end of the audio according to the container.
struct ContainerEnd {
    var position: Int64?
    var confidence: Confidence
    /// `true` if samples that are decoded beyond it are padding, to be cut off.
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
                skip: extent.delay, rate: sampleRate, fileSize: source.size, header: MediaHeader(container))
            var position = max(0, extent.unit(of: end.raw))
            if end.isComplete,
                let gapless = GaplessTag(container, total: Int64(clock.count) * clock.frameSize),
                gapless.delay == extent.delay
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
            // This comes from the last page's count, which for Opus includes the samples to skip.
            let skipped = container.parameters.pointee.codec_id == AV_CODEC_ID_OPUS ? extent.delay : 0
            let last = length &- skipped
            // A stream that was cut out of another continues the count of that one.
            guard extent.origin < Int64(sampleRate), last > extent.origin else {
                return ContainerEnd(position: length, confidence: .container)
            }
            let isWhole = clock.canSeek && !isChained
            return ContainerEnd(position: extent.unit(of: last), confidence: isWhole ? .exact : .container)
        case "mp3":
            let isGuess = container.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
            let tag = XingTag(container)
            let padding = tag.map { Int64($0.padding) } ?? 0
            return ContainerEnd(
                position: max(0, length &- extent.delay &- padding),
                confidence: isGuess || tag == nil ? .estimated : .container)
        case let format where format.hasPrefix("mov,"):
            // The file is fragmented, or its packets vary in length: the time stamps count from the end of the delay.
            let first = stream.pointee.start_time == CFF_NO_TIME ? 0 : stream.pointee.start_time
            let end = av_rescale_q(first &+ duration, stream.pointee.time_base, samples)
            return ContainerEnd(
                position: clock.canSeek ? max(0, extent.unit(of: end)) : length, confidence: .container,
                mayTrim: clock.canSeek && stream.pointee.nb_frames > 0 && end > extent.origin)
        default:
            let isGuess = container.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
            return ContainerEnd(position: length, confidence: isGuess ? .estimated : .container)
        }
    }

    /// `true` if a local Ogg file is several streams, one behind the other: the positions of the packets start again.
    ///
    /// Not looked for on the web, where every jump is a request of its own.
    var isChained: Bool {
        guard container.format == "ogg", container.input.source is DescriptorSource,
            let size = container.input.source.size
        else { return false }
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

    /// Returns the end of uncompressed samples: the header's claim, but no more than the file has room for.
    private func pcmEnd(claimed: Int64) -> ContainerEnd {
        let block = Int64(container.parameters.pointee.block_align)
        guard clock.canSeek, block > 0, let size = container.input.source.size, container.headerEnd > 0 else {
            return ContainerEnd(position: claimed, confidence: .container)
        }
        let room = max(0, size - container.headerEnd) / block
        return ContainerEnd(position: min(claimed, room), confidence: .exact)
    }
}
