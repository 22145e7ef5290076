// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SpeechScript

/// Passages of texts: whole sentences, unless the listener names bytes.
extension ClipSource {
    private static let longestRead = Duration.seconds(3)

    /// One end of a passage, as the listener named it.
    struct TextEnd: Sendable {
        var byte: Int64
        /// `true` if no sentence moves it.
        var isExact: Bool
    }

    /// Returns the place in a text that a time, or a step by sentences or paragraphs, leads to.
    func textEnd(
        _ text: String, from now: MediaPosition, in document: TextDocument
    ) async throws(PlaybackError) -> TextEnd {
        switch try? TimeExpression(text, relativeAllowed: true) {
        case .byte(let byte):
            if let size = timeline.tracks.first?.duration, byte > size {
                throw PlaybackError(.noInput, message: "“\(title)” has only \(size) bytes")
            }
            return TextEnd(byte: byte, isExact: true)
        case .page(let label):
            guard let page = document.page(labelled: label) else {
                throw PlaybackError(.noInput, message: "no page \(label): \(document.pageExtent(of: title))")
            }
            return TextEnd(byte: page.start, isExact: false)
        case .sentence(let number): return try await spoken(.sentence, number, in: document)
        case .paragraph(let number): return try await spoken(.paragraph, number, in: document)
        case .sentences(let steps): return try await step(steps, .sentence, from: now, in: document)
        case .paragraphs(let steps): return try await step(steps, .paragraph, from: now, in: document)
        default:
            let target = try SeekTarget(text, relativeAllowed: true, isText: true)
            guard let place = timeline.position(of: target, from: now) else {
                throw PlaybackError(.noInput, message: "no place \(text) in “\(title)”")
            }
            return TextEnd(byte: place.units, isExact: false)
        }
    }

    private func spoken(
        _ unit: SpokenUnit, _ number: Int, in document: TextDocument
    ) async throws(PlaybackError) -> TextEnd {
        TextEnd(byte: try await document.start(of: unit, number: number, in: title), isExact: false)
    }

    private func step(
        _ steps: Int, _ unit: SpokenUnit, from now: MediaPosition, in document: TextDocument
    ) async throws(PlaybackError) -> TextEnd {
        let place = try await reading(document) { script throws(ScriptFileError) in
            try TextSteps(script, by: unit).place(steps, from: Int(clamping: now.units))
        }
        // Behind the last sentence is the end.
        let end = steps > 0 ? timeline.tracks.first?.duration : nil
        guard let byte = place.map(Int64.init) ?? end else {
            throw PlaybackError(.noInput, message: "“\(title)” has no sentence there")
        }
        return TextEnd(byte: byte, isExact: false)
    }

    /// Returns the passage between two ends with its words, in whole sentences.
    func passage(
        from start: TextEnd, to end: TextEnd, in document: TextDocument
    ) async throws(PlaybackError) -> (bounds: ClipBounds, quote: ClipQuote) {
        let range = try await reading(document) { script throws(ScriptFileError) in
            let sentences = SentenceBounds(script)
            let first = start.isExact ? start.byte : try sentences.start(at: start.byte)
            let last = end.isExact ? end.byte : try sentences.end(at: max(end.byte, first), behind: first)
            return first..<max(first, last)
        }
        guard let bounds = ClipBounds(ofText: range) else {
            throw PlaybackError(
                .usage, message: "no such passage in “\(title)”: give a start before the end, within the text")
        }
        guard range.count <= ClipQuote.longest else {
            throw PlaybackError(
                .usage,
                message: "a quote has at most \(ClipQuote.longest >> 10) KiB: give an --end nearer to the --start")
        }
        let quote = await BlockingQueue(label: "rostrum.quote").run(within: Self.longestRead) {
            ClipQuote(range, in: document)
        }
        guard let quote = quote.flatMap(\.self) else {
            throw PlaybackError(.io, message: "the text of “\(title)” cannot be read there; try again")
        }
        return (bounds, quote)
    }

    private func reading<Value: Sendable>(
        _ document: TextDocument, _ work: @escaping @Sendable (ScriptFileReader) throws(ScriptFileError) -> Value
    ) async throws(PlaybackError) -> Value {
        do throws(ItemError) {
            return try await document.read(within: Self.longestRead, work)
        } catch {
            throw PlaybackError(.io, message: "“\(title)”: \(error.message)")
        }
    }
}

/// The sentences in which places of a text lie.
struct SentenceBounds {
    private let script: ScriptFileReader

    init(_ script: ScriptFileReader) { self.script = script }

    /// Returns the beginning of the sentence in which a byte lies, or else of the next one; the byte if none follows.
    func start(at byte: Int64) throws(ScriptFileError) -> Int64 {
        guard let index = try script.index(at: Int(clamping: byte)), let utterance = try script.utterance(index) else {
            return byte
        }
        return Int64(utterance.sentence.lowerBound)
    }

    /// Returns the end of the sentence in which the bytes before a place lie, but of one that begins at `first` or later.
    func end(at byte: Int64, behind first: Int64) throws(ScriptFileError) -> Int64 {
        var index = try script.index(at: Int(clamping: byte)) ?? script.count
        while index >= 0 {
            guard let utterance = try script.utterance(index) else {
                index -= 1
                continue
            }
            let sentence = utterance.sentence
            // The sentence that begins at the place does not belong to the passage, unless it is all of it.
            if Int64(sentence.lowerBound) < byte || Int64(sentence.lowerBound) <= first {
                return Int64(sentence.upperBound)
            }
            index -= 1
        }
        return byte
    }
}
