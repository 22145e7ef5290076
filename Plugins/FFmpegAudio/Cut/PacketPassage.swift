// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK

/// A passage of one track as packets, each with the place of what it decodes to.
///
/// Raw positions are those of the track: they count samples of the decoder's whole output.
struct PacketPassage {
    let track: OpenTrack
    /// The raw positions of the passage.
    let raw: Range<Int64>

    /// A packet, which is valid during the call that receives it.
    struct Piece {
        var packet: UnsafeMutablePointer<AVPacket>
        /// The raw position of its first sample.
        var raw: Int64
        /// The number of samples to which it decodes.
        var length: Int64
        var end: Int64 { raw &+ length }
    }

    /// The reason why packets cannot be copied; the passage is then encoded again.
    struct Refusal: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Creates a passage of `[start, end)`, in units of the track.
    init(_ track: OpenTrack, start: Int64, end: Int64) throws(Refusal) {
        guard track.clock.canSeek, track.container.isSeekable else { throw Refusal("its packets cannot be placed") }
        self.track = track
        raw = track.extent.raw(of: start)..<track.extent.raw(of: end)
    }

    /// The number of samples that are decoded before the passage, so that it sounds from its first sample on.
    ///
    /// It is less than what a seek decodes, because all of it is kept in the file.
    var lead: Int64 {
        switch track.container.parameters.pointee.codec_id {
        // Opus needs 80 ms to converge (RFC 7845, 4.2); more is nearer to what was.
        case AV_CODEC_ID_OPUS: Int64(track.sampleRate) / 2
        // Overlap needs one packet, and what spectral band replication carries on a few more.
        case AV_CODEC_ID_AAC: 3 * track.frameLength
        // What a frame borrows from those before it: at most 511 bytes.
        case AV_CODEC_ID_MP3: 32 * 1152
        default: 0
        }
    }

    private func length(of packet: UnsafeMutablePointer<AVPacket>) -> Int64? {
        switch track.container.parameters.pointee.codec_id {
        case AV_CODEC_ID_OPUS:
            let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: min(2, Int(packet.pointee.size)))
            return OpusPacket.samples(bytes).map { $0 * Int64(track.sampleRate) / 48_000 }
        // AAC and MP3: all frames of a stream are equally long.
        default: return track.frameLength > 0 ? track.frameLength : nil
        }
    }

    /// Calls `body` with every packet from the one that holds the first sample of the lead to the one that holds the last
    /// of the passage.
    ///
    /// - Returns: `false` if the file ends before the passage does.
    func forEach(
        _ body: (Piece) throws -> Void
    ) throws -> Bool {
        let first = max(track.extent.first, raw.lowerBound &- lead)
        if case .counted(let clock) = track.clock { try track.count(clock, to: raw.lowerBound) }
        guard track.move(to: first) else { throw Refusal("it cannot be sought") }
        var next: Int64?
        var packets = 0
        while try track.readPacket() {
            defer { av_packet_unref(track.packet) }
            packets += 1
            if packets % 64 == 0, track.host.isInterrupted { throw track.interrupted() }
            let isPlaced = track.clock.stamp(track.packet)
            guard let length = length(of: track.packet) else { throw Refusal("a packet of unknown length") }
            let stamped = isPlaced ? track.clock.raw(track.packet.pointee.pts) : nil
            // The first packets behind a seek may have no time stamp.
            guard let place = next ?? stamped else { continue }
            // Time stamps within a file of Ogg are sometimes wrong for one packet, and the count is not.
            if track.container.format != "ogg", let stamped, stamped != place {
                throw Refusal("its time stamps have a gap at \(place)")
            }
            next = place &+ length
            let piece = Piece(packet: track.packet, raw: place, length: length)
            guard piece.end > first else { continue }
            if packets == 1, piece.raw > first { throw Refusal("it cannot be sought exactly") }
            try body(piece)
            if piece.end >= raw.upperBound { return true }
        }
        return false
    }
}

/// The length of an Opus packet, which its first bytes state (RFC 6716, 3.1).
enum OpusPacket {
    /// Returns the number of samples at 48 kHz, or `nil` for bytes that begin no packet.
    static func samples(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let head = bytes.first else { return nil }
        let kind = Int(head >> 3)
        let frame: Int64 =
            switch kind {
            case ..<12: [480, 960, 1920, 2880][kind & 3]
            case ..<16: [480, 960][kind & 1]
            default: [120, 240, 480, 960][kind & 3]
            }
        switch head & 3 {
        case 0: return frame
        case 1, 2: return frame * 2
        default:
            guard bytes.count > 1, bytes[1] & 63 > 0 else { return nil }
            let total = frame * Int64(bytes[1] & 63)
            return total <= 5760 ? total : nil
        }
    }
}
