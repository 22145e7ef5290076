// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// The pictures that a file holds beside its audio.
///
/// libavformat shows most of them as streams of one packet. In Matroska, pictures of kinds that it does not decode are
/// attachments.
enum EmbeddedPictures {
    /// Returns the front cover; else the first of no particular kind; else the first.
    ///
    /// Returns `nil` if there is none that is complete enough to be recognised.
    static func best(of container: Container) -> CoverPicture? {
        var pictures: [(rank: Int, type: PictureType, bytes: UnsafeBufferPointer<UInt8>)] = []
        for index in 0..<Int(container.context.pointee.nb_streams) {
            guard let stream = container.context.pointee.streams[index], let bytes = bytes(of: stream),
                bytes.count <= Int(ROSTRUM_COVER_LIMIT), let type = PictureType(bytes)
            else { continue }
            pictures.append((rank(of: stream), type, bytes))
        }
        return pictures.min { $0.rank < $1.rank }.map {
            CoverPicture(mediaType: $0.type.mediaType, bytes: Array($0.bytes))
        }
    }

    /// Returns the bytes of a picture, which are valid as long as the container.
    private static func bytes(of stream: UnsafeMutablePointer<AVStream>) -> UnsafeBufferPointer<UInt8>? {
        let data: UnsafeMutablePointer<UInt8>?
        let count: Int32
        if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
            (data, count) = (stream.pointee.attached_pic.data, stream.pointee.attached_pic.size)
        } else if let parameters = stream.pointee.codecpar, parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT {
            (data, count) = (parameters.pointee.extradata, parameters.pointee.extradata_size)
        } else {
            return nil
        }
        guard let data, count > 0 else { return nil }
        return UnsafeBufferPointer(start: data, count: Int(count))
    }

    /// Returns the rank of a picture, lowest first.
    ///
    /// libavformat names the kinds of ID3, which FLAC and Vorbis use, too; Matroska's are file names.
    private static func rank(of stream: UnsafeMutablePointer<AVStream>) -> Int {
        let kind = Tags.text(av_dict_get(stream.pointee.metadata, "comment", nil, 0)?.pointee.value)
        if kind == "Cover (front)" { return 0 }
        if let name = Tags.text(av_dict_get(stream.pointee.metadata, "filename", nil, 0)?.pointee.value) {
            return name.lowercased().hasPrefix("cover.") ? 0 : 1
        }
        return kind == nil || kind == "Other" ? 1 : 2
    }
}
