// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// A clock that counts samples packet by packet, and remembers a place about every half second.
///
/// It serves containers whose time stamps are milliseconds (Matroska), and those that are a mere row of packets (MP3,
/// ADTS), where libavformat's own index becomes slow and coarse in long files. The unit of the count is one packet if
/// all packets of the codec are equally long, else one sample.
final class CountingClock {
    struct Place {
        var bytes: Int64
        var stamp: Int64
        var count: Int64
    }

    /// A context for the parser alone, because the decoder's own is replaced at times.
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private var parser: UnsafeMutablePointer<AVCodecParserContext>?
    let isPerPacket: Bool
    private let spacing: Int64
    private(set) var places: [Place] = []
    /// The count at the start of the next packet; `nil` after a seek until a known place is read.
    private var next: Int64? = 0
    /// The packet before, in the file and in the count; `nil` if that is unknown.
    private var last: (bytes: Int64, stamp: Int64, duration: Int64)?
    private let rate: Int32
    private let timeBase: AVRational
    /// `true` if the file has no time stamps of its own and is sought by bytes.
    let isRow: Bool
    /// The number of samples in a unit; 0 until that is known.
    private var unitRate: Int64 { isPerPacket && unit == 1 ? 0 : unit }
    /// `true` if the count is right.
    ///
    /// After a seek to a place in the middle, it is not right until the next place, because the length of a packet may
    /// depend on the packet before.
    private var isCertain = true
    /// The end of the part of the file that has been counted.
    private(set) var frontier: Int64 = 0
    var isComplete = false
    /// The number of samples in one unit of the count.
    ///
    /// It is known once the first frame is decoded.
    var unit: Int64 = 1

    /// Creates a clock; `nil` for a codec whose packets cannot be counted without decoding them.
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

    /// Adopts places that were counted before; returns `false` if they are not of this file.
    func adopt(_ known: [Place], frontier: Int64) -> Bool {
        guard let first = known.first, frontier > 0, frontier <= .max / 4 / max(1, unit) else { return false }
        // What was counted since the file was opened must be among them.
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

    /// Forgets the count; after a seek nothing is known until a remembered place is read again.
    func lose() {
        next = nil
        last = nil
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
        if let known = place(at: bytes), isRow || known.stamp == time, bytes != last?.bytes ?? -1 {
            isCertain = isCertain || isPerPacket || next != nil || known.count == 0
            next = known.count
        }
        if let next { self.next = next &+ missing(before: time) }
        guard let count = next else {
            packet.pointee.pts = CFF_NO_TIME
            return false
        }
        let isNewPlace = bytes >= 0 && bytes != last?.bytes && (isRow || time != CFF_NO_TIME)
        if isCertain, isNewPlace, bytes > places.last?.bytes ?? -1, count >= (places.last?.count ?? -spacing) + spacing
        {
            places.append(Place(bytes: bytes, stamp: time, count: count))
        }
        packet.pointee.pts = count
        packet.pointee.dts = count
        let length = duration(packet)
        last = (bytes, time, length)
        let following = count &+ length
        next = following
        if isCertain { frontier = max(frontier, following) }
        return true
    }

    /// Returns the units that are missing before a packet because a part of the file is unreadable.
    ///
    /// The time stamps show that. Small differences are rounding, or a muxer's own arithmetic.
    private func missing(before time: Int64) -> Int64 {
        guard !isRow, let last, last.stamp != CFF_NO_TIME, time != CFF_NO_TIME, unitRate > 0 else { return 0 }
        let tolerance = AVRational(num: 1, den: 10)
        let samples = AVRational(num: 1, den: rate)
        let passed = av_rescale_q(time &- last.stamp, timeBase, samples) &- last.duration &* unitRate
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

    /// Returns the place from which decoding gives the right raw position.
    ///
    /// It is the last place but one at or before the raw position, so that the count is certain at the last.
    func place(before raw: Int64) -> Place? {
        guard let index = lastIndex(where: { $0.count * unit <= raw }) else { return places.first }
        return places[max(0, index - 1)]
    }

    /// Returns the index of the last place that fulfils a condition; places ascend in every respect.
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
