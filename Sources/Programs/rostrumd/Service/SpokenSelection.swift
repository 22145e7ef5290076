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
        case spoken(SpokenUnit, Int)
        case page(String)
    }

    /// A place once the document is known.
    private enum Bound {
        case byte(Int)
        /// The number of sentences or paragraphs before it.
        case spoken(SpokenUnit, Int)
    }

    /// The decision about an utterance.
    enum Verdict { case skip, take, end }

    private let from: Bound?
    private let to: Bound?
    private let most: Int
    private var sentences = SpokenUnitCount(.sentence)
    private var paragraphs = SpokenUnitCount(.paragraph)
    /// The number of sentences that were taken.
    private var taken = 0
    private var isTaking = false
    /// `true` if the part ends before the text does.
    private var isOver = false

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
        case .spoken(let unit, let number): return .spoken(unit, number - 1)
        case .page(let label):
            guard let page = document.page(labelled: label) else {
                throw PlaybackError(.noInput, message: "no page \(label): \(document.pageExtent(of: name))")
            }
            return .byte(Int(page.start))
        }
    }

    /// The byte of the text from which utterances have to be looked at.
    var start: Int {
        // Sentences and paragraphs are counted from the beginning.
        if case .spoken? = to { return 0 }
        if case .byte(let byte)? = from { return byte }
        return 0
    }

    /// The reason why nothing was printed, if it is that the text of a name has no such sentence or paragraph.
    func missing(in name: String) -> String? {
        guard !isOver, case .spoken(let unit, let before)? = from, case let seen = seen(unit), seen <= before else {
            return nil
        }
        return "\(name) has only \(seen) \(unit.rawValue)\(seen == 1 ? "" : "s")"
    }

    private func seen(_ unit: SpokenUnit) -> Int {
        switch unit {
        case .sentence: sentences.count
        case .paragraph: paragraphs.count
        }
    }

    /// Decides about the next utterance; a sentence in which `from` lies is taken whole.
    mutating func verdict(_ utterance: Utterance) -> Verdict {
        paragraphs.take(utterance)
        let isNew = sentences.take(utterance)
        if isNew { isTaking = hasBegun(utterance) }
        isOver = hasEnded(utterance, isNew: isNew) || isTaking && isNew && taken >= most
        if isOver { return .end }
        guard isTaking else { return .skip }
        if isNew { taken += 1 }
        return .take
    }

    private func hasBegun(_ utterance: Utterance) -> Bool {
        switch from {
        case .byte(let byte)?: utterance.sentence.upperBound > byte
        case .spoken(let unit, let before)?: seen(unit) > before
        case nil: true
        }
    }

    private func hasEnded(_ utterance: Utterance, isNew: Bool) -> Bool {
        switch to {
        case .byte(let byte)?: isNew && utterance.sentence.lowerBound >= byte
        case .spoken(let unit, let before)?: seen(unit) > before
        case nil: false
        }
    }
}

extension SpokenSelection.Place {
    init(_ text: String) throws(PlaybackError) {
        switch try? TimeExpression(text) {
        case .byte(let byte)?: self = .byte(byte)
        case .percent(let percent)?: self = .percent(percent)
        case .chapter(let number)?: self = .chapter(number)
        case .sentence(let number)?: self = .spoken(.sentence, number)
        case .paragraph(let number)?: self = .spoken(.paragraph, number)
        case .page(let label)?: self = .page(label)
        case .absolute, .track, .relative, .sentences, .paragraphs, nil:
            throw PlaybackError(
                .usage,
                message: "bad place: \(text.isEmpty ? "empty" : text); "
                    + "give byte:1234, 50%, sentence:12, paragraph:3, ch:3 or page:7")
        }
    }
}
