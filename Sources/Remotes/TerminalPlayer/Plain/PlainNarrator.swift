// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// The plain player's words: a line for each change that a listener would want to hear, and none for the passing of time.
///
/// Times are monotonic, in ms.
public struct PlainNarrator: Sendable {
    private var last: Status?
    private var own = OwnPosition()
    private var search = ""
    private var books: [LibraryBook] = []
    private var list = BookList()
    /// `nil` unless the listener wants to read along.
    private var heard: HeardSentences?

    public init() {}

    /// `false` until a session has said anything.
    public var hasStatus: Bool { last != nil }

    /// Returns `true` if a status says that the book has ended, and the one before did not.
    public func hasEnded(with status: Status) -> Bool {
        last.map { $0.status != "ended" && status.status == "ended" } ?? false
    }

    /// Returns the lines for what differs from the status before.
    public mutating func lines(for status: Status, at now: Int64) -> [String] {
        let status = status.bounded
        own.report(status, at: now)
        defer { last = status }
        var lines: [String] = []
        let isOther = last == nil || status.item?.uri != last?.item?.uri
        if isOther || status.item?.title != last?.item?.title {
            lines.append(status.item?.heading ?? "Nothing is loaded.")
        }
        if let chapter = status.chapter, chapter.index != last?.chapter?.index || isOther {
            lines.append(Self.chapter(chapter))
        }
        if status.status != last?.status || status.suppression != last?.suppression, status.item != nil {
            lines.append(Self.state(status))
        }
        if let last, status.rate != last.rate { lines.append("Speed \(rateText(status.rate))") }
        if let last, status.volume != last.volume { lines.append("Volume \(percentText(status.volume))") }
        if status.error?.message != last?.error?.message, let error = status.error {
            lines.append("Error: \(error.message)")
        }
        if status.warning != last?.warning, let warning = status.warning { lines.append("Warning: \(warning)") }
        return lines.map(\.printable)
    }

    /// Returns where playback is, as `where` says it.
    public func place(at now: Int64) -> [String] {
        guard let status = last, let item = status.item else { return ["Nothing is loaded."] }
        var lines = [item.heading, Self.state(status)]
        if let chapter = status.chapter { lines.append(Self.chapter(chapter)) }
        lines.append(
            "\(clockText(own.at(now))) of \(clockText(status.duration.ms)), speed \(rateText(status.rate)), "
                + "volume \(percentText(status.volume))")
        return lines.map(\.printable)
    }

    /// Returns the chapters of what is loaded.
    public func chapters(_ contents: ItemContents) -> [String] {
        guard !contents.chapters.isEmpty else { return ["No chapters."] }
        return contents.bounded.chapters.map {
            "\($0.index + 1): \($0.title ?? "Chapter"), at \(clockText($0.startMs))".printable
        }
    }

    /// The bytes of a text that ``sentences(_:)`` is about.
    public static let textLimit = 8192
    /// The sentences that are said at a time.
    private static let mostSentences = 3

    /// Returns the sentence that is heard and the ones behind it, each as a line.
    public func sentences(_ passage: TextPassage, at now: Int64) -> [String] {
        guard (passage.recording?.uri ?? passage.uri) == last?.item?.uri, let text = DisplayedText(passage),
            let heard = text.isOfRecording
                ? own.at(now).flatMap({ text.sentence(atMs: $0)?.lowerBound }) : last?.text?.offset
        else { return ["Nothing has been read yet."] }
        var ranges = Array(text.sentences.filter { $0.upperBound > heard }.prefix(Self.mostSentences))
        // An engine that finds sentences itself: the rest of the line.
        if ranges.isEmpty { ranges = [text.word(at: heard)..<text.end] }
        if text.sentences.isEmpty, let first = ranges.first {
            let rest = text.bytes[Int(clamping: first.lowerBound - text.offset)...]
            ranges = [first.lowerBound..<first.lowerBound + Int64(rest.prefix { $0 != 0x0A && $0 != 0x0D }.count)]
        }
        return ranges.compactMap { text.words($0) }
    }

    // MARK: - Reading along

    /// Begins or ends to say each sentence as it is heard.
    public mutating func follow(_ isOn: Bool) -> [String] {
        heard = isOn ? heard ?? HeardSentences() : nil
        return [isOn ? "Each sentence is printed as it is heard." : "Sentences are no longer printed."]
    }

    /// Returns the sentence that is heard now, unless it was said before, and what is to be asked for.
    public mutating func following(at now: Int64) -> (lines: [String], commands: [(SessionCommand, Request)]) {
        guard heard != nil else { return ([], []) }
        let (sentence, request) = heard?.hear(last, own, at: now) ?? (nil, nil)
        var commands: [(SessionCommand, Request)] = []
        func ask(_ command: SessionCommand, _ purpose: Request) {
            commands.append((.addressed(Address(owner: PlayerState.owner), command), purpose))
        }
        if let request { ask(.text(request), .text(.follow)) }
        if heard?.asksForPlace(last, at: now) == true { ask(.status, .status) }
        return ([sentence].compactMap(\.self), commands)
    }

    /// Takes the text that is followed, or the reason why there is none.
    public mutating func take(followed result: Result<TextPassage, SessionError>) {
        switch result {
        case .success(let passage): heard?.take(passage)
        case .failure(let error): heard?.fail(error.message)
        }
    }

    /// Takes note that more sentences of the text that is followed are known.
    public mutating func learn(_ progress: TextProgress) { heard?.learn(progress) }

    /// Returns the ms until there may be another sentence; `nil` if nothing is followed.
    public func nextChange(_ now: Int64) -> Int64? { heard?.nextChange(last, own, at: now) }

    /// Returns the jumps, the newest last.
    public func jumps(_ history: History) -> [String] {
        guard !history.jumps.isEmpty else { return ["No jumps."] }
        return history.bounded.jumps.reversed().map {
            "\($0.cause): \(clockText($0.from.ms)) to \(clockText($0.to.ms)), \($0.from.title)".printable
        }
    }

    private static func chapter(_ chapter: Status.Chapter) -> String {
        "Chapter \(chapter.index + 1) of \(chapter.count)" + (chapter.title.map { ": \($0)" } ?? "")
    }

    private static func state(_ status: Status) -> String {
        switch status.suppression {
        case "interruption"? where status.intent == "play": "Held: a call or another program has the sound."
        case "routeLost"? where status.intent == "play" && status.session.lost == true:
            "Held: the sound server is gone. It goes on by itself."
        case "routeLost"? where status.intent == "play": "Held: the headphones or the device went away."
        case "sleep"? where status.intent == "play": "Held: the sleep timer has ended."
        case "owner"?: "Held: another player has the sound."
        default: status.status.prefix(1).uppercased() + status.status.dropFirst() + "."
        }
    }

    // MARK: - Books

    /// Begins to list the books that match words; `false` if a list is being read already, to which they then apply.
    public mutating func beginList(matching words: String) -> Bool {
        search = words
        return list.begin()
    }

    /// Takes a page of the list; the one after it begins after the returned book.
    public mutating func takeList(_ page: [LibraryBook]) -> String? { list.take(page.map(\.bounded)) }

    public mutating func giveUpList() { list.giveUp() }

    /// Returns the books of the list with the numbers by which `play` knows them.
    public mutating func listed() -> [String] {
        while list.order != .title { list.nextOrder() }
        list.search(for: search)
        books = list.shown
        guard !books.isEmpty else { return ["No such book."] }
        return books.enumerated().map { index, book in
            let author = book.author.map { ", \($0)" } ?? ""
            let progress = book.progress.map { ", \(Int($0 * 100)) percent heard" } ?? ""
            let text = book.text == nil ? "" : ", with its text"
            return "\(index + 1): \(book.title)\(author)\(text)\(progress)".printable
        }
    }

    /// Offers the book that follows, by a number.
    public mutating func offer(_ book: LibraryBook) -> [String] {
        books = [book]
        return ["The next book is \(book.title). play 1 plays it.".printable]
    }

    /// The book with a number of the list that was shown last.
    public func book(_ number: Int) -> LibraryBook? {
        (1...max(1, books.count)).contains(number) ? books.dropFirst(number - 1).first : nil
    }
}
