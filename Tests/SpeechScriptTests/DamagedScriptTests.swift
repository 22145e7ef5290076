// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript
import Testing

struct DamagedScriptTests {
    private static func file() throws -> ScriptFile {
        var samples = ScriptSamples(seed: 9)
        let utterances = samples.utterances(20)
        return try ScriptFile(utterances, of: ScriptSamples.document(for: utterances))
    }

    /// Whether a failure is one of a file that is no script, or a damaged one.
    private static func isDamage(_ error: ScriptFileError) -> Bool {
        switch error.kind {
        case .corrupt, .format, .unfinished: !error.message.contains("\n") && error.message.contains("script file")
        case .tooLarge, .system: false
        }
    }

    @Test func `a file that is cut at any byte is refused and never read wrong`() throws {
        let file = try Self.file()
        let whole = try ScriptContents(file)
        let bytes = file.bytes
        for size in stride(from: bytes.count - 1, through: 0, by: -1) {
            ftruncate(file.descriptor, off_t(size))
            do throws(ScriptFileError) {
                let contents = try ScriptContents(file)
                // Behind the last string that is referred to there may be bytes that nothing needs.
                #expect(contents == whole, "cut at \(size)")
            } catch {
                #expect(Self.isDamage(error), "cut at \(size): \(error.message)")
            }
        }
    }

    @Test(arguments: [UInt8(0x01), 0x80, 0xFF, 0x7F])
    func `a file with any byte flipped is read or refused`(mask: UInt8) throws {
        let file = try Self.file()
        let bytes = file.bytes
        var refused = 0
        for index in bytes.indices {
            file.overwrite([bytes[index] ^ mask], at: index)
            do throws(ScriptFileError) {
                let contents = try ScriptContents(file)
                #expect(contents.utterances.count <= bytes.count)
                let reader = try ScriptFileReader(descriptor: file.descriptor)
                for place in [0, 50, 400, Int.max] { _ = try reader.index(at: place) }
                for utterance in contents.utterances {
                    for word in utterance.words { #expect(word.spoken.upperBound <= utterance.spoken.utf8.count) }
                }
            } catch {
                refused += 1
                #expect(Self.isDamage(error), "byte \(index): \(error.message)")
            }
            file.overwrite([bytes[index]], at: index)
        }
        #expect(refused > 100)
    }

    @Test func `a file of chance behind a sound header is read or refused`() throws {
        let file = try Self.file()
        let bytes = file.bytes
        var samples = ScriptSamples(seed: 77)
        for _ in 0..<300 {
            let start = 24 + samples.next(below: bytes.count - 24)
            let noise = (0..<1 + samples.next(below: 64)).map { _ in UInt8(samples.next(below: 256)) }
            file.overwrite(Array(noise.prefix(bytes.count - start)), at: start)
            do throws(ScriptFileError) { _ = try ScriptContents(file) } catch {
                #expect(Self.isDamage(error), "\(error.message)")
            }
            file.overwrite(bytes, at: 0)
        }
    }

    @Test(arguments: [
        (0, [UInt8](repeating: 0x41, count: 8), ScriptFileError.Kind.format), (8, [1, 0, 0, 0], .format),
        (0, [UInt8](repeating: 0, count: 8), .unfinished),
    ])
    func `another file or version is told apart`(place: Int, bytes: [UInt8], kind: ScriptFileError.Kind) throws {
        let file = try Self.file()
        file.overwrite(bytes, at: place)
        let error = #expect(throws: ScriptFileError.self) { try ScriptFileReader(descriptor: file.descriptor) }
        #expect(error?.kind == kind)
    }

    @Test func `a descriptor that cannot be read is an error of the system`() {
        let error = #expect(throws: ScriptFileError.self) { try ScriptFileReader(descriptor: -1) }
        #expect(error?.kind == .system(EBADF))
    }
}
