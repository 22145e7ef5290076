// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The page of the reading list: the documents that are kept.
extension PlayerState {
    mutating func listDocuments() -> [PlayerEffect] {
        lists.documents.begin() ? [.send(.reading(ReadingAction(.list)), .documents)] : []
    }

    /// Reads a document from its place.
    mutating func read(_ document: ReadingDocumentInfo) -> [PlayerEffect] {
        if let fault = document.fault {
            message = Message(text: "“\(document.name)” cannot be read: \(fault)", isFailure: true)
            return []
        }
        var read = PlayParameters()
        read.items = ["reading:" + document.id]
        read.owner = Self.owner
        read.asText = true
        next = nil
        message = nil
        return [.send(.read(read), .control)]
    }

    /// Takes the selected document from the list, or puts it back.
    mutating func archiveDocument() -> [PlayerEffect] {
        guard let document = lists.documents.selected else { return [] }
        let verb = document.isArchived ? ReadingAction.Verb.unarchive : .archive
        return [.send(.reading(ReadingAction(verb, id: document.id)), .document)]
    }

    /// Says what became of a document, and asks for the list again.
    mutating func changed(_ document: ReadingDocumentInfo?) -> [PlayerEffect] {
        if let document {
            message = Message(
                text: document.isArchived
                    ? "“\(document.name)” is archived." : "“\(document.name)” is back on the list.",
                isFailure: false)
        }
        // One that was asked for before would not show the change.
        lists.documents.giveUp()
        return listDocuments()
    }

    func drawDocuments(_ frame: inout Frame, _ body: Range<Int>) {
        let documents = lists.documents
        let keys = preferences.keys
        func key(_ action: PlayerAction) -> String { keys.name(of: action) ?? "rostrum reading" }
        let head =
            documents.isComplete
            ? "\(documents.shown.count) documents   \(documents.filter.rawValue) (\(key(.filter)))   "
                + "Enter reads   \(key(.archive)) archives   \(key(.delete)) deletes"
            : "One moment"
        frame.screen.put(head, body.lowerBound, 2, .faint, limit: frame.columns - 4)
        let rows = body.lowerBound + 2..<body.upperBound
        guard !documents.shown.isEmpty else {
            if documents.isComplete {
                let text =
                    documents.isEmpty
                    ? "Nothing is kept to read: `rostrum read URL` and `rostrum reading add URL` keep a document."
                    : "None is \(documents.filter.rawValue)."
                frame.paragraph(text, rows.lowerBound, 2..<max(12, frame.columns - 2), rows: 2)
            }
            return
        }
        let author = max(0, (frame.columns - 30) * 2 / 5)
        let title = frame.columns - 4 - author - 12
        let playing = session.status?.item?.uri
        for (line, index) in documents.selection.window(of: documents.shown.count, rows: rows.count).enumerated() {
            let document = documents.shown[index]
            let row = rows.lowerBound + line
            let isPlaying = document.uri == playing
            let style =
                index == documents.selection.index
                ? Style.selected : isPlaying ? .strong : document.isArchived ? .faint : .plain
            frame.screen.fill(row, 1..<frame.columns - 1, " ", style)
            let mark = isPlaying ? glyphs.here : document.fault != nil ? "!" : " "
            frame.screen.put("\(mark) \(document.name)", row, 2, style, limit: title)
            frame.screen.put(document.author ?? "", row, 2 + title + 1, style, limit: author)
            frame.screen.put(document.progressText, row, endingAt: frame.columns - 2, style)
            frame.touch(row, 1..<frame.columns - 1, .document(index))
        }
    }
}
