// SPDX-License-Identifier: Apache-2.0

/// A walk over the frames of an ID3v2.3 or 2.4 tag, or of a frame that contains frames.
struct ID3Frames {
    struct Frame {
        var id: String
        var body: ArraySlice<UInt8>
    }

    private let bytes: [UInt8]
    private let version: UInt8
    private var place = 0

    init(bytes: [UInt8], version: UInt8) {
        self.bytes = bytes
        self.version = version
    }

    /// Returns a number of up to four bytes, the highest first.
    static func number(_ bytes: some Collection<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Removes the zeros that keep a tag from looking like audio.
    static func resynchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var previous: UInt8 = 0
        for byte in bytes {
            if !(previous == 0xff && byte == 0) { result.append(byte) }
            previous = byte
        }
        return result
    }

    mutating func skipExtendedHeader() {
        guard bytes.count >= 4 else { return }
        let size = version == 4 ? ID3Size.syncSafe(bytes[0..<4]) : Int(Self.number(bytes[0..<4])) + 4
        place = min(size, bytes.count)
    }

    /// Returns the next frame; `nil` at the padding, or where the sizes make no sense any more.
    mutating func next() -> Frame? {
        guard bytes.count - place > 10, bytes[place] != 0 else { return nil }
        let id = bytes[place..<place + 4]
        guard id.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }) else { return nil }
        let start = place + 10
        let flags = bytes[place + 9]
        guard let size = frameSize(at: place + 4, start: start) else { return nil }
        place = start + size
        var body = bytes[start..<start + size]
        if version == 4 {
            if flags & 0x01 != 0 { body = body.dropFirst(4) }
            if flags & 0x02 != 0 { body = Self.resynchronised(body)[...] }
        }
        let isReadable = version == 4 ? flags & 0x0c == 0 : flags & 0xc0 == 0
        return Frame(id: isReadable ? String(decoding: id, as: UTF8.self) : "", body: body)
    }

    /// Returns the size of a frame.
    ///
    /// Some writers of 2.4 use plain sizes; the size after which another frame begins is right.
    private func frameSize(at field: Int, start: Int) -> Int? {
        let plain = Int(Self.number(bytes[field..<field + 4]))
        let room = bytes.count - start
        guard version == 4 else { return plain <= room ? plain : nil }
        let safe = ID3Size.syncSafe(bytes[field..<field + 4])
        func isFrame(at place: Int) -> Bool {
            place == bytes.count || (place < bytes.count && (bytes[place] == 0 || (0x30...0x5a).contains(bytes[place])))
        }
        if safe <= room, safe == plain || isFrame(at: start + safe) { return safe }
        if plain <= room, isFrame(at: start + plain) { return plain }
        return safe <= room ? safe : nil
    }
}
