// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// The plain player's words: a line for each change that a listener would want to hear, and none for the passing of time.
public struct PlainNarrator: Sendable {
    private var last: Status?
    private var books: [LibraryBook] = []

    public init() {}

    /// Returns the lines for what differs from the status before.
    public mutating func lines(for status: Status) -> [String] {
        let status = status.bounded
        defer { last = status }
        var lines: [String] = []
        if last == nil || status.item?.uri != last?.item?.uri || status.item?.title != last?.item?.title {
            lines.append(status.item?.heading ?? "Nothing is loaded.")
        }
        if let chapter = status.chapter, chapter.index != last?.chapter?.index || status.item?.uri != last?.item?.uri {
            lines.append("Chapter \(chapter.index + 1) of \(chapter.count)" + (chapter.title.map { ": \($0)" } ?? ""))
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

    /// Returns where playback is, as `where` says it; `position` is in ms.
    public func place(_ status: Status, position: Int64?) -> [String] {
        guard let item = status.item else { return ["Nothing is loaded."] }
        var lines = [item.heading, Self.state(status)]
        if let chapter = status.chapter {
            lines.append("Chapter \(chapter.index + 1) of \(chapter.count)" + (chapter.title.map { ": \($0)" } ?? ""))
        }
        lines.append(
            "\(clockText(position)) of \(clockText(status.duration.ms)), speed \(rateText(status.rate)), volume \(percentText(status.volume))"
        )
        return lines.map(\.printable)
    }

    private static func state(_ status: Status) -> String {
        switch status.suppression {
        case "interruption"? where status.intent == "play": "Held: a call or another program has the sound."
        case "routeLost"? where status.intent == "play": "Held: the headphones or the device went away."
        case "sleep"? where status.intent == "play": "Held: the sleep timer has ended."
        case "owner"?: "Held: another player has the sound."
        default: status.status.prefix(1).uppercased() + status.status.dropFirst() + "."
        }
    }

    /// Takes the books of a list, and returns them with the numbers by which `play` knows them.
    public mutating func list(_ books: [LibraryBook], matching words: String) -> [String] {
        let words = words.folded.split(separator: " ")
        self.books = books.filter { book in
            let text = (book.title + " " + (book.author ?? "")).folded
            return words.allSatisfy { text.contains($0) }
        }
        guard !self.books.isEmpty else { return ["No such book."] }
        return self.books.enumerated().map { index, book in
            let author = book.author.map { ", \($0)" } ?? ""
            let progress = book.progress.map { ", \(Int($0 * 100)) percent heard" } ?? ""
            return "\(index + 1): \(book.title)\(author)\(progress)".printable
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
