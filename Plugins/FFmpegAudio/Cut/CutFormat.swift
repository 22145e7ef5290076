// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A format in which a passage is written.
enum CutFormat: String {
    case m4a, mp3, opus, flac, wav, mp4

    /// libavformat's name of the format.
    var muxer: String {
        switch self {
        case .m4a: "ipod"
        case .mp3, .opus, .flac, .wav, .mp4: rawValue
        }
    }

    /// The codec whose packets the format takes as they are; `nil` if audio is always written anew.
    var copied: AVCodecID? {
        switch self {
        case .m4a: AV_CODEC_ID_AAC
        case .mp3: AV_CODEC_ID_MP3
        case .opus: AV_CODEC_ID_OPUS
        case .flac, .wav, .mp4: nil
        }
    }

    /// Reads the format of an order, or chooses the one that suits what is cut.
    init(_ order: CutOrder, of codec: AVCodecID) throws(EngineFailure) {
        guard order.format.isEmpty else {
            guard let format = Self(rawValue: order.format) else {
                throw EngineFailure(
                    ROSTRUM_ERROR_UNSUPPORTED,
                    "cannot write “\(order.format)”; ask for m4a, mp3, opus, flac, wav or mp4")
            }
            self = format
            return
        }
        self = order.startTrack == order.endTrack ? Self.keeping(codec) : Self.joining(codec)
    }

    /// The format that keeps an encoding, or loses as little as possible.
    ///
    /// The start of an Ogg Vorbis stream cannot be trimmed in a way that libavformat obeys, so what it decodes to is kept
    /// without loss.
    private static func keeping(_ codec: AVCodecID) -> CutFormat {
        switch codec {
        case AV_CODEC_ID_AAC: .m4a
        case AV_CODEC_ID_MP3: .mp3
        case AV_CODEC_ID_OPUS: .opus
        case AV_CODEC_ID_VORBIS: .flac
        default: joining(codec)
        }
    }

    private static func joining(_ codec: AVCodecID) -> CutFormat {
        if codec.isPCM { return .wav }
        return codec.isLossless || codec == AV_CODEC_ID_VORBIS ? .flac : .m4a
    }
}

extension AVCodecID {
    var isLossless: Bool {
        avcodec_descriptor_get(self).map { $0.pointee.props & AV_CODEC_PROP_LOSSLESS != 0 } ?? false
    }

    /// `true` if the codec stores samples one by one.
    var isPCM: Bool { avcodec_get_name(self).map { String(cString: $0).hasPrefix("pcm_") } ?? false }
}
