// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineSDK

/// The encoder for a format, and how it is set up for what is cut.
struct CodecChoice {
    let encoder: String
    let sampleFormat: AVSampleFormat
    let channels: Int32
    /// The significant bits of a sample; 0 if the format says it.
    let bits: Int32
    /// The bit rate in bits a second; 0 for an encoder without loss.
    let bitRate: Int64
    private let sourceRate: Int32

    /// The lowest and highest bit rates for two channels; what is cut may be edited and encoded again.
    private static let bitRates: ClosedRange<Int64> = 96_000...256_000
    /// The bit rate for a source without loss, for two channels.
    private static let losslessBitRate: Int64 = 192_000

    init(_ format: CutFormat, _ track: OpenTrack) {
        let source = track.container.parameters.pointee
        sourceRate = track.sampleRate
        let encoding = track.track.encoding
        let isLossless = source.codec_id.isLossless || source.codec_id.isPCM
        switch format {
        case .m4a, .mp4:
            (encoder, sampleFormat, bits) = ("aac", AV_SAMPLE_FMT_FLTP, 0)
            channels = track.channels == 6 ? 6 : min(track.channels, 2)
        case .mp3:
            (encoder, sampleFormat, bits) = ("libmp3lame", AV_SAMPLE_FMT_FLTP, 0)
            channels = min(track.channels, 2)
        case .opus:
            (encoder, sampleFormat, bits) = ("libopus", AV_SAMPLE_FMT_FLT, 0)
            channels = track.channels == 6 ? 6 : min(track.channels, 2)
        case .flac:
            // 16 bits hold what a lossy codec decodes to, with a margin below what it changed.
            let isWide = isLossless && encoding != .int16
            (encoder, sampleFormat) = ("flac", isWide ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16)
            bits = isWide ? 24 : 16
            channels = track.channels
        case .wav:
            bits = 0
            channels = track.channels
            switch isLossless ? encoding : .int16 {
            case .int16: (encoder, sampleFormat) = ("pcm_s16le", AV_SAMPLE_FMT_S16)
            case .int24: (encoder, sampleFormat) = ("pcm_s24le", AV_SAMPLE_FMT_S32)
            case .int32: (encoder, sampleFormat) = ("pcm_s32le", AV_SAMPLE_FMT_S32)
            case .float32: (encoder, sampleFormat) = ("pcm_f32le", AV_SAMPLE_FMT_FLT)
            }
        }
        bitRate = Self.bitRate(
            of: isLossless ? 0 : max(source.bit_rate, track.container.context.pointee.bit_rate), channels: channels)
    }

    private static func bitRate(of source: Int64, channels: Int32) -> Int64 {
        // The stated rate of a whole file may include a video.
        let near = source > 0 ? min(max(source, bitRates.lowerBound), bitRates.upperBound) : losslessBitRate
        switch channels {
        case 1: return min(near, source > 0 ? near : near / 2)
        case 2: return near
        default: return near * Int64(channels) / 2
        }
    }

    /// Returns the rate that an encoder supports: the source's if possible, else the next higher one, else the highest.
    func rate(for codec: UnsafePointer<AVCodec>) -> Int32 {
        guard var next = codec.pointee.supported_samplerates else { return sourceRate }
        var rates: [Int32] = []
        while next.pointee > 0, rates.count < 64 {
            rates.append(next.pointee)
            next += 1
        }
        if rates.contains(sourceRate) { return sourceRate }
        return rates.filter { $0 > sourceRate }.min() ?? rates.max() ?? sourceRate
    }
}
