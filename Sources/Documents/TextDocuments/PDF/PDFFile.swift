// SPDX-License-Identifier: Apache-2.0

internal import CPoppler
internal import ReadingText

/// A word as a page has it, turned so that it is upright.
///
/// Lengths are in points, from the top left.
struct PDFWord {
    /// The bytes in the text of the page.
    var range: Range<Int>
    var left, top, right, bottom: Double
    var size: Double
    var isBold: Bool
    var hasSpaceBehind: Bool
}

/// A page: its words in the library's order of reading.
struct PDFPage {
    /// The words with a space behind each: the source to which the document's spans refer.
    var text: [UInt8] = []
    var words: [PDFWord] = []
    var width = 0.0
    var height = 0.0
}

/// An entry of the outline.
struct PDFEntry {
    var title: String
    var level: Int
}

/// The readable parts of a PDF.
struct PDFFile {
    private(set) var pages: [PDFPage] = []
    private(set) var outline: [PDFEntry] = []
    private(set) var title: String?
    private(set) var author: String?
    /// The numbers of pages that cannot be read, from 1.
    private(set) var damaged: [Int] = []

    /// Entries of an outline that are read.
    private static let longestOutline: Int32 = 20_000

    init(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) {
        guard bytes.count <= min(limits.fileSize, Int(Int32.max)) else {
            throw DocumentError(
                .tooLarge, "the PDF has \(bytes.count) bytes, more than the \(limits.fileSize) that are read; split it")
        }
        let result = bytes.withUnsafeBytes { raw -> Result<PDFFile, DocumentError> in
            var file = PDFFile()
            do throws(DocumentError) {
                try file.read(raw, limits: limits)
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private init() {}

    init(pages: [PDFPage], outline: [PDFEntry]) { (self.pages, self.outline) = (pages, outline) }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, limits: ReadingLimits) throws(DocumentError) {
        var document: OpaquePointer?
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        switch cpoppler_open(start, Int64(bytes.count), &document) {
        case CPOPPLER_OK: break
        case CPOPPLER_ENCRYPTED:
            throw DocumentError(.encrypted, "the PDF is protected by a password; save it without one")
        case CPOPPLER_MEMORY: throw DocumentError(.tooLarge, "the PDF takes more memory than there is; split it")
        default: throw DocumentError(.corrupt, "the PDF is damaged and cannot be read; get it again")
        }
        guard let document else { throw DocumentError(.corrupt, "the PDF is damaged and cannot be read; get it again") }
        defer { cpoppler_close(document) }
        let count = Int(cpoppler_page_count(document))
        guard count <= limits.members else {
            throw DocumentError(.tooLarge, "the PDF has \(count) pages, more than \(limits.members); split it")
        }
        title = Self.string(cpoppler_title(document))
        author = Self.string(cpoppler_author(document))
        var size = 0
        for index in 0..<max(count, 0) {
            try limits.check()
            let page = try Self.page(document, Int32(index), limits)
            if page == nil { damaged.append(index + 1) }
            pages.append(page ?? PDFPage())
            size += page?.text.count ?? 0
            guard size <= limits.textSize else {
                throw DocumentError(
                    .tooLarge, "the text is longer than the \(limits.textSize) bytes that are read; split it")
            }
        }
        outline = Self.outline(document, limits)
    }

    private static func string(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { cpoppler_free(text) }
        let words = String(cString: text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    private static func page(
        _ document: OpaquePointer, _ index: Int32, _ limits: ReadingLimits
    ) throws(DocumentError) -> PDFPage? {
        guard let source = cpoppler_page_open(document, index) else { return nil }
        defer { cpoppler_page_close(source) }
        var page = PDFPage(width: cpoppler_page_width(source), height: cpoppler_page_height(source))
        let words = (0..<cpoppler_page_word_count(source)).lazy.map { cpoppler_page_word(source, $0) }
        var turns = [0, 0, 0, 0]
        for word in words { turns[Int(word.rotation & 3)] += 1 }
        // A stamp at the margin stands on end; on a page of its own, a table may.
        let turn = Int32(turns.indices.max { turns[$0] < turns[$1] } ?? 0)
        for (number, word) in words.enumerated() {
            if number % 10_000 == 9999 { try limits.check() }
            guard word.rotation & 3 == turn, let text = word.text, word.length > 0,
                [word.left, word.top, word.right, word.bottom].allSatisfy({ $0.isFinite && abs($0) < 1e6 })
            else { continue }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(clamping: word.length))
            let start = page.text.count
            page.text += bytes.lazy.map { $0 < 0x20 ? 0x20 : $0 }
            page.words.append(PDFWord(word, start..<page.text.count, turn: turn, page))
            page.text.append(0x20)
        }
        return page
    }

    private static func outline(_ document: OpaquePointer, _ limits: ReadingLimits) -> [PDFEntry] {
        guard let outline = cpoppler_outline_open(document, Int32(clamping: limits.depth), longestOutline) else {
            return []
        }
        defer { cpoppler_outline_close(outline) }
        return (0..<cpoppler_outline_count(outline)).compactMap { index in
            guard let title = cpoppler_outline_title(outline, index) else { return nil }
            let words = String(cString: title).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return words.isEmpty ? nil : PDFEntry(title: words, level: Int(cpoppler_outline_level(outline, index)))
        }
    }
}

extension PDFWord {
    fileprivate init(_ word: CPopplerWord, _ range: Range<Int>, turn: Int32, _ page: PDFPage) {
        self.range = range
        (left, top, right, bottom) =
            switch turn {
            case 1: (word.top, page.width - word.right, word.bottom, page.width - word.left)
            case 2: (page.width - word.right, page.height - word.bottom, page.width - word.left, page.height - word.top)
            case 3: (page.height - word.bottom, word.left, page.height - word.top, word.right)
            default: (word.left, word.top, word.right, word.bottom)
            }
        let height = bottom - top
        // Some fonts are of size 1 and scaled up.
        size = word.size.isFinite && word.size > 2 && word.size < 1000 ? word.size : min(max(height, 1), 1000)
        isBold = word.bold != 0
        hasSpaceBehind = word.space_after != 0
    }
}
