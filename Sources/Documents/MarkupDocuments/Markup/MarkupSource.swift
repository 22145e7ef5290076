// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// A file of markup, decoded and made ready for a parser, that knows where each byte comes from.
struct MarkupSource: Sendable {
    /// The file.
    let original: [UInt8]
    /// The bytes that the parser gets: valid UTF-8 without NUL.
    private(set) var bytes: [UInt8]
    /// The changes, the last one first.
    private var maps: [OffsetMap] = []

    /// Decodes a file.
    init(_ file: [UInt8], charset: String?, limits: ReadingLimits) throws(DocumentError) {
        original = file
        bytes = file
        let encoding = DeclaredEncoding.find(in: file, charset: charset)
        if let (decoded, map) = try PageDecoding.decode(file, from: encoding, limits: limits) {
            bytes = decoded
            maps = [map]
        }
    }

    private init() { (original, bytes) = ([], []) }

    static let empty = MarkupSource()

    /// Replaces the bytes by a changed copy.
    mutating func change(to copy: [UInt8], _ map: OffsetMap) {
        bytes = copy
        maps.insert(map, at: 0)
    }

    /// The bytes of the file from the first to the last of which a stretch of `bytes` comes.
    func origin(of range: Range<Int>) -> Range<Int>? {
        let pieces = origins(of: range)
        guard let first = pieces.first, let last = pieces.last else { return nil }
        return first.original.lowerBound..<max(first.original.lowerBound, last.original.upperBound)
    }

    /// The origins of a stretch of `bytes`: where it comes from, in pieces as exact as can be.
    func origins(of range: Range<Int>) -> [(bytes: Range<Int>, original: Range<Int>)] {
        var pieces = [(bytes: range, original: range)]
        for map in maps {
            pieces = pieces.flatMap { piece in
                let stretches = map.stretches(of: piece.original)
                guard piece.bytes.count == piece.original.count else {
                    guard let first = stretches.first, let last = stretches.last else { return [piece][..<0] }
                    return [(piece.bytes, first.input.lowerBound..<last.input.upperBound)][...]
                }
                let shift = piece.bytes.lowerBound - piece.original.lowerBound
                return stretches.map { stretch in
                    (stretch.output.lowerBound + shift..<stretch.output.upperBound + shift, stretch.input)
                }[...]
            }
        }
        return pieces
    }
}
