// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore
import SpeechAlignment
import SpeechScript

/// The text, which an engine speaks as fast as it can, passage by passage.
final class SpokenPassages {
    private let content: Content
    private let script: ScriptFileReader
    private let name: String
    private let voice: String?
    private let reader: SoundReader
    private var cursor: ScriptFileReader.Cursor
    /// The passage whose sound comes, and the one behind it.
    private var current: Utterance?
    private var following: Utterance?
    private var blocks: [SoundReader.Block] = []
    private var isOver = false
    let size: Int

    /// Reads a document in a process of its own, and starts the engine.
    init(_ path: String, engine: String, voice: String?, _ engines: AlignEngines) async throws(AlignFailure) {
        name = String(path.split(separator: "/").last ?? "text")
        self.voice = voice
        let document: TextDocument
        do throws(ItemError) {
            document = try await engines.documents.read(.file(path: path), name: name)
            try await document.finish()
        } catch { throw AlignFailure(error) }
        for warning in document.warnings { AlignProgram.write(STDERR_FILENO, "rostrum: \(warning)\n") }
        do throws(ScriptFileError) {
            script = try ScriptFileReader(descriptor: document.script.rawValue)
            cursor = try script.cursor()
        } catch { throw AlignFailure("\(name): \(error.message)", 65) }
        size = script.textSize
        guard script.count > 0 else { throw AlignFailure("\(name): there is nothing to speak in it", 65) }
        var content = Content(
            uri: "text:" + name, kind: .text, tracks: [.descriptor(document.text, name: name)], title: name,
            language: script.language)
        content.document = document
        self.content = content
        do throws(EngineError) { reader = SoundReader(try await engines.start(engine)) } catch {
            throw AlignFailure(error)
        }
    }

    /// Speaks from the first passage at or behind a byte of the text.
    func begin(at place: Int) async throws(AlignFailure) {
        guard let index = try utterances({ () throws(ScriptFileError) in try script.index(at: place) }) else {
            isOver = true
            return
        }
        cursor = try utterances { () throws(ScriptFileError) in try script.cursor(at: index) }
        current = try utterances { () throws(ScriptFileError) in try cursor.next() }
        following = try utterances { () throws(ScriptFileError) in try cursor.next() }
        guard let current else { return }
        do throws(EngineError) {
            _ = try await reader.load(
                content, at: MediaPosition(track: 0, units: Int64(current.range.lowerBound)), voice: voice)
        } catch { throw AlignFailure(error) }
    }

    private func utterances<Value>(_ body: () throws(ScriptFileError) -> Value) throws(AlignFailure) -> Value {
        do throws(ScriptFileError) { return try body() } catch {
            throw AlignFailure("\(name): \(error.message)", 65)
        }
    }

    /// Returns the next passage with its sound; `nil` at the end of the text.
    func next() async throws(AlignFailure) -> SpokenPassage? {
        var sound: [Float] = []
        var rate = 0
        while let passage = current {
            while let block = blocks.first {
                // A block belongs to one word, and begins where the one before it ended.
                if let behind = following,
                    block.position >= behind.range.lowerBound || block.end > behind.range.lowerBound
                {
                    current = behind
                    following = try utterances { () throws(ScriptFileError) in try cursor.next() }
                    return SpokenPassage(passage.range, samples: Self.converted(sound, rate))
                }
                rate = block.sampleRate
                // The sound of a passage is bounded, whatever an engine makes of it.
                if sound.count < 300 * rate { sound += block.samples }
                blocks.removeFirst()
            }
            guard !isOver else {
                current = nil
                return SpokenPassage(passage.range, samples: Self.converted(sound, rate))
            }
            do throws(EngineError) {
                let portion = try await reader.read(frames: 1 << 16)
                blocks = portion.blocks
                isOver = portion.isEnd
            } catch { throw AlignFailure(error) }
        }
        return nil
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

    func shutDown() async { await reader.shutDown() }
}
