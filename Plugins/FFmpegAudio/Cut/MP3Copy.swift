// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// A copy of a passage's frames of MP3, behind a frame that states what of them is heard.
///
/// That statement has 12 bits for what is skipped, which is less than the frames that others borrow from may hold. So the
/// frames before the passage are left out, and one silent frame holds the bytes that are borrowed from them.
struct MP3Copy {
    let passage: PacketPassage
    let muxer: CutMuxer

    private typealias Frame = (header: MPEGFrame, bytes: [UInt8], raw: Int64)

    /// Writes the file.
    ///
    /// Throws a `PacketPassage.Refusal` if that is not possible.
    func write() throws {
        var lead: [Frame] = []
        var writing: FrameList?
        var last: PacketPassage.Piece?
        let isComplete = try passage.forEach { piece in
            let bytes = Array(
                UnsafeBufferPointer(start: piece.packet.pointee.data, count: Int(piece.packet.pointee.size)))
            guard let header = MPEGFrame(bytes), header.size == bytes.count, Int64(header.samples) == piece.length
            else {
                throw PacketPassage.Refusal("a packet is no frame of MP3")
            }
            last = piece
            if writing != nil {
                try writing?.write(bytes, samples: header.samples)
                return
            }
            lead.append((header, bytes, piece.raw))
            if piece.end > passage.raw.lowerBound { writing = try begin(lead) }
        }
        guard isComplete, let writing, let last else {
            throw PacketPassage.Refusal("the file ends before the passage does")
        }
        try writing.finish(padding: last.end &- passage.raw.upperBound)
    }

    /// Writes the header, the silent frame, and the frames up to the one in which the passage starts.
    private func begin(_ lead: [Frame]) throws -> FrameList {
        // One granule before the passage has to be right in every respect: overlap and filter memory come from there.
        let before = lead[lead.count - 1].header.isFull ? 1 : 2
        let first = max(0, lead.count - 1 - before)
        let frame = lead[first]
        guard let borrowed = frame.header.borrowed(frame.bytes) else {
            throw PacketPassage.Refusal("a frame is cut off")
        }
        var reservoir: [UInt8] = []
        for earlier in lead[..<first].reversed() where reservoir.count < borrowed {
            reservoir = Array(earlier.bytes.dropFirst(earlier.header.mainDataStart)) + reservoir
        }
        reservoir = reservoir.suffix(borrowed)
        guard var silent = frame.header.silent(room: reservoir.count) else {
            throw PacketPassage.Refusal("no frame has room for what is borrowed")
        }
        silent.bytes.replaceSubrange(silent.bytes.count - reservoir.count..<silent.bytes.count, with: reservoir)
        let skip = passage.raw.lowerBound &- frame.raw &+ Int64(silent.header.samples)
        let writing = try FrameList(muxer, passage, like: frame.header, skip: skip)
        try writing.write(silent.bytes, samples: silent.header.samples)
        for frame in lead[first...] { try writing.write(frame.bytes, samples: frame.header.samples) }
        return writing
    }
}

/// The frames of an MP3 as they are written, and the frame before them that describes them.
private final class FrameList {
    private let muxer: CutMuxer
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: UnsafeMutablePointer<AVPacket>
    /// The place of the describing frame in the file.
    private let place: Int64
    private let tag: (header: MPEGFrame, bytes: [UInt8])
    private let skip: Int64
    private var samples: Int64 = 0
    private var count: UInt32 = 0
    /// The bytes of all frames up to each.
    private var ends: [UInt64] = []

    /// The delay of every decoder of MP3, which the stated delay leaves out.
    private static let decoderDelay: Int64 = 529
    /// The size of the description: name, flags, frames, bytes, a table of places, and what an encoder adds.
    private static let tagSize = 4 + 4 + 4 + 4 + 100 + 36

    init(_ muxer: CutMuxer, _ passage: PacketPassage, like frame: MPEGFrame, skip: Int64) throws {
        guard (Self.decoderDelay...Self.decoderDelay + 4095).contains(skip), let tag = frame.silent(room: Self.tagSize)
        else { throw PacketPassage.Refusal("the numbers of an MP3 cannot state its start") }
        guard let packet = av_packet_alloc() else {
            throw EngineFailure(ROSTRUM_ERROR_MEMORY, "no memory to write a cut")
        }
        self.packet = packet
        self.muxer = muxer
        self.tag = tag
        self.skip = skip
        let track = passage.track
        stream = try muxer.addStream()
        try muxer.check(
            avcodec_parameters_copy(stream.pointee.codecpar, track.container.parameters), "the stream")
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = AVRational(num: 1, den: track.sampleRate)
        try muxer.begin(
            rate: track.sampleRate, length: Double(passage.raw.count) / Double(track.sampleRate),
            options: ["write_xing": "0"])
        avio_flush(muxer.stream.context)
        place = avio_seek(muxer.stream.context, 0, SEEK_CUR)
        try emit(tag.bytes)
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    func write(_ bytes: [UInt8], samples count: Int) throws {
        try emit(bytes)
        samples += Int64(count)
        self.count += 1
        ends.append((ends.last ?? UInt64(tag.bytes.count)) + UInt64(bytes.count))
    }

    private func emit(_ bytes: [UInt8]) throws {
        defer { av_packet_unref(packet) }
        try muxer.check(av_new_packet(packet, Int32(bytes.count)), "a frame")
        bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { packet.pointee.data.update(from: start, count: bytes.count) }
        }
        packet.pointee.stream_index = stream.pointee.index
        let stamp = av_rescale_q(
            samples, AVRational(num: 1, den: Int32(tag.header.sampleRate)), stream.pointee.time_base)
        (packet.pointee.pts, packet.pointee.dts) = (stamp, stamp)
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        try muxer.write(packet)
    }

    /// Writes the end, and then the describing frame in its place.
    ///
    /// - Parameter padding: The number of samples at the end that are not heard.
    func finish(padding: Int64) throws {
        let stated = padding + Self.decoderDelay
        guard (0...4095).contains(stated) else {
            throw PacketPassage.Refusal("the numbers of an MP3 cannot state its end")
        }
        try muxer.finish()
        let bytes = described(delay: skip - Self.decoderDelay, padding: stated)
        guard avio_seek(muxer.stream.context, place, SEEK_SET) >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_IO, "cannot write the cut: its start cannot be reached")
        }
        avio_write(muxer.stream.context, bytes, Int32(bytes.count))
        try muxer.stream.flush()
    }

    private func described(delay: Int64, padding: Int64) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let total = ends.last ?? 1
        var text = Array("Xing".utf8) + number(7) + number(count) + number(UInt32(clamping: total))
        for percent in 0..<100 {
            let end = percent * ends.count / 100 > 0 ? ends[percent * ends.count / 100 - 1] : UInt64(tag.bytes.count)
            text.append(UInt8(min(255, end * 256 / total)))
        }
        // The name of an encoder, without which nobody reads the numbers behind it; this one makes no promises.
        text += Array("Lavf".utf8) + [UInt8](repeating: 0, count: 5)
        text += [UInt8](repeating: 0, count: 12)
        text += [
            UInt8(truncatingIfNeeded: delay >> 4), UInt8(truncatingIfNeeded: delay << 4 | padding >> 8),
            UInt8(truncatingIfNeeded: padding),
        ]
        text += [0, 0, 0, 0] + number(UInt32(clamping: total)) + [0, 0]
        var bytes = tag.bytes
        let start = tag.header.mainDataStart
        bytes.replaceSubrange(start..<start + text.count, with: text)
        // The checksum of what precedes it.
        let covered = start + text.count
        let checksum = av_crc(av_crc_get_table(AV_CRC_16_ANSI_LE), 0, bytes, covered)
        bytes[covered] = UInt8(truncatingIfNeeded: checksum >> 8)
        bytes[covered + 1] = UInt8(truncatingIfNeeded: checksum)
        return bytes
    }
}
