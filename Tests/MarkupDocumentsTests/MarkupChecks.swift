// SPDX-License-Identifier: Apache-2.0

import Glibc
import MarkupDocuments
import ReadingText
import Testing

/// Returns a block as its kind, its level if it has one, its matter if it is not the body, and its words.
func outline(_ document: ReadingDocument) -> [String] {
    document.blocks.map { block in
        let matter = block.matter == .body ? "" : "/\(block.matter.rawValue)"
        return
            "\(block.kind.rawValue)\(block.level > 0 ? String(block.level) : "")\(matter): \(words(block.range, document))"
    }
}

func words(_ range: Range<Int>, _ document: ReadingDocument) -> String {
    String(decoding: document.text[range], as: UTF8.self)
}

/// The sections: level, title, and the first words at their starts.
func sections(_ document: ReadingDocument) -> [String] {
    document.sections.map { section in
        let line = words(section.start..<min(section.start + 12, document.text.count), document).prefix { $0 != "\n" }
        return "\(section.level) \(section.title): \(line)"
    }
}

/// The pages: label, and the first words at their starts.
func pages(_ document: ReadingDocument) -> [String] {
    document.pages.map { page in
        let line = words(page.start..<min(page.start + 8, document.text.count), document).prefix { $0 != "\n" }
        return "\(page.label): \(line)"
    }
}

func pronunciations(_ document: ReadingDocument) -> [String] {
    document.blocks.flatMap(\.pronunciations).map { "\(words($0.range, document)) = \($0.speech)" }
}

/// Checks what holds for every document.
///
/// `sources` are the files to which origins refer.
func check(_ document: ReadingDocument, sources: [[UInt8]]? = nil, _ location: SourceLocation = #_sourceLocation) {
    #expect(String(validating: document.text, as: UTF8.self) != nil, "valid UTF-8", sourceLocation: location)
    #expect(!document.text.contains(0), sourceLocation: location)
    var last = 0
    for block in document.blocks {
        #expect(
            block.range.lowerBound >= last && block.range.upperBound <= document.text.count, sourceLocation: location)
        last = block.range.upperBound
        var place = block.range.lowerBound
        for origin in block.origins {
            #expect(origin.range.lowerBound >= place && !origin.range.isEmpty, sourceLocation: location)
            #expect(origin.range.upperBound <= block.range.upperBound, sourceLocation: location)
            #expect(document.members.indices.contains(origin.member), sourceLocation: location)
            place = origin.range.upperBound
            guard let sources, sources.indices.contains(origin.member) else { continue }
            let source = sources[origin.member]
            #expect(origin.source.upperBound <= source.count, sourceLocation: location)
            if origin.source.count == origin.range.count, origin.source.upperBound <= source.count {
                #expect(source[origin.source] == document.text[origin.range], sourceLocation: location)
            }
        }
        for range in block.pronunciations.map(\.range) + block.recordings.map(\.range) {
            #expect(block.range.clamped(to: range) == range, sourceLocation: location)
        }
    }
    let pages = document.pages.map(\.start)
    #expect(pages == pages.sorted() && pages.allSatisfy { $0 < document.text.count }, sourceLocation: location)
    #expect(document.pages.allSatisfy { !$0.label.isEmpty && $0.label.utf8.count <= 32 }, sourceLocation: location)
    let starts = document.sections.map(\.start)
    #expect(starts == starts.sorted() && starts.allSatisfy { $0 < document.text.count }, sourceLocation: location)
}

func page(_ html: String, charset: String? = nil, limits: ReadingLimits = ReadingLimits()) throws -> ReadingDocument {
    let bytes = Array(html.utf8)
    let document = try HTMLReader.read(bytes, charset: charset, limits: limits)
    check(document, sources: [bytes])
    return document
}

/// The kind of the failure to read a file and its message, or `nil` if it can be read.
func failure(_ read: () throws(DocumentError) -> ReadingDocument) -> DocumentError? {
    do throws(DocumentError) {
        _ = try read()
        return nil
    } catch {
        #expect(!error.message.isEmpty && !error.message.contains("\n"))
        return error
    }
}

/// Reads bytes of which nothing is known: whatever comes of it holds, or is refused with one line.
func readHostile(_ bytes: [UInt8], _ format: MarkupFormat, _ location: SourceLocation = #_sourceLocation) {
    do throws(DocumentError) {
        try check(format.read(bytes, limits: ReadingLimits()), location)
    } catch {
        #expect(!error.message.isEmpty && !error.message.contains("\n"), sourceLocation: location)
    }
}

/// The folder of real texts beside the package, if it exists.
let corpus: String? = {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = (getenv("ROSTRUM_SHARED").map { String(cString: $0) } ?? "/\(package)/../shared") + "/media/text"
    guard access(folder, R_OK) == 0 else {
        print("skipped: no \(folder)")
        return nil
    }
    return folder
}()

func bytes(ofFile path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

/// The files of a folder of the corpus.
func names(in folder: String) -> [String] {
    guard let corpus, let directory = opendir("\(corpus)/\(folder)") else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if !name.hasPrefix(".") { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
}
