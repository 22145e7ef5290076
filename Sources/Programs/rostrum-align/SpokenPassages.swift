// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore
import SpeechAlignment
import SpeechScript

/// The text, which an engine speaks as fast as it can, passage by passage.
///
/// How an engine speaks may depend on what it spoke before (eSpeak NG's pitch flutters, and its breath is random). So each
/// stretch of passages is spoken by a process of its own, from the beginning of the stretch on, wherever one begins: an
/// alignment that goes on hears what it would have heard.
final class SpokenPassages {
    /// The passages that one process speaks: about four minutes.
    private static let stretch = 64

    private let content: Content
    private let script: ScriptFileReader
    private let name: String
    private let engine: String
    private let voice: String?
    private let engines: AlignEngines
    private var reader: SoundReader?
    private var cursor: ScriptFileReader.Cursor
    /// The passage whose sound comes, its index in the script, and the one behind it.
    private var current: Utterance?
    private var index = 0
    private var following: Utterance?
    /// The index of the first passage that is wanted.
    private var wanted = 0
    private var blocks: [SoundReader.Block] = []
    private var isOver = false
    let size: Int

    /// Reads a document in a process of its own.
    init(_ path: String, engine: String, voice: String?, _ engines: AlignEngines) async throws(AlignmentFailure) {
        name = String(path.split(separator: "/").last ?? "text")
        (self.engine, self.voice, self.engines) = (engine, voice, engines)
        let document: TextDocument
        do throws(ItemError) {
            document = try await engines.documents.read(.file(path: path), name: name)
            try await document.finish()
        } catch { throw AlignmentFailure(error) }
        for warning in document.warnings { AlignProgram.write(STDERR_FILENO, "rostrum: \(warning)\n") }
        do throws(ScriptFileError) {
            script = try ScriptFileReader(descriptor: document.script.rawValue)
            cursor = try script.cursor()
        } catch { throw AlignmentFailure(.content, "\(name): \(error.message)") }
        size = script.textSize
        guard script.count > 0 else { throw AlignmentFailure(.content, "\(name): there is nothing to speak in it") }
        var content = Content(
            uri: "text:" + name, kind: .text, tracks: [.descriptor(document.text, name: name)], title: name,
            language: script.language)
        content.document = document
        self.content = content
    }

    /// Speaks from the first passage at or behind a byte of the text.
    func begin(at place: Int) async throws(AlignmentFailure) {
        guard let index = try utterances({ () throws(ScriptFileError) in try script.index(at: place) }) else {
            current = nil
            return
        }
        wanted = index
        try await speak(from: index / Self.stretch * Self.stretch)
    }

    /// Has a new process of the engine speak from a passage on.
    private func speak(from first: Int) async throws(AlignmentFailure) {
        index = first
        cursor = try utterances { () throws(ScriptFileError) in try script.cursor(at: first) }
        current = try utterances { () throws(ScriptFileError) in try cursor.next() }
        following = try utterances { () throws(ScriptFileError) in try cursor.next() }
        (blocks, isOver) = ([], false)
        guard let current else { return }
        await reader?.shutDown()
        do throws(EngineError) {
            let reader = SoundReader(try await engines.start(engine))
            self.reader = reader
            _ = try await reader.load(
                content, at: MediaPosition(track: 0, units: Int64(current.range.lowerBound)), voice: voice)
        } catch { throw AlignmentFailure(error) }
    }

    private func utterances<Value>(_ body: () throws(ScriptFileError) -> Value) throws(AlignmentFailure) -> Value {
        do throws(ScriptFileError) { return try body() } catch {
            throw AlignmentFailure(.content, "\(name): \(error.message)")
        }
    }

    /// Returns the next passage with its sound; `nil` at the end of the text.
    func next() async throws(AlignmentFailure) -> SpokenPassage? {
        while let passage = try await spoken() {
            if index > wanted { return passage }
        }
        return nil
    }

    /// Returns the current passage with its sound, and moves behind it.
    private func spoken() async throws(AlignmentFailure) -> SpokenPassage? {
        guard let passage = current else { return nil }
        var sound: [Float] = []
        var rate = 0
        while !(isOver && blocks.isEmpty) {
            while let block = blocks.first {
                // A block belongs to one word, and begins where the one before it ended.
                if let following,
                    block.position >= following.range.lowerBound || block.end > following.range.lowerBound
                {
                    try await advance()
                    return SpokenPassage(passage.range, samples: Self.converted(sound, rate))
                }
                rate = block.sampleRate
                // The sound of a passage is bounded, whatever an engine makes of it.
                if sound.count < 300 * rate { sound += block.samples }
                blocks.removeFirst()
            }
            guard !isOver, let reader else { break }
            do throws(EngineError) {
                let portion = try await reader.read(frames: 1 << 16)
                blocks = portion.blocks
                isOver = portion.isEnd
            } catch { throw AlignmentFailure(error) }
        }
        current = nil
        index += 1
        return SpokenPassage(passage.range, samples: Self.converted(sound, rate))
    }

    private func advance() async throws(AlignmentFailure) {
        if (index + 1) % Self.stretch == 0 { return try await speak(from: index + 1) }
        index += 1
        current = following
        following = try utterances { () throws(ScriptFileError) in try cursor.next() }
    }

    private static func converted(_ sound: [Float], _ rate: Int) -> [Float] {
        guard !sound.isEmpty, rate != 16_000 else { return sound }
        return SampleRateConverter(from: rate).convert(sound, isEnd: true)
    }

    /// The bytes of what is spoken and has no match.
    func unmatchedBytes(_ alignment: Alignment) -> Int {
        var bytes = alignment.sentences.reduce(0) { $0 + ($1.isMatched ? 0 : $1.range.count) }
        let end = alignment.state?.text ?? 0
        guard let index = try? script.index(at: end), var cursor = try? script.cursor(at: index) else { return bytes }
        while let utterance = try? cursor.next() {
            if utterance.range.lowerBound >= end { bytes += utterance.range.count }
        }
        return bytes
    }

    func shutDown() async { await reader?.shutDown() }
}
