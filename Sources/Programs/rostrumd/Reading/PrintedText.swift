// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback
import PlaybackCore
import ReadingText
import SessionProtocol
import SpeechScript

/// The words of a document as `rostrum text` prints them.
struct PrintedText {
    enum Form {
        /// Only the words, with an empty line between blocks.
        case plain
        /// The bytes of the reading text, the kind of the block, and the words.
        case spans
        /// The words, with sounds where they are said, and behind them the pronunciations that were applied.
        case said
        case json
    }

    private let form: Form
    private var selection: SpokenSelection
    private var output = TextOutput()
    private var block: Int?
    private var isAtStart = true

    init(form: Form, _ selection: SpokenSelection) {
        self.form = form
        self.selection = selection
    }

    /// Writes the utterances that are wanted, those of a long document as they are made.
    mutating func write(_ document: TextDocument, _ name: String) async throws(PlaybackError) {
        var end = selection.start
        repeat {
            do throws(ItemError) {
                try await document.reach(Int64(end))
            } catch {
                throw PlaybackError(error)
            }
            do throws(ScriptFileError) {
                end = try write(ScriptFileReader(descriptor: document.script.rawValue), from: end)
            } catch {
                throw PlaybackError(.badContent, message: "\(name): \(error.message)")
            }
        } while output.isOpen && end < .max
        if form == .said {
            for line in document.pronunciations { output.write(Array("  \(line)\n".utf8)) }
            output.flush()
        }
        if let missing = selection.missing(in: name) { throw PlaybackError(.noInput, message: missing) }
    }

    /// Writes the utterances from a byte of the text on that have been made; returns the byte behind them, or the largest
    /// number if no more are wanted.
    private mutating func write(_ script: ScriptFileReader, from start: Int) throws(ScriptFileError) -> Int {
        let members = form == .json ? try script.members() : []
        guard var index = try script.index(at: start) else { return .max }
        if isAtStart { index = try TextSteps(script, by: .sentence).first(of: index) }
        isAtStart = false
        var cursor = try script.cursor(at: index)
        var left = script.count - index
        while left > 0, let utterance = try cursor.next() {
            left -= 1
            switch selection.verdict(utterance) {
            case .skip: continue
            case .take: try write(utterance, script, members)
            case .end:
                output.flush()
                return .max
            }
            guard output.isOpen else { return .max }
        }
        output.flush()
        return script.isWhole ? .max : script.end
    }

    private mutating func write(
        _ utterance: Utterance, _ script: ScriptFileReader, _ members: [String]
    ) throws(ScriptFileError) {
        switch form {
        case .json: output.write(try SpokenLine(utterance, script, members).encoded)
        case .plain, .said:
            output.write(Array((block.map { $0 != utterance.block } == true ? "\n" : "").utf8))
            let words = form == .said ? utterance.spokenWithSounds : utterance.spoken
            output.write(Array(words.utf8) + [0x0A])
        case .spans:
            let kind = try script.block(utterance.block)?.kind.rawValue ?? "paragraph"
            let head = "\(utterance.range.lowerBound)-\(utterance.range.upperBound)\t\(kind)\t"
            // A line is one utterance, and has three columns.
            output.write(Array(head.utf8) + utterance.spoken.utf8.map { $0 < 0x20 ? 0x20 : $0 } + [0x0A])
        }
        block = utterance.block
    }
}

extension Utterance {
    /// The words that are said, with sounds in place of the words for which they stand.
    fileprivate var spokenWithSounds: String {
        var bytes = Array(spoken.utf8)
        for word in words.reversed() {
            guard let phonemes = word.phonemes, bytes.indices.contains(word.spoken.lowerBound),
                word.spoken.upperBound <= bytes.count
            else { continue }
            bytes.replaceSubrange(word.spoken, with: Array("[[\(phonemes)]]".utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The standard output, until its reader closes it.
private struct TextOutput {
    private(set) var isOpen = true
    private var waiting: [UInt8] = []
    private static let most = 1 << 16

    mutating func write(_ bytes: [UInt8]) {
        waiting += bytes
        if waiting.count >= Self.most { flush() }
    }

    mutating func flush() {
        var rest = waiting[...]
        waiting = []
        while isOpen, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isOpen = false
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
