// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A copy of a passage's packets into a file whose header says what of them is heard: an edit list, or the numbers of
/// samples to skip that Ogg Opus has.
struct PacketCopy {
    let passage: PacketPassage
    let muxer: CutMuxer

    /// The largest number of samples that an Opus header can tell a player to skip.
    private static let largestSkip: Int64 = 65_535

    /// Writes the file.
    ///
    /// Throws a `PacketPassage.Refusal` if that is not possible.
    func write() throws {
        var stream: UnsafeMutablePointer<AVStream>?
        let raw = passage.raw
        let isComplete = try passage.forEach { piece in
            if stream == nil { stream = try begin(skip: raw.lowerBound &- piece.raw) }
            guard let stream else { return }
            try write(piece, to: stream)
        }
        guard isComplete else { throw PacketPassage.Refusal("the file ends before the passage does") }
        try muxer.finish()
    }

    private func begin(skip: Int64) throws -> UnsafeMutablePointer<AVStream> {
        guard skip >= 0 else { throw PacketPassage.Refusal("it cannot be sought exactly") }
        let track = passage.track
        let stream = try muxer.addStream()
        guard let parameters = stream.pointee.codecpar else { throw PacketPassage.Refusal("no memory for a stream") }
        try muxer.check(avcodec_parameters_copy(parameters, track.container.parameters), "the stream")
        parameters.pointee.codec_tag = 0
        // For AAC with spectral band replication, a container may state the rate before it.
        parameters.pointee.sample_rate = track.sampleRate
        stream.pointee.time_base = AVRational(num: 1, den: track.sampleRate)
        if parameters.pointee.codec_id == AV_CODEC_ID_OPUS { try setSkip(skip, parameters) }
        try muxer.begin(rate: track.sampleRate, length: Double(passage.raw.count) / Double(track.sampleRate))
        return stream
    }

    private func setSkip(_ skip: Int64, _ parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
        let at48 = av_rescale(skip, 48_000, Int64(passage.track.sampleRate))
        guard at48 <= Self.largestSkip, parameters.pointee.extradata_size >= 19,
            let header = parameters.pointee.extradata
        else { throw PacketPassage.Refusal("its header does not say what is skipped") }
        header[10] = UInt8(truncatingIfNeeded: at48)
        header[11] = UInt8(truncatingIfNeeded: at48 >> 8)
        parameters.pointee.initial_padding = Int32(clamping: skip)
    }

    private func write(_ piece: PacketPassage.Piece, to stream: UnsafeMutablePointer<AVStream>) throws {
        let packet = piece.packet
        let own = AVRational(num: 1, den: passage.track.sampleRate)
        let stamp = av_rescale_q(piece.raw &- passage.raw.lowerBound, own, stream.pointee.time_base)
        (packet.pointee.pts, packet.pointee.dts) = (stamp, stamp)
        // The last packet counts only as far as the passage goes.
        let length = min(piece.end, passage.raw.upperBound) &- piece.raw
        packet.pointee.duration = av_rescale_q(length, own, stream.pointee.time_base)
        packet.pointee.pos = -1
        packet.pointee.stream_index = stream.pointee.index
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        // What the source skipped is no concern of the copy.
        av_packet_free_side_data(packet)
        try muxer.write(packet)
    }
}
