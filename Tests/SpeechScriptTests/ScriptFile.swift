// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript

/// A script file without a name.
final class ScriptFile {
    let descriptor: CInt

    init(_ bytes: [UInt8] = []) throws {
        var name = Array("/tmp/script-XXXXXX\0".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw ScriptFileFailure() }
        unlink(name)
        overwrite(bytes, at: 0)
    }

    deinit { close(descriptor) }

    convenience init(_ utterances: [Utterance], of document: ReadingDocument) throws {
        try self.init()
        var writer = try ScriptFileWriter(descriptor: descriptor, of: document)
        for utterance in utterances { try writer.append(utterance) }
        try writer.finish()
    }

    func overwrite(_ bytes: [UInt8], at place: Int) {
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
    }

    var bytes: [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }
}

struct ScriptFileFailure: Error {}

/// Everything that a reader hands out of a file.
struct ScriptContents: Equatable {
    var title: String?
    var author: String?
    var language: String?
    var textSize = 0
    var utterances: [Utterance] = []
    var blocks: [TextBlock] = []
    var sections: [TextSection] = []
    var pages: [TextPage] = []
    var members: [String] = []
    var origins: [TextOrigin] = []
    var recordings: [Recording] = []

    /// Reads all of a file; throws at the first thing that is wrong.
    init(_ file: ScriptFile) throws(ScriptFileError) {
        let reader = try ScriptFileReader(descriptor: file.descriptor)
        (title, author, language, textSize) = (reader.title, reader.author, reader.language, reader.textSize)
        var cursor = try reader.cursor()
        while let utterance = try cursor.next() { utterances.append(utterance) }
        for index in 0..<reader.blockCount { if let block = try reader.block(index) { blocks.append(block) } }
        for index in 0..<reader.sectionCount { if let section = try reader.section(index) { sections.append(section) } }
        for index in 0..<reader.pageCount { if let page = try reader.page(index) { pages.append(page) } }
        members = try reader.members()
        let whole = 0..<Int(UInt32.max)
        origins = try reader.origins(of: whole)
        recordings = try reader.recordings(of: whole)
    }
}
