// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore
import SessionProtocol
import SpeechScript

/// The part of a document that `rostrum text` prints.
struct SpokenSelection {
    /// A place in a text, as the listener names it.
    enum Place: Hashable {
        case byte(Int64)
        case percent(Double)
        /// These count from 1.
        case chapter(Int)
        case sentence(Int)
        case page(String)
    }

    /// A place once the document is known.
    private enum Bound {
        case byte(Int)
        /// The number of sentences before it.
        case sentence(Int)
    }

    /// The decision about an utterance.
    enum Verdict { case skip, take, end }

    private let from: Bound?
    private let to: Bound?
    private let most: Int
    /// The sentences that were seen, and those that were taken.
    private var seen = 0
    private var taken = 0
    /// The beginning of the last sentence that was seen.
    private var last: Int?
    private var isTaking = false

    init(
        from: Place? = nil, to: Place? = nil, count: Int? = nil, of document: TextDocument, named name: String
    ) throws(PlaybackError) {
        self.from = try from.map { place throws(PlaybackError) in try Self.bound(place, document, name) }
        self.to = try to.map { place throws(PlaybackError) in try Self.bound(place, document, name) }
        most = count ?? .max
    }

    private static func bound(
        _ place: Place, _ document: TextDocument, _ name: String
    ) throws(PlaybackError) -> Bound {
        let size: Int
        do throws(ScriptFileError) {
            size = try ScriptFileReader(descriptor: document.script.rawValue).textSize
        } catch {
            throw PlaybackError(.io, message: "\(name): \(error.message)")
        }
        switch place {
        case .byte(let byte):
            guard byte <= size else { throw PlaybackError(.noInput, message: "\(name) has only \(size) bytes of text") }
            return .byte(Int(byte))
        case .percent(let percent): return .byte(Int(Double(size) * min(max(percent, 0), 100) / 100))
        case .chapter(let number):
            guard document.sections.indices.contains(number - 1) else {
                throw PlaybackError(
                    .noInput, message: "no chapter \(number): \(name) has \(document.sections.count)")
            }
            return .byte(Int(document.sections[number - 1].start))
        case .sentence(let number): return .sentence(number - 1)
        case .page(let label):
            guard let page = document.page(labelled: label) else {
                throw PlaybackError(.noInput, message: "no page \(label): \(document.pageExtent(of: name))")
            }
            return .byte(Int(page.start))
        }
    }

    /// The byte of the text from which utterances have to be looked at.
    var start: Int {
        // Sentences are counted from the beginning.
        if case .sentence? = to { return 0 }
        if case .byte(let byte)? = from { return byte }
        return 0
    }

    /// `true` if something was printed, or nothing need have been.
    var isInText: Bool {
        if case .sentence(let before)? = from { return seen > before }
        return true
    }

    /// The number of sentences that were seen.
    var sentences: Int { seen }

    /// Decides about the next utterance; a sentence in which `from` lies is taken whole.
    mutating func verdict(_ utterance: Utterance) -> Verdict {
        let isNew = last != utterance.sentence.lowerBound
        if isNew {
            last = utterance.sentence.lowerBound
            seen += 1
            isTaking = hasBegun(utterance)
        }
        if hasEnded(utterance, isNew: isNew) { return .end }
        guard isTaking else { return .skip }
        if isNew {
            guard taken < most else { return .end }
            taken += 1
        }
        return .take
    }

    private func hasBegun(_ utterance: Utterance) -> Bool {
        switch from {
        case .byte(let byte)?: utterance.sentence.upperBound > byte
        case .sentence(let before)?: seen > before
        case nil: true
        }
    }

    private func hasEnded(_ utterance: Utterance, isNew: Bool) -> Bool {
        switch to {
        case .byte(let byte)?: isNew && utterance.sentence.lowerBound >= byte
        case .sentence(let before)?: seen > before
        case nil: false
        }
    }
}

extension SpokenSelection.Place {
    private static let mostSentences = 1_000_000_000

    init(_ text: String) throws(PlaybackError) {
        // A sign would be a move.
        if text.hasPrefix("sentence:"), text.dropFirst(9).first?.isNumber == true, let number = Int(text.dropFirst(9)),
            (1...Self.mostSentences).contains(number)
        {
            self = .sentence(number)
            return
        }
        switch try? TimeExpression(text) {
        case .byte(let byte)?: self = .byte(byte)
        case .percent(let percent)?: self = .percent(percent)
        case .chapter(let number)?: self = .chapter(number)
        case .page(let label)?: self = .page(label)
        case .absolute, .track, .relative, .sentences, .paragraphs, nil:
            throw PlaybackError(
                .usage,
                message: "bad place: \(text.isEmpty ? "empty" : text); give byte:1234, 50%, sentence:12, ch:3 or page:7"
            )
        }
    }
}
