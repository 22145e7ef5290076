// SPDX-License-Identifier: Apache-2.0

internal import CICU
internal import ReadingText

/// A conversion into UTF-8 from any encoding that ICU knows.
struct TextConversion: ~Copyable {
    /// The number of characters that the encoding does not have.
    private(set) var replacements = 0

    private let converter: OpaquePointer
    private let name: String

    init(_ name: String) throws(DocumentError) {
        var status = U_ZERO_ERROR
        guard let converter = icu_ucnv_open(name, &status), status.rawValue <= U_ZERO_ERROR.rawValue else {
            throw DocumentError(.encoding, "the encoding \(name) is not known here; convert the text to UTF-8")
        }
        self.converter = converter
        self.name = name
    }

    deinit { icu_ucnv_close(converter) }

    /// Converts a file from the byte `start` on.
    mutating func convert(
        _ file: [UInt8], from start: Int, limits: ReadingLimits
    ) throws(DocumentError) -> ([UInt8], DecodingMap) {
        var output = ConvertedText(start: start, size: file.count)
        var position = min(start, file.count)
        var isDone = false
        while !isDone {
            try limits.check()
            guard output.bytes.count <= limits.textSize else {
                throw DocumentError(
                    .tooLarge, "the text is longer than the \(limits.textSize) bytes that are read; split it")
            }
            isDone = try step(file, &position, &output)
        }
        let map = output.finish(source: file.count)
        replacements = output.replacements
        return (output.bytes, map)
    }

    /// Converts as much as a buffer holds.
    ///
    /// Returns `true` at the end of the file.
    private func step(
        _ file: [UInt8], _ position: inout Int, _ output: inout ConvertedText
    ) throws(DocumentError) -> Bool {
        let capacity = 16 << 10
        var status = U_ZERO_ERROR
        var taken = 0
        let base = position
        withUnsafeTemporaryAllocation(of: UChar.self, capacity: capacity) { units in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: capacity) { offsets in
                file.withUnsafeBytes { bytes in
                    guard
                        let first = units.baseAddress,
                        let source = bytes.bindMemory(to: CChar.self).baseAddress
                    else { return }
                    var target: UnsafeMutablePointer<UChar>? = first
                    var next: UnsafePointer<CChar>? = source + base
                    // Sources of more than 2 GiB would overflow the offsets; the limit of a file's size is below that.
                    icu_ucnv_toUnicode(
                        converter, &target, first + capacity, &next, source + bytes.count, offsets.baseAddress, 1,
                        &status)
                    let count = target.map { $0 - first } ?? 0
                    taken = next.map { $0 - (source + base) } ?? 0
                    for index in 0..<min(count, capacity) {
                        // A character whose bytes came with the call before has no offset.
                        output.append(units[index], source: base + max(Int(offsets[index]), 0))
                    }
                }
            }
        }
        position = min(base + max(taken, 0), file.count)
        if status == U_BUFFER_OVERFLOW_ERROR { return false }
        guard status.rawValue <= U_ZERO_ERROR.rawValue else {
            throw DocumentError(.encoding, "the text cannot be read as \(name); convert it to UTF-8")
        }
        return true
    }
}

/// The text that comes out of a conversion, one UTF-16 unit after the other.
struct ConvertedText {
    private(set) var bytes: [UInt8] = []
    private(set) var replacements = 0

    private var map: SourceMapBuilder
    private var lead: (unit: UInt16, source: Int)?
    private var place: Int

    init(start: Int, size: Int) {
        map = SourceMapBuilder(size: size)
        place = start
        bytes.reserveCapacity(size + size / 8)
    }

    mutating func append(_ unit: UInt16, source: Int) {
        if let lead {
            self.lead = nil
            if unit & 0xFC00 == 0xDC00 {
                emit(0x10000 + (UInt32(lead.unit & 0x3FF) << 10 | UInt32(unit & 0x3FF)), source: lead.source)
                return
            }
            emit(0xFFFD, source: lead.source)
        }
        switch unit & 0xFC00 {
        case 0xD800: lead = (unit, source)
        case 0xDC00: emit(0xFFFD, source: source)
        default: emit(UInt32(unit), source: source)
        }
    }

    mutating func finish(source: Int) -> DecodingMap {
        if let lead { emit(0xFFFD, source: lead.source) }
        lead = nil
        return map.finish(text: bytes.count, source: max(source, place))
    }

    private mutating func emit(_ value: UInt32, source: Int) {
        place = max(place, source)
        map.character(text: bytes.count, source: place)
        if value == 0xFFFD { replacements += 1 }
        guard value >= 0x80 else {
            bytes.append(UInt8(truncatingIfNeeded: value))
            return
        }
        guard let scalar = Unicode.Scalar(value) else { return }
        UTF8.encode(scalar)?.forEach { bytes.append($0) }
    }
}
