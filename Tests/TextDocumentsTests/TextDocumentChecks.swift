// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import Testing
import TextDocuments

/// Returns a block as its kind, its level if it has one, and its words.
func outline(_ document: ReadingDocument) -> [String] {
    document.blocks.map { block in
        let words = String(decoding: document.text[block.range], as: UTF8.self)
        return "\(block.kind.rawValue)\(block.level > 0 ? String(block.level) : ""): \(words)"
    }
}

func sections(_ document: ReadingDocument) -> [String] { document.sections.map { "\($0.level) \($0.title)" } }

/// Checks what holds for every document.
///
/// `source` is the file, if origins are offsets in it.
func check(_ document: ReadingDocument, source: [UInt8]?, _ location: SourceLocation = #_sourceLocation) {
    #expect(String(validating: document.text, as: UTF8.self) != nil, "valid UTF-8", sourceLocation: location)
    var last = 0
    for block in document.blocks {
        #expect(
            block.range.lowerBound >= last && block.range.upperBound <= document.text.count, sourceLocation: location)
        last = block.range.upperBound
        var place = block.range.lowerBound
        for origin in block.origins {
            #expect(origin.range.lowerBound >= place, sourceLocation: location)
            #expect(origin.range.upperBound <= block.range.upperBound, sourceLocation: location)
            #expect(document.members.indices.contains(origin.member), sourceLocation: location)
            place = origin.range.upperBound
            guard let source else { continue }
            #expect(origin.source.upperBound <= source.count, sourceLocation: location)
            if origin.source.count == origin.range.count, origin.source.upperBound <= source.count {
                #expect(source[origin.source] == document.text[origin.range], sourceLocation: location)
            }
        }
    }
    let starts = document.sections.map(\.start)
    #expect(starts == starts.sorted() && starts.allSatisfy { $0 < document.text.count }, sourceLocation: location)
}

/// Reads bytes of which nothing is known.
///
/// Returns `nil` if they are refused, with one line.
@discardableResult
func readHostile(_ bytes: [UInt8], _ format: TextFormat, _ location: SourceLocation = #_sourceLocation)
    -> ReadingDocument?
{
    do throws(DocumentError) {
        let document = try format.read(bytes, limits: ReadingLimits())
        let isPlain = String(validating: bytes, as: UTF8.self) != nil
        check(document, source: isPlain && format != .pdf ? bytes : nil, location)
        return document
    } catch {
        #expect(!error.message.isEmpty && !error.message.contains("\n"), sourceLocation: location)
        return nil
    }
}

func bytes(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = max(ftell(file), 0)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = fread(buffer.baseAddress, 1, size, file)
    }
}

/// The folder of real texts beside the package, if it exists.
enum Corpus {
    static let folder: String? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let folder = (getenv("ROSTRUM_SHARED").map { String(cString: $0) } ?? "/\(package)/../shared") + "/media/text"
        guard access(folder, R_OK) == 0 else {
            print("skipped: no \(folder)")
            return nil
        }
        return folder
    }()

    /// Returns the files of a folder of the corpus, by name.
    static func files(_ name: String) -> [String] {
        guard let folder, let directory = opendir("\(folder)/\(name)") else { return [] }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !file.hasPrefix(".") { files.append("\(folder)/\(name)/\(file)") }
        }
        return files.sorted()
    }
}
