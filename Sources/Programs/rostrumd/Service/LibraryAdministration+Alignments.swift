// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import MediaPlayback
import PairedWorks
import PassageMap
import PlaybackCore
import SessionProtocol

extension LibraryAdministration {
    /// Returns a book and the work that it and its text are.
    ///
    /// - Parameter id: The ID or the URI of a book.
    func aligned(_ id: String) async throws(PlaybackError) -> (Book, Work) {
        let book = try await book(id)
        guard let text = try await read({ () throws(PlaceStoreError) in try await works.text(of: book) }) else {
            throw PlaybackError(
                .noInput,
                message: "“\(book.title)” has no text; give it one with `rostrum library pair \(book.id) FILE`")
        }
        return (book, try await works.work(recording: book.uri, text: text))
    }

    func describe(
        _ work: Work, _ book: Book, listsUnmatched: Bool = false
    ) async throws(PlaybackError) -> LibraryWork {
        let key = await alignments.key(of: book, work.document)
        if let key { await alignments.prepare(for: key) }
        var described = LibraryWork(
            id: book.id, title: book.title, recording: book.uri, text: work.text.uri, grade: work.map.grade.rawValue,
            share: work.map.alignedShare, files: book.tracks.filter { !$0.isMissing }.map(\.file.uri),
            alignment: key.map(alignments.path), recordingIdentity: key?.recording, textIdentity: key?.text)
        // What goes on is shown even if the text or the files have changed since it began.
        var run = await alignments.running(of: book)
        if run == nil { run = await alignments.activity(of: book, work.document) }
        described.run = run.map { AlignmentReport($0) }
        if listsUnmatched, let alignment = await alignments.alignment(of: book, work.document) {
            let all = alignment.unmatched.filter { work.present.contains($0.track) }
            let listed = await alignments.withWords(
                Array(all.prefix(LibraryWork.mostUnmatched)), of: work.document)
            described.unmatched = listed.compactMap { passage in
                work.present.firstIndex(of: passage.track).map { LibraryWork.Unmatched(passage, file: $0) }
            }
            if all.count > LibraryWork.mostUnmatched {
                described.unmatchedLeftOut = all.count - LibraryWork.mostUnmatched
            }
        }
        return described
    }

    /// Ends the alignment of a book that another process makes, and says so.
    ///
    /// - Parameter id: The ID or the URI of a book.
    func stopAlignment(_ id: String) async throws(PlaybackError) -> String {
        let book = try await book(id)
        var found = try await alignments.end(of: book)
        // Only the text tells whether a process that does not say its book is the one; it may be gone, or another by now.
        if found == nil, await alignments.isAnyOfUnknownBook() {
            let (_, work) = try await aligned(id)
            found = try await alignments.end(of: book, work.document)
        }
        guard let ended = found else {
            return "“\(book.title)” is not being aligned"
        }
        let percent = Int((ended.share * 100).rounded(.down))
        return
            "the alignment of “\(book.title)” is stopped, \(percent) % done; `rostrum align \(book.id)` goes on there"
    }
}

extension LibraryWork.Unmatched {
    fileprivate init(_ passage: UnmatchedPassage, file: Int) {
        self.init(
            kind: passage.kind.rawValue, file: file, startMs: passage.sound.lowerBound,
            endMs: passage.sound.upperBound, startByte: passage.text?.lowerBound, endByte: passage.text?.upperBound,
            words: passage.words)
    }
}

extension AlignmentReport {
    init(_ activity: AlignmentActivity) {
        self.init(state: "", share: activity.share, begunAt: activity.begunAt, endedAt: activity.endedAt)
        switch activity.state {
        case .running(let process): (state, self.process) = ("running", process)
        case .stopped: state = "stopped"
        case .interrupted: state = "interrupted"
        case .failed(let failure):
            state = "failed"
            self.failure = Failure(kind: failure.kind.rawValue, message: failure.message)
        }
    }
}
