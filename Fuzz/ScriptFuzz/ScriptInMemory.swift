// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript

/// A file without a name, whose content changes.
struct ScriptInMemory {
    static let shared = ScriptInMemory()
    let descriptor: CInt

    private init() {
        var name = Array("/dev/shm/script-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0, unlink(name) == 0 else { fatalError("no file in memory: \(errno)") }
    }

    func fill(_ bytes: [UInt8]) {
        guard ftruncate(descriptor, 0) == 0,
            bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count
        else { fatalError("cannot write: \(errno)") }
    }

    /// A sound file with bytes changed: two of each three say where, the third which.
    static func sound(changedBy changes: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = soundBytes
        var rest = changes
        while let high = rest.popFirst(), let low = rest.popFirst(), let value = rest.popFirst() {
            bytes[(Int(high) << 8 | Int(low)) % bytes.count] = value
        }
        return bytes
    }

    private static let soundBytes: [UInt8] = {
        let file = ScriptInMemory()
        defer { close(file.descriptor) }
        do throws(ScriptFileError) {
            var writer = try ScriptFileWriter(descriptor: file.descriptor, of: document)
            for index in 0..<40 {
                let start = index * 10
                try writer.append(
                    Utterance(
                        range: start..<start + 8, sentence: start..<start + 9, block: index, spoken: "one two",
                        words: [
                            .init(spoken: 0..<3, range: start..<start + 3),
                            .init(spoken: 4..<7, range: start + 4..<start + 7, phonemes: "t'u:"),
                        ], language: index % 2 == 0 ? nil : "en", pause: index))
            }
            try writer.finish()
        } catch {
            fatalError("no script file: \(error)")
        }
        let size = Int(lseek(file.descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(file.descriptor, buffer.baseAddress, size, 0))
        }
    }()

    private static var document: ReadingDocument {
        let blocks = (0..<40).map { index in
            let range = index * 10..<index * 10 + 8
            return TextBlock(
                TextBlock.Kind.allCases[index % 12], range, level: index % 3,
                origins: [TextOrigin(range, member: index % 2, source: index * 20..<index * 20 + 8 + index % 3)],
                recordings: [Recording(range, file: "1.mp3", start: Int64(index), end: nil)])
        }
        return ReadingDocument(
            title: "A Title", author: "An Author", language: "en", text: [UInt8](repeating: 0x61, count: 400),
            blocks: blocks, sections: [TextSection(title: "One", level: 1, start: 0)], members: ["1.html", "2.html"])
    }
}
