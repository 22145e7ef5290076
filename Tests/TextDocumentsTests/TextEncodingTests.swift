// SPDX-License-Identifier: Apache-2.0

import CICU
import ReadingText
import Testing
import TextDocuments

struct TextEncodingTests {
    private static let german =
        "Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung aller staatlichen Gewalt.\n"
    private static let french =
        "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience.\n"
    private static let polish =
        "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem.\n"
    private static let russian =
        "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью.\n"
    private static let greek =
        "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.\n"
    private static let turkish =
        "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.\n"
    private static let hebrew = "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.\n"
    private static let arabic = "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا.\n"
    private static let japanese =
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。\n"
    private static let chinese = "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。\n"
    private static let korean = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성을 부여받았다.\n"

    @Test(arguments: [
        ("windows-1252", german), ("windows-1252", french), ("ISO-8859-2", polish), ("windows-1250", polish),
        ("windows-1251", russian), ("KOI8-R", russian), ("IBM866", russian), ("ISO-8859-5", russian),
        ("windows-1253", greek), ("windows-1254", turkish), ("windows-1255", hebrew), ("windows-1256", arabic),
        ("Shift_JIS", japanese), ("EUC-JP", japanese), ("ISO-2022-JP", japanese), ("GB18030", chinese),
        ("EUC-KR", korean), ("IBM850", german), ("macintosh", french), ("UTF-16LE", russian), ("UTF-16BE", german),
        ("UTF-16", japanese), ("UTF-32LE", german), ("UTF-32BE", polish), ("UTF-32", russian),
    ])
    func `a text is read in its encoding, and its spans find the bytes of the file`(
        encoding: String, sample: String
    ) throws {
        let text = String(repeating: sample + "\n", count: 6)
        let file = try Self.encode(text, encoding)
        let document = try PlainTextReader.read(file, limits: ReadingLimits())
        #expect(String(decoding: document.text, as: UTF8.self) == text)
        check(document, source: nil)
        // The bytes of a paragraph by themselves are that paragraph.
        guard !encoding.hasPrefix("ISO-2022") else { return }
        for block in document.blocks {
            let first = try #require(block.origins.first?.source.lowerBound)
            let last = try #require(block.origins.last?.source.upperBound)
            let paragraph = String(decoding: document.text[block.range], as: UTF8.self)
            let expected = try Self.encode(paragraph, encoding)
            let mark = encoding == "UTF-16" ? 2 : encoding == "UTF-32" ? 4 : 0
            #expect(Array(file[first..<last]) == Array(expected.dropFirst(mark)))
        }
    }

    @Test func `UTF-8 is the text as it stands, with its byte order mark`() throws {
        let file = [0xEF, 0xBB, 0xBF] + Array("Grüße.\r\n\r\nÜber alles.\r\n".utf8)
        let document = try PlainTextReader.read(file, limits: ReadingLimits())
        #expect(document.text == file)
        #expect(outline(document) == ["paragraph: Grüße.", "paragraph: Über alles."])
        #expect(document.blocks.first?.origins == [TextOrigin(3..<11, source: 3..<11)])
        check(document, source: file)
    }

    @Test func `damaged UTF-8 stays UTF-8, and says so`() throws {
        var file = Array(String(repeating: Self.russian, count: 4).utf8)
        file[20] = 0xFF
        file.removeLast(2)
        let document = try PlainTextReader.read(file, limits: ReadingLimits())
        #expect(document.warnings.count == 1)
        #expect(String(decoding: document.text, as: UTF8.self).contains("\u{FFFD}"))
        #expect(document.text.suffix(40) == file.suffix(40))
        check(document, source: nil)
    }

    @Test func `a character that the end of the file cuts is left out`() throws {
        let whole = Array(Self.japanese.utf8.dropLast())
        for cut in 1...2 {
            let document = try PlainTextReader.read(whole.dropLast(cut), limits: ReadingLimits())
            #expect(document.text == whole.dropLast(3))
            #expect(document.warnings == ["the text ends in the middle of a character"])
        }
    }

    @Test(arguments: [
        ([UInt8](repeating: 0, count: 5000), DocumentError.Kind.format), ((0..<5000).map { UInt8($0 % 31) }, .format),
        ([], .empty), (Array(" \n\u{3000}\n".utf8), .empty), ([0xEF, 0xBB, 0xBF], .empty),
    ])
    func `a file that is no text is refused by name`(file: [UInt8], kind: DocumentError.Kind) {
        let error = #expect(throws: DocumentError.self) { try PlainTextReader.read(file, limits: ReadingLimits()) }
        #expect(error?.kind == kind)
    }

    @Test func `limits and interruption end reading`() {
        let file = Array(String(repeating: "A line of a text.\n\n", count: 40_000).utf8)
        var limits = ReadingLimits()
        limits.fileSize = 1000
        #expect(throws: DocumentError.self) { try PlainTextReader.read(file, limits: limits) }
        limits = ReadingLimits()
        limits.blocks = 100
        var error = #expect(throws: DocumentError.self) { try PlainTextReader.read(file, limits: limits) }
        #expect(error?.kind == .tooLarge)
        error = #expect(throws: DocumentError.self) { try PlainTextReader.read(file, limits: ReadingLimits { true }) }
        #expect(error?.kind == .interrupted)
    }

    /// Encodes a text as ICU does.
    static func encode(_ text: String, _ encoding: String) throws -> [UInt8] {
        var status = U_ZERO_ERROR
        let converter = try #require(icu_ucnv_open(encoding, &status))
        defer { icu_ucnv_close(converter) }
        let units = Array(text.utf16)
        var output = [CChar](repeating: 0, count: units.count * 8 + 16)
        let length = icu_ucnv_fromUChars(
            converter, &output, Int32(output.count), units, Int32(units.count), &status)
        try #require(status.rawValue <= U_ZERO_ERROR.rawValue)
        return output.prefix(Int(length)).map { UInt8(bitPattern: $0) }
    }
}
