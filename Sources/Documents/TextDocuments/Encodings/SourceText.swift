// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The text of a file in UTF-8, and where it comes from.
struct SourceText: Sendable {
    /// Valid UTF-8.
    ///
    /// The very bytes of the file if that is valid UTF-8, a byte order mark included.
    var bytes: [UInt8]
    var map: DecodingMap
    /// The name of the encoding, as IANA has it.
    var encoding: String
    var warnings: [String] = []

    /// The offset behind the byte order mark.
    var start: Int { bytes.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0 }

    /// Decodes a file.
    init(_ file: [UInt8], limits: ReadingLimits) throws(DocumentError) {
        guard file.count <= min(limits.fileSize, Int(UInt32.max)) else {
            throw DocumentError(
                .tooLarge, "the text has \(file.count) bytes, more than the \(limits.fileSize) that are read; split it")
        }
        let encoding = try EncodingDetection.encoding(of: file, limits: limits)
        switch encoding {
        case .utf8:
            (bytes, map) = (file, DecodingMap())
            self.encoding = "UTF-8"
        case .damagedUTF8:
            let repaired = try UTF8Repair.repair(file, limits: limits)
            (bytes, map) = (repaired.bytes, repaired.map)
            self.encoding = "UTF-8"
            if repaired.isCut { warnings.append("the text ends in the middle of a character") }
            if repaired.damages > 0 {
                warnings.append("the text is damaged at \(repaired.damages) places, where a character is missing")
            }
        case .named(let name, let skipped):
            var conversion = try TextConversion(name)
            (bytes, map) = try conversion.convert(file, from: skipped, limits: limits)
            self.encoding = name
            if conversion.replacements > 0 {
                warnings.append("\(conversion.replacements) characters of the text are not valid in \(name)")
            }
        }
        guard bytes.count <= limits.textSize else {
            throw DocumentError(
                .tooLarge, "the text has \(bytes.count) bytes, more than the \(limits.textSize) that are read; split it"
            )
        }
    }
}

extension ReadingLimits {
    /// Throws if reading must end.
    func check() throws(DocumentError) {
        if isInterrupted() { throw DocumentError(.interrupted, "reading the document was interrupted") }
    }
}

/// The bytes at the beginning of a file that tell its encoding.
enum ByteOrderMark {
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The marks of other encodings; the longer ones first, because one begins like another.
    static let others: [(mark: [UInt8], encoding: String)] = [
        ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"), ([0x84, 0x31, 0x95, 0x33], "GB18030"),
        ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
    ]
}
