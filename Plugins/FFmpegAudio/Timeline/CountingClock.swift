// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// Counts samples packet by packet, and remembers a place about every half second.
///
/// For containers whose time stamps are milliseconds (Matroska), and for those that are a mere row of
/// packets (MP3, ADTS), where libavformat's own index grows slow and coarse in long files. The unit of the count is one
/// packet where all packets of the codec are equally long, else one sample.
final class CountingClock {
    struct Place {
        var bytes: Int64
        var stamp: Int64
        var count: Int64
    }

    /// For the parser alone: the decoder's own comes and goes.
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private var parser: UnsafeMutablePointer<AVCodecParserContext>?
    let isPerPacket: Bool
    private let spacing: Int64
    private(set) var places: [Place] = []
    /// What the next packet begins with; `nil` after a seek until a known place comes by.
    private var next: Int64? = 0
    private var lastBytes: Int64 = -1
    private var lastStamp = CFF_NO_TIME
    private var lastDuration: Int64 = 0
    private let rate: Int32
    private let timeBase: AVRational
    /// Whether the file has no time stamps of its own, and is sought by bytes.
    let isRow: Bool
    /// Samples in a unit; 0 until that is known.
    private var unitRate: Int64 { isPerPacket && unit == 1 ? 0 : unit }
    /// Whether the count is right.
    ///
    /// Behind a place in the middle it is not until the next one, because the length of a packet
    /// may depend on the packet before.
    private var isCertain = true
    /// How far the file has been counted.
    private(set) var frontier: Int64 = 0
    var isComplete = false
    /// Samples in one unit of the count.
    ///
    /// Known once the first frame is decoded.
    var unit: Int64 = 1

    /// `nil` for a codec whose packets cannot be counted without decoding them.
    init?(parameters: UnsafeMutablePointer<AVCodecParameters>, rate: Int32, timeBase: AVRational, isRow: Bool) {
        guard let codec = avcodec_alloc_context3(nil) else { return nil }
        avcodec_parameters_to_context(codec, parameters)
        self.codec = codec
        self.rate = rate
        self.isRow = isRow
        self.timeBase = timeBase
        switch codec.pointee.codec_id {
        case AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_AC3, AV_CODEC_ID_ALAC:
            parser = nil
            isPerPacket = true
            spacing = 32
        case AV_CODEC_ID_VORBIS, AV_CODEC_ID_OPUS, AV_CODEC_ID_FLAC:
            parser = av_parser_init(Int32(codec.pointee.codec_id.rawValue))
            parser?.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
            isPerPacket = false
            spacing = Int64(rate) / 2
        default:
            var unused: UnsafeMutablePointer<AVCodecContext>? = codec
            avcodec_free_context(&unused)
            return nil
        }
    }

    deinit {
        if let parser { av_parser_close(parser) }
        var codec: UnsafeMutablePointer<AVCodecContext>? = codec
        avcodec_free_context(&codec)
    }

    func raw(_ stamp: Int64) -> Int64 { stamp &* unit }

    /// Takes places that were counted before; false if they are not of this file.
    func adopt(_ known: [Place], frontier: Int64) -> Bool {
        guard let first = known.first, frontier > 0, frontier <= .max / 4 / max(1, unit) else { return false }
        // What was counted since the file was opened must be there.
        for place in places.prefix(4) {
            guard place.bytes >= first.bytes else { return false }
            let same = known.prefix(64).first { $0.bytes == place.bytes }
            guard same.map({ $0.count == place.count && $0.stamp == place.stamp }) ?? (known.count < 64) else {
                return false
            }
        }
        places = known
        self.frontier = max(self.frontier, frontier)
        isComplete = true
        return true
    }

    /// After a seek nothing is known until a remembered place is read again.
    func lose() {
        next = nil
        lastBytes = -1
        lastStamp = CFF_NO_TIME
        isCertain = false
        guard let old = parser else { return }
        // A parser remembers the packet before, which is another one now.
        av_parser_close(old)
        parser = av_parser_init(Int32(codec.pointee.codec_id.rawValue))
        parser?.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    }

    func stamp(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        let bytes = packet.pointee.pos
        let time = packet.pointee.pts
        if let known = place(at: bytes), isRow || known.stamp == time, bytes != lastBytes {
            isCertain = isCertain || isPerPacket || next != nil || known.count == 0
            next = known.count
        }
        if let next { self.next = next &+ missing(before: time) }
        guard let count = next else {
            packet.pointee.pts = CFF_NO_TIME
            return false
        }
        let isNewPlace = bytes >= 0 && bytes != lastBytes && (isRow || time != CFF_NO_TIME)
        if isCertain, isNewPlace, bytes > places.last?.bytes ?? -1, count >= (places.last?.count ?? -spacing) + spacing
        {
            places.append(Place(bytes: bytes, stamp: time, count: count))
        }
        lastBytes = bytes
        lastStamp = time
        packet.pointee.pts = count
        packet.pointee.dts = count
        lastDuration = duration(packet)
        let following = count &+ lastDuration
        next = following
        if isCertain { frontier = max(frontier, following) }
        return true
    }

    /// Units that are missing before a packet, as the time stamps show where a part of the file is
    /// unreadable.
    ///
    /// Small differences are rounding, or a muxer's own arithmetic.
    private func missing(before time: Int64) -> Int64 {
        guard !isRow, lastStamp != CFF_NO_TIME, time != CFF_NO_TIME, unitRate > 0 else { return 0 }
        let tolerance = AVRational(num: 1, den: 10)
        let samples = AVRational(num: 1, den: rate)
        let passed = av_rescale_q(time &- lastStamp, timeBase, samples) &- lastDuration &* unitRate
        guard passed > av_rescale_q(1, tolerance, samples) else { return 0 }
        return (passed &+ unitRate / 2) / unitRate
    }

    private func duration(_ packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
        guard !isPerPacket else { return 1 }
        guard let parser else { return 0 }
        var output: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        av_parser_parse2(
            parser, codec, &output, &size, packet.pointee.data, packet.pointee.size, CFF_NO_TIME, CFF_NO_TIME, -1)
        return Int64(max(0, parser.pointee.duration))
    }

    private func place(at bytes: Int64) -> Place? {
        guard let index = lastIndex(where: { $0.bytes <= bytes }), places[index].bytes == bytes else { return nil }
        return places[index]
    }

    /// The place from which to decode so that the raw position comes out right: the last one before
    /// it, or one more before that, where the count is certain again.
    func place(before raw: Int64) -> Place? {
        guard let index = lastIndex(where: { $0.count * unit <= raw }) else { return places.first }
        return places[max(0, index - 1)]
    }

    /// Places are in ascending order of everything.
    private func lastIndex(where isBefore: (Place) -> Bool) -> Int? {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(places[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
