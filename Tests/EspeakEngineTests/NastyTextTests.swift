// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension EspeakEngineTests {
    @Test(arguments: [
        String(repeating: "s'", count: 200), String(repeating: "A.", count: 200), String(repeating: "a.b.", count: 100),
        String(repeating: "un", count: 200), String(repeating: "9", count: 200), String(repeating: "x", count: 1000),
        "e" + String(repeating: "\u{301}\u{302}", count: 200), String(repeating: "🙂👩‍👩‍👧", count: 100), "beep..",
        "[[hello]] <speak><break time=\"9999s\"/> &lt;", "x" + String(repeating: ".,;!?", count: 200),
        "some red\u{1B}[31m words\u{1B}[0m, and a bell among many more words of a longer text\u{7}",
        "\u{202E}drawkcab\u{202C} \u{FFFD}\u{10FFFF} x", String(repeating: "-", count: 1000) + "end",
        String(repeating: "字", count: 200), "मैं ---लच्छेद हूँ", "a Hamrah-E-Aval a", "%s%n%d ${x} `id` \\",
    ])
    func `text that is not prose is spoken to its end`(text: String) throws {
        for voice in ["en", "hi"] {
            let probe = try SpokenText.probe(text, voice: voice, rate: 2)
            let rendering = try probe.renderAll(keepingSamples: false)
            #expect(rendering.hasEnded)
            #expect(rendering.frames > 0)
            var last: Int64 = -1
            for mark in probe.marks where mark.kind == 1 {
                #expect(mark.position > last && mark.length > 0)
                #expect(mark.position + mark.length <= Int64(text.utf8.count))
                last = mark.position
            }
        }
    }

    /// The folder of real texts beside the package, if it exists.
    private static let corpus: String? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let folder = (getenv("ROSTRUM_SHARED").map { String(cString: $0) } ?? "/\(package)/../shared") + "/media/text"
        guard access(folder, R_OK) == 0 else {
            print("skipped: no \(folder)")
            return nil
        }
        return folder
    }()

    @Test(arguments: [
        "inaugural/1793-Washington.txt", "html/rtl-1.html", "ssml/language-switch.ssml", "udhr/Hindi-UTF8.txt",
        "udhr/French_Francais-Latin1.txt",
    ])
    func `every line of a real text is heard`(name: String) throws {
        guard let folder = Self.corpus else { return }
        let probe = try SpokenText.probe(.file("\(folder)/\(name)"), voice: nil, rate: 2)
        var heard: [ClosedRange<Int64>] = []
        while true {
            let block = try probe.render()
            if block.isEnd { break }
            guard block.samples.contains(where: { abs($0) > 0.01 }) else { continue }
            if let last = heard.last, block.position <= last.upperBound {
                heard[heard.count - 1] = last.lowerBound...block.positionEnd
            } else {
                heard.append(block.position...block.positionEnd)
            }
        }
        let lines = try #require(Lines(of: "\(folder)/\(name)"))
        for line in lines.ranges where lines.hasASCIILetter(line) {
            #expect(heard.contains { $0.overlaps(line) }, "bytes \(line) of \(name) are silent")
        }
    }

    @Test func `every line of the list of naughty strings is a text of its own`() throws {
        guard let folder = Self.corpus, let lines = Lines(of: "\(folder)/nasty/blns.txt") else { return }
        let module = try EngineLibrary(product: "EspeakEngine")
        // Test every fourth line, because a debug build speaks slowly.
        for line in lines.ranges.enumerated().filter({ $0.offset % 4 == 0 }).map(\.element) {
            let bytes = Array(lines.bytes[Int(line.lowerBound)...Int(line.upperBound)])
            let probe = try EngineProbe(module, sources: [.bytes(bytes, name: "line.txt")])
            do throws(ProbeFailure) {
                try probe.load(kind: ROSTRUM_KIND_TEXT, rate: 2)
                #expect(try probe.renderAll(keepingSamples: false).hasEnded)
            } catch {
                #expect([ROSTRUM_ERROR_EMPTY, ROSTRUM_ERROR_ENCODING].contains(error.code), "\(error)")
            }
        }
    }
}

/// The lines of a file as ranges of its bytes, without empty ones.
private struct Lines {
    let bytes: [UInt8]
    let ranges: [ClosedRange<Int64>]

    init?(of path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - max(0, read(descriptor, &bytes, bytes.count)))
        self.bytes = bytes
        var ranges: [ClosedRange<Int64>] = []
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == 0x0A {
            if index > start { ranges.append(Int64(start)...Int64(index - 1)) }
            start = index + 1
        }
        self.ranges = ranges
    }

    func hasASCIILetter(_ range: ClosedRange<Int64>) -> Bool {
        bytes[Int(range.lowerBound)...Int(range.upperBound)].contains { (0x61...0x7A).contains($0 | 0x20) }
    }
}
