// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The chapters of a Matroska file (RFC 9559, section 5.1.7), from the edition that the user should see.
///
/// libavformat puts all editions into one list and shows hidden chapters. Here the default edition counts, else the
/// first that is not hidden. A chapter that contains visible ones is replaced by them, unless it begins earlier.
///
/// An ordered edition plays parts of the file in an order of its own, also parts of other files. Here the file is
/// played as it is, and the parts that lie in it are listed by their times.
struct MatroskaChapters {
    private enum ID {
        static let segment: UInt32 = 0x1853_8067
        static let seekHead: UInt32 = 0x114D_9B74
        static let seek: UInt32 = 0x4DBB
        static let seekID: UInt32 = 0x53AB
        static let seekPosition: UInt32 = 0x53AC
        static let cluster: UInt32 = 0x1F43_B675
        static let chapters: UInt32 = 0x1043_A770
        static let edition: UInt32 = 0x45B9
        static let editionHidden: UInt32 = 0x45BD
        static let editionDefault: UInt32 = 0x45DB
        static let atom: UInt32 = 0xB6
        static let start: UInt32 = 0x91
        static let end: UInt32 = 0x92
        static let hidden: UInt32 = 0x98
        static let enabled: UInt32 = 0x4598
        static let otherSegment: UInt32 = 0x6E67
        static let display: UInt32 = 0x80
        static let string: UInt32 = 0x85
    }

    private static let nanoseconds = AVRational(num: 1, den: 1_000_000_000)
    private static let largest: Int64 = 16 << 20
    private static let mostElements = 10_000
    private static let deepest = 8

    private let input: SourceStream

    /// Returns the chapters; `nil` if the file cannot be read here, or its list is not found with a few reads.
    static func read(_ container: Container) -> [ListedChapter]? {
        let input = container.input
        guard input.source is DescriptorSource, let size = input.source.size else { return nil }
        let place = avio_tell(input.context)
        defer { avio_seek(input.context, place, 0) }
        guard let body = MatroskaChapters(input: input).list(fileSize: size) else { return nil }
        var editions: [(isDefault: Bool, isHidden: Bool, body: ArraySlice<UInt8>)] = []
        for element in Elements(body[...]) where element.id == ID.edition {
            let flags = Elements(element.body)
            editions.append(
                (
                    flags.flag(ID.editionDefault, otherwise: false), flags.flag(ID.editionHidden, otherwise: false),
                    element.body
                ))
        }
        let shown = editions.filter { !$0.isHidden }
        guard let edition = shown.first(where: \.isDefault) ?? shown.first else { return [] }
        return atoms(edition.body, level: 0)
    }

    private static func atoms(_ body: ArraySlice<UInt8>, level: Int) -> [ListedChapter] {
        guard level < deepest else { return [] }
        var result: [ListedChapter] = []
        for element in Elements(body) where element.id == ID.atom {
            let parts = Elements(element.body)
            guard parts.flag(ID.enabled, otherwise: true), !parts.contains(ID.otherSegment),
                let start = parts.number(ID.start)
            else { continue }
            let within = atoms(element.body, level: level + 1)
            if !parts.flag(ID.hidden, otherwise: false), within.first.map({ start < $0.start.value }) ?? true {
                let display = parts.first { $0.id == ID.display }
                let title = display.flatMap { Elements($0.body).first { $0.id == ID.string } }
                result.append(
                    ListedChapter(
                        start: .init(value: start, base: nanoseconds),
                        end: parts.number(ID.end).map { .init(value: $0, base: nanoseconds) },
                        title: title.flatMap { EncodedText.plain(String(decoding: $0.body, as: UTF8.self)) }))
            }
            result += within
        }
        return result
    }

    // MARK: Finding the list in the file

    /// Returns the body of the segment's list of chapters.
    private func list(fileSize: Int64) -> [UInt8]? {
        guard let header = head(at: 0, end: fileSize), header.id == 0x1A45_DFA3,
            let segment = head(at: header.end, end: fileSize), segment.id == ID.segment
        else { return nil }
        var place = segment.body
        var listed: Int64?
        for _ in 0..<Self.mostElements {
            guard place < segment.end, let element = head(at: place, end: segment.end) else { break }
            if element.id == ID.chapters { return bytes(element) }
            if element.id == ID.seekHead, let body = bytes(element) { listed = listed ?? position(in: body) }
            // What comes first in a file is its description; behind the audio, only the seek head leads to the list.
            if element.id == ID.cluster { break }
            place = element.end
        }
        guard let listed, let element = head(at: segment.body + listed, end: fileSize), element.id == ID.chapters else {
            return nil
        }
        return bytes(element)
    }

    private func position(in seekHead: [UInt8]) -> Int64? {
        for entry in Elements(seekHead[...]) where entry.id == ID.seek {
            let parts = Elements(entry.body)
            if parts.number(ID.seekID) == Int64(ID.chapters) { return parts.number(ID.seekPosition) }
        }
        return nil
    }

    private func bytes(_ element: (id: UInt32, body: Int64, end: Int64)) -> [UInt8]? {
        guard element.end - element.body <= Self.largest else { return nil }
        return input.bytes(at: element.body, count: Int(element.end - element.body))
    }

    /// Returns an element's id, the start of its body, and its end.
    ///
    /// An element of unknown size ends with the one that contains it.
    private func head(at place: Int64, end: Int64) -> (id: UInt32, body: Int64, end: Int64)? {
        guard place >= 0, place < end,
            let bytes = input.bytes(at: place, count: Int(min(12, end - place))),
            let head = Elements.head(bytes[...])
        else { return nil }
        let body = place + Int64(head.length)
        guard let size = head.size else { return (head.id, body, end) }
        guard size <= end - body else { return (head.id, body, end) }
        return (head.id, body, body + size)
    }
}

/// The elements of a body that is in memory.
private struct Elements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ body: ArraySlice<UInt8>) { rest = body }

    mutating func next() -> (id: UInt32, body: ArraySlice<UInt8>)? {
        guard let head = Self.head(rest) else { return nil }
        let body = rest.dropFirst(head.length)
        let size = head.size.map { Swift.min($0, Int64(body.count)) } ?? Int64(body.count)
        rest = body.dropFirst(Int(size))
        return (head.id, body.prefix(Int(size)))
    }

    /// Returns the id, the size (`nil` if unknown) and the length of both.
    static func head(_ bytes: ArraySlice<UInt8>) -> (id: UInt32, size: Int64?, length: Int)? {
        guard let first = bytes.first else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard idLength <= 4, bytes.count > idLength else { return nil }
        let id = bytes.prefix(idLength).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let sizes = bytes.dropFirst(idLength)
        guard let lead = sizes.first else { return nil }
        let sizeLength = lead.leadingZeroBitCount + 1
        guard sizeLength <= 8, sizes.count >= sizeLength else { return nil }
        let mask = Int64(1) << (7 * sizeLength) - 1
        let size = sizes.prefix(sizeLength).reduce(Int64(0)) { ($0 & (.max >> 8)) << 8 | Int64($1) } & mask
        return (id, size == mask ? nil : size, idLength + sizeLength)
    }

    func contains(_ id: UInt32) -> Bool { contains { $0.id == id } }

    /// Returns the number in an element; `nil` if it is missing or does not fit into 63 bits.
    func number(_ id: UInt32) -> Int64? {
        guard let body = first(where: { $0.id == id })?.body, body.count <= 8 else { return nil }
        let value = body.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(exactly: value)
    }

    func flag(_ id: UInt32, otherwise: Bool) -> Bool { number(id).map { $0 != 0 } ?? otherwise }
}
