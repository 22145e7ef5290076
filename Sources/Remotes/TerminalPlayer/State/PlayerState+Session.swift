// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// What the session says.
extension PlayerState {
    mutating func connected() -> [PlayerEffect] {
        session.connection = .present
        session.isCurrent = false
        return [.send(.settings(.list), .settings)] + listBooks() + pageSupplies()
    }

    mutating func lost(_ reason: String, _ now: Int64) {
        if session.status?.item == nil, let unloaded = session.unloaded, now - unloaded.at < 3000 {
            session.status = unloaded.status
            own.report(unloaded.status, at: unloaded.at)
        }
        session.connection = .absent(reason)
        own.stop(at: now)
        message = nil
        lists.books.giveUp()
        lists.clips.giveUp()
        lists.documents.giveUp()
        reading.giveUp()
        next?.startsAt = nil
    }

    mutating func take(_ status: Status, _ now: Int64) -> [PlayerEffect] {
        let before = session.status
        var effects: [PlayerEffect] = []
        if status.item == nil, var before, before.item != nil {
            before.position.ms = own.at(now)
            before.status = "paused"
            session.unloaded = (before, now)
        }
        own.report(status, at: now)
        session.status = status
        session.since = now
        defer { session.isCurrent = true }
        session.wantedRate = nil
        session.wantedVolume = nil
        if before?.item?.uri != status.item?.uri {
            // Another item: the player adopts it.
            session.contents = nil
            reading = Reading()
            picture = nil
            next = nil
            message = nil
            lists.chapters.index = status.chapter?.index ?? 0
            lists.sleep = nil
            // What was being typed was meant for the book before; the keys that follow still go to the box.
            if case .go(let text) = overlay, !text.isEmpty, before?.item != nil, session.isCurrent {
                overlay = .go("")
                message = Message(text: "Another book plays now.", isFailure: false)
            }
        }
        let hasChanged =
            session.contents?.item?.uri != status.item?.uri || before?.duration != status.duration
            || status.chapter.map { session.contents?.chapters.count != $0.count } ?? false
        if status.item != nil, status.status != "loading", hasChanged {
            effects.append(.send(.addressed(Address(owner: Self.owner), .contents), .contents))
        }
        if before?.chapter?.index != status.chapter?.index, let index = status.chapter?.index {
            lists.chapters.index = index
        }
        effects += holderChanged(status)
        // A book that had ended before the player looked is offered, and does not start by itself.
        session.hasJustEnded =
            status.status == "ended" && (session.isCurrent && before?.status != "ended" || session.hasJustEnded)
        if before?.status != "ended", status.status == "ended", let uri = status.item?.uri {
            effects.append(.send(.library(LibraryAction(.next, id: uri)), .next))
        }
        if status.status != "ended" { next = nil }
        // A text that is opened again may have changed.
        if status.status == "loading", before?.status != "loading" { reading = Reading() }
        if before.map({ $0.status == status.status }) != true, [.library, .history, .documents].contains(page) {
            effects += pageSupplies()
        }
        return effects
    }

    /// Asks who has the sound, if somebody else has taken it.
    private mutating func holderChanged(_ status: Status) -> [PlayerEffect] {
        guard status.suppression == "owner" || !status.session.active && session.holder != nil else {
            session.holder = nil
            return []
        }
        return [.send(.status, .holder)]
    }

    mutating func take(_ answer: Answer, to request: Request, _ now: Int64) -> [PlayerEffect] {
        switch answer {
        case .done:
            if request == .seek { own.answered() }
            if request == .records { return [.showRecords] }
            return page == .history ? [.send(.history(limit: 100), .history)] : []
        case .contents(let contents): session.contents = contents.bounded
        case .books(let page):
            if request == .next {
                offer(page.first, now)
                break
            }
            if let last = lists.books.take(page.map(\.bounded)) {
                return [.send(.library(LibraryAction(.list, after: last)), .books)]
            }
        case .history(let history):
            lists.history = history.bounded
            lists.jumps.move(by: 0, of: history.jumps.count)
        case .engines(let engines):
            lists.engines = engines
            lists.engine.move(by: 0, of: engines.count)
        case .sleep(let choices): lists.sleep = choices.bounded
        case .settings(let settings):
            let readAt = preferences.readAt
            preferences = Preferences(settings)
            preferences.readAt = readAt
            if let fault = preferences.keys.fault { message = Message(text: fault, isFailure: true) }
        case .clips(let clips):
            if case .clips(let first) = request { return take(clips: clips, from: first) }
        case .documents(let documents):
            switch request {
            case .documents: lists.documents.take(documents)
            case .deletedDocument:
                message = documents.first.map { Message(text: "“\($0.name)” is deleted.", isFailure: false) }
                lists.documents.giveUp()
                return listDocuments()
            default: return changed(documents.first)
            }
        case .waveform: break
        case .text(let passage):
            if case .text(let wish) = request { return take(passage, for: wish) }
        case .clip(let clip):
            lists.clips.select(clip.id)
            message = Message(text: clip.kept, isFailure: false)
        case .status(let status):
            if request == .holder {
                session.holder = status.owner == Self.owner ? nil : status.owner
            } else {
                return take(status.bounded, now)
            }
        }
        return []
    }

    mutating func refused(_ request: Request, _ error: SessionError) {
        switch request {
        // A session of an older version, or a book that is not in the library.
        case .contents, .next, .holder, .start: return
        case .seek: own.answered()
        case .text(let wish): return refusedText(wish, error)
        case .books: lists.books.giveUp()
        case .clips: lists.clips.giveUp()
        case .documents: lists.documents.giveUp()
        default: break
        }
        session.wantedRate = nil
        session.wantedVolume = nil
        // What the listener did not ask for needs no word.
        if error.code == .unavailable, request != .control, request != .seek, request != .clip { return }
        message = Message(text: error.message, isFailure: true)
    }

    // MARK: - The next book

    private mutating func offer(_ book: LibraryBook?, _ now: Int64) {
        guard let book, session.status?.status == "ended" else { return }
        next = NextBook(
            book: book, startsAt: preferences.startsNext && session.hasJustEnded ? now + NextBook.delay : nil)
    }

    /// Starts the next book if its time has come; the session does so only if nothing sounds.
    mutating func startNextIfDue(_ now: Int64) -> [PlayerEffect] {
        guard let start = next?.startsAt, let book = next?.book, now >= start else { return [] }
        next?.startsAt = nil
        // A countdown that nobody could see or stop, as on a terminal that was away, is none.
        guard now - start < 2000, session.isPresent, session.status?.status == "ended" else { return [] }
        var play = PlayParameters()
        play.items = ["library:" + book.id]
        play.owner = Self.owner
        play.ifSilent = true
        return [.send(.play(play), .start)]
    }

    /// Plays a book of the library from its place.
    mutating func play(_ book: LibraryBook) -> [PlayerEffect] {
        var play = PlayParameters()
        play.items = ["library:" + book.id]
        play.owner = Self.owner
        next = nil
        message = nil
        return [.send(.play(play), .control)]
    }

    /// Returns the requests for the lists of the page.
    mutating func pageSupplies() -> [PlayerEffect] {
        switch page {
        case .now, .text: []
        case .library: listBooks()
        case .history: [.send(.history(limit: 100), .history)]
        case .engines: [.send(.engines, .engines)]
        case .why: [.readRecords]
        case .clips: listClips()
        case .documents: listDocuments()
        }
    }

    mutating func listBooks() -> [PlayerEffect] {
        lists.books.begin() ? [.send(.library(LibraryAction(.list)), .books)] : []
    }
}
