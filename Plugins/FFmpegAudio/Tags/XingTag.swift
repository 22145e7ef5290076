// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The frame in which encoders state the length of an MP3, before its audio.
struct XingTag {
    /// The number of samples of padding at the end; 0 if the encoder does not say.
    private(set) var padding: UInt32 = 0

    private static let search = 4096

    /// The number of packets behind the one with the tag, according to the tag; 0 if it does not say.
    private var packets: Int64 = 0

    /// Returns the range of the padding, counted from the first packet, if each packet has this many samples.
    func paddingRange(samplesPerPacket: Int64) -> Range<Int64>? {
        let (end, isTooMuch) = packets.multipliedReportingOverflow(by: samplesPerPacket)
        guard !isTooMuch, padding > 0, end > Int64(padding) else { return nil }
        return end - Int64(padding)..<end
    }

    /// Reads the tag; `nil` if there is none.
    ///
    /// It leaves the stream where it was.
    init?(_ container: Container) {
        let input = container.input
        guard container.format == "mp3", input.source.isSeekable else { return nil }
        let place = avio_tell(input.context)
        defer { avio_seek(input.context, place, 0) }
        var start: Int64 = 0
        while let header = input.bytes(at: start, count: 10), header.starts(with: [0x49, 0x44, 0x33]) {
            // A tag of version 2.4 may have a footer, which repeats the header and is not part of the size.
            let ends: Int64 = header[5] & 0x10 != 0 ? 20 : 10
            start += ends + Int64(ID3Size.syncSafe(header[6...9]))
        }
        let room = input.source.size.map { Int(min(Int64(Self.search), max(0, $0 - start))) } ?? Self.search
        guard let bytes = input.bytes(at: start, count: room) else { return nil }
        let names: [[UInt8]] = [Array("Xing".utf8), Array("Info".utf8)]
        guard let name = bytes.indices.first(where: { index in names.contains { bytes[index...].starts(with: $0) } })
        else {
            let vbri = Array("VBRI".utf8)
            guard bytes.indices.contains(where: { bytes[$0...].starts(with: vbri) }) else { return nil }
            return
        }
        guard name + 8 <= bytes.count else { return }
        let flags = bytes[name + 7]
        if flags & 1 != 0, name + 12 <= bytes.count {
            packets = bytes[name + 8..<name + 12].reduce(0) { $0 << 8 | Int64($1) }
        }
        var lame = name + 8
        for (flag, size) in [(1, 4), (2, 4), (4, 100), (8, 4)] where Int(flags) & flag != 0 { lame += size }
        // Nine bytes of name, then twelve more, then twelve bits each of delay and padding.
        guard lame + 24 <= bytes.count, bytes[lame] != 0 else { return }
        let stored = UInt32(bytes[lame + 22] & 0x0f) << 8 | UInt32(bytes[lame + 23])
        // The decoder's own delay is already subtracted from the padding.
        padding = stored > 529 ? stored - 529 : 0
    }
}

/// Sizes in ID3 tags, which are written in seven bits a byte.
enum ID3Size {
    static func syncSafe(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 7 | Int($1 & 0x7f) }
    }
}
