// SPDX-License-Identifier: Apache-2.0

internal import CICU
internal import ReadingText

/// The encoding of a file of text.
enum TextEncoding: Sendable, Hashable {
    case utf8
    /// UTF-8 with bytes that are none, or cut in the middle of a character.
    case damagedUTF8
    /// A name that ICU knows, and the length of the byte order mark.
    case named(String, skipped: Int)
}

/// The finding of an encoding: a byte order mark, else UTF-8 if the whole file is, else what reads most like a language.
///
/// ICU's detector compares frequent letter sequences, and is sure of encodings that cannot be, since it does not look at what
/// comes out. So each of its guesses is decoded and looked at, and where none will do, other encodings are tried.
enum EncodingDetection {
    /// Encodings besides those that ICU's detector knows, the more frequent first.
    static let others = [
        "windows-1252", "windows-1250", "windows-1251", "IBM850", "macintosh", "KOI8-R", "IBM866", "windows-1253",
        "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-874", "ISO-8859-5", "IBM852",
        "x-mac-cyrillic", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR",
    ]
    /// The share of implausible characters up to which a guess is taken.
    static let plausible = 0.04
    /// The share of control characters from which a file is no text.
    static let controlShare = 0.1

    static func encoding(of file: [UInt8], limits: ReadingLimits) throws(DocumentError) -> TextEncoding {
        if file.starts(with: ByteOrderMark.utf8) {
            return UTF8Repair.firstDamage(file, from: 0) == nil ? .utf8 : .damagedUTF8
        }
        if let wide = WideEncodings.marked(file) { return wide }
        if let wide = try WideEncodings.unmarked(file) { return wide }
        let census = try UTF8Repair.census(file, limits: limits)
        try refuseBinary(file)
        if census.damages == 0, !census.isCut {
            return try escapes(file) ?? .utf8
        }
        if census.isDamagedUTF8 { return .damagedUTF8 }
        return .named(try legacy(file), skipped: 0)
    }

    /// Returns the encoding of a file that is neither UTF-8 nor marked.
    private static func legacy(_ file: [UInt8]) throws(DocumentError) -> String {
        let sample = EncodingSample.bytes(of: file)
        let guesses = guesses(sample)
        var best: (name: String, badness: Double)?
        for (index, guess) in (guesses + others).enumerated() {
            guard let badness = try? Plausibility.badness(of: sample, in: guess) else { continue }
            if index < guesses.count, badness <= plausible { return guess }
            if badness < (best?.badness ?? .infinity) { best = (guess, badness) }
        }
        if try WideEncodings.isProse(file, in: "UTF-16LE") { return "UTF-16LE" }
        if try WideEncodings.isProse(file, in: "UTF-16BE") { return "UTF-16BE" }
        guard let best, best.badness < 0.5 else {
            throw DocumentError(.encoding, "the encoding of the text is unknown; convert it to UTF-8")
        }
        return best.name
    }

    /// Returns what ICU takes a sample for, the likeliest first.
    private static func guesses(_ sample: [UInt8]) -> [String] {
        var status = U_ZERO_ERROR
        guard let detector = icu_ucsdet_open(&status) else { return [] }
        defer { icu_ucsdet_close(detector) }
        return sample.withUnsafeBytes { bytes in
            let text = bytes.bindMemory(to: CChar.self)
            icu_ucsdet_setText(detector, text.baseAddress, Int32(clamping: text.count), &status)
            var count: Int32 = 0
            guard let matches = icu_ucsdet_detectAll(detector, &count, &status) else { return [] }
            var names: [String] = []
            for index in 0..<Int(max(count, 0)) {
                guard let match = matches[index], icu_ucsdet_getConfidence(match, &status) > 10,
                    let name = icu_ucsdet_getName(match, &status).map({ String(cString: $0) }),
                    !name.hasPrefix("UTF-"), !name.hasPrefix("IBM42")
                else { continue }
                names.append(superset[name] ?? name)
            }
            return names
        }
    }

    /// The encodings that have all characters of another, and more in places that are otherwise unused.
    private static let superset = [
        "ISO-8859-1": "windows-1252", "ISO-8859-9": "windows-1254", "ISO-8859-8-I": "ISO-8859-8",
    ]

    /// Returns an encoding that is written in ASCII alone, with escapes.
    private static func escapes(_ file: [UInt8]) throws(DocumentError) -> TextEncoding? {
        let sample = file.prefix(64 << 10)
        guard let escape = sample.firstIndex(of: 0x1B), !sample.contains(where: { $0 >= 0x80 }) else { return nil }
        let part = Array(sample[escape...].prefix(EncodingSample.size))
        guard let name = guesses(part).first(where: { $0.hasPrefix("ISO-2022") }) else { return nil }
        return try Plausibility.badness(of: part, in: name) <= plausible ? .named(name, skipped: 0) : nil
    }

    private static func refuseBinary(_ file: [UInt8]) throws(DocumentError) {
        let sample = file.prefix(64 << 10)
        let controls = sample.count(where: { $0 < 0x20 && !(0x08...0x0D).contains($0) && $0 != 0x1B })
        guard Double(controls) > controlShare * Double(sample.count) else { return }
        throw DocumentError(.format, "the file is not a text: \(controls) of its first \(sample.count) bytes are codes")
    }
}

/// The part of a file by which its encoding is judged.
enum EncodingSample {
    static let size = 8000

    /// Returns the stretches that hold bytes beyond ASCII, cut at white space, which is no part of any other character.
    static func bytes(of file: [UInt8]) -> [UInt8] {
        var sample: [UInt8] = []
        var position = 0
        while position < file.count, sample.count < size {
            guard let found = file[position...].firstIndex(where: { $0 >= 0x80 }) else { break }
            let floor = max(position, found - 200)
            let start = file[floor..<found].lastIndex(where: { $0 <= 0x20 }) ?? found
            var end = min(found + 1000, file.count, start + size - sample.count)
            end = file[end...].prefix(400).firstIndex(where: { $0 <= 0x20 }) ?? end
            sample += file[start..<max(end, found + 1)]
            position = max(end, found + 1)
        }
        return sample
    }
}
