// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// What the listener presses.
extension PlayerState {
    mutating func handle(_ key: TerminalKey, _ now: Int64) -> [PlayerEffect] {
        message = nil
        if sofa != nil { return handleOnSofa(key, now) }
        if overlay != nil { return handleOverlay(key, now) }
        if page == .library, lists.books.isSearching { return handleSearch(key) }
        if page == .text, reading.search.isTyping { return handleTextSearch(key) }
        if !preferences.keys.isChosen(key), let effects = handleList(key, now) { return effects }
        if let action = preferences.keys.action(of: key) { return perform(action, now) }
        if key == .tab { return show(Page(rawValue: (page.rawValue + 1) % Page.allCases.count) ?? .now) }
        return []
    }

    /// Takes pasted text where text is typed; elsewhere its letters are no keys.
    mutating func paste(_ text: String, _ now: Int64) -> [PlayerEffect] {
        let line = text.printable
        if sofa == nil, overlay == nil, page == .library, lists.books.isSearching {
            lists.books.search(for: lists.books.search + String(line.prefix(200)))
        } else if sofa == nil, case .go(let before) = overlay {
            overlay = .go(String((before + line).prefix(40)))
        } else if sofa == nil, overlay == nil, page == .text, reading.search.isTyping {
            reading.search.type(line)
        }
        return []
    }

    /// Shows a page; a change of the settings counts from then on.
    mutating func show(_ page: Page) -> [PlayerEffect] {
        self.page = page
        overlay = nil
        return pageSupplies() + [.send(.settings(.list), .settings)]
    }

    // MARK: - Actions

    mutating func perform(_ action: PlayerAction, _ now: Int64) -> [PlayerEffect] {
        let effects = carryOut(action, now)
        // A change of the settings counts from the next command on.
        guard effects.contains(where: \.isCommand), now - preferences.readAt > 2000 else { return effects }
        preferences.readAt = now
        return effects + [.send(.settings(.list), .settings)]
    }

    private mutating func carryOut(_ action: PlayerAction, _ now: Int64) -> [PlayerEffect] {
        switch action {
        case .pause: return [control(toggle)]
        case .stop: return [control(.stop)]
        case .back: return skip(forward: false, now)
        case .forward: return skip(forward: true, now)
        case .previousChapter: return moveChapter(forward: false, now)
        case .nextChapter: return moveChapter(forward: true, now)
        case .slower, .faster: return [changeRate(by: action == .faster ? 10 : -10)]
        case .quieter, .louder: return [changeVolume(by: action == .louder ? 5 : -5)]
        case .go: overlay = .go("")
        case .sleep:
            lists.sleep = nil
            overlay = .sleep(Selection())
            return [.send(.sleepChoices, .sleep)]
        case .undo: return [.send(.undo, .control)]
        case .clip:
            message = nil
            return session.status?.item == nil ? [] : [.send(.manageClips(ClipAction(.add)), .clip)]
        case .next where page == .text && reading.search.isActive: return findNextInText()
        case .next: return next.map { play($0.book) } ?? []
        case .now: return show(.now)
        case .library: return show(.library)
        case .text: return show(.text)
        case .history: return show(.history)
        case .engines: return show(.engines)
        case .why: return show(.why)
        case .clips: return show(.clips)
        case .documents: return show(.documents)
        case .search where page == .text && reading.passage != nil: reading.search.beginTyping()
        case .search:
            let effects = page == .library ? [] : show(.library)
            lists.books.isSearching = true
            return effects
        case .sort where page == .library: lists.books.nextOrder()
        case .filter where page == .library: lists.books.nextFilter()
        case .filter where page == .documents: lists.documents.nextFilter()
        case .archive: return page == .documents ? archiveDocument() : []
        case .delete where page == .documents:
            overlay = lists.documents.selected.map { .delete(id: $0.id, name: $0.name) }
        case .delete: break
        case .sort, .filter: break
        case .follow: reading.followVoice()
        case .readHere: return page == .text ? readHere() : []
        case .big: sofa = SofaMode()
        case .help: overlay = .help
        case .redraw: return [.redraw]
        case .quit: return [.quit]
        case .pauseAndQuit:
            ending.isSilent = true
            return session.isPresent ? [control(.pause), .quit] : [.quit]
        }
        return []
    }

    /// The command of the key for pause and play.
    ///
    /// The session's own `toggle` pauses what is held, so that it does not go on later. Here a listener who sees that
    /// the sound is held wants it back, unless a call has it.
    private var toggle: SessionCommand {
        isHeld && session.status?.suppression != "interruption" ? .resume : .toggle
    }

    func control(_ command: SessionCommand) -> PlayerEffect {
        .send(.addressed(Address(owner: Self.owner), command), .control)
    }

    /// A command about the item on the screen; it does nothing if another is loaded by then.
    func concerning(_ command: SessionCommand, _ request: Request = .seek) -> PlayerEffect {
        let item = session.isPresent && session.isCurrent ? session.status?.item?.uri : nil
        return .send(.addressed(Address(owner: Self.owner, item: item), command), request)
    }

    private mutating func skip(forward: Bool, _ now: Int64) -> [PlayerEffect] {
        guard let position = own.at(now) else { return [concerning(.skip(forward: forward), .control)] }
        own.move(to: position + (forward ? preferences.skipForward : -preferences.skipBack), at: now)
        return [concerning(.skip(forward: forward))]
    }

    /// Moves by a chapter, as the session will: back to the start of this one, or of the one before within its first 3 s.
    private mutating func moveChapter(forward: Bool, _ now: Int64) -> [PlayerEffect] {
        let command = SessionCommand.chapter(forward ? "next" : "previous")
        let starts = session.contents?.chapters.compactMap(\.startMs) ?? []
        guard let position = own.at(now), let current = starts.lastIndex(where: { $0 <= position }) else {
            return [concerning(command, .control)]
        }
        let target = forward ? current + 1 : position - starts[current] < 3000 ? current - 1 : current
        guard starts.indices.contains(target) else { return [concerning(command, .control)] }
        own.move(to: starts[target], at: now)
        return [concerning(command)]
    }

    /// Goes to a time as people write it; where that is shows at once, if it can be worked out here.
    private mutating func go(to text: String, _ now: Int64) -> [PlayerEffect] {
        let target: Int64? =
            switch try? TimeExpression(text, relativeAllowed: true) {
            case .absolute(let ms): ms
            case .relative(let ms): own.at(now).map { $0 + ms.bounded }
            case .percent(let percent): session.status?.duration.ms.map { Int64(Double($0) * percent / 100) }
            case .chapter, .track, .sentence, .sentences, .paragraph, .paragraphs, .byte, .page, nil: nil
            }
        if case .chapter(let number)? = try? TimeExpression(text), session.contents?.chapters.isEmpty == false {
            return go(toChapter: number - 1, now) ?? [concerning(.seek(text), .control)]
        }
        guard let target else { return [concerning(.seek(text), .control)] }
        own.move(to: target.bounded, at: now)
        return [concerning(.seek(text))]
    }

    /// Goes to a position of the book, in ms.
    mutating func seek(to target: Int64, _ now: Int64) -> [PlayerEffect] {
        guard session.status?.item != nil else { return [] }
        let target = max(0, target)
        own.move(to: target, at: now)
        let seconds = target / 1000
        let milliseconds = String(target % 1000)
        let time = "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
        return [concerning(.seek(time))]
    }

    private mutating func changeRate(by hundredths: Double) -> PlayerEffect {
        let rate = Self.step(session.wantedRate ?? session.status?.rate ?? 1, by: hundredths, 0.5...3)
        session.wantedRate = rate
        return control(.rate(rate))
    }

    private mutating func changeVolume(by hundredths: Double) -> PlayerEffect {
        let volume = Self.step(session.wantedVolume ?? session.status?.volume ?? 1, by: hundredths, 0...1)
        session.wantedVolume = volume
        return control(.volume(volume))
    }

    /// Steps in hundredths, so that ten steps up and ten steps down end at the same value.
    private static func step(_ value: Double, by hundredths: Double, _ limits: ClosedRange<Double>) -> Double {
        min(limits.upperBound, max(limits.lowerBound, ((value * 100).rounded() + hundredths) / 100))
    }

    // MARK: - Lists

    /// Handles the keys that move in a list and choose from it; `nil` for all others.
    private mutating func handleList(_ key: TerminalKey, _ now: Int64) -> [PlayerEffect]? {
        let page = max(1, size.rows - 8)
        switch key {
        case .up: return scroll(by: -1)
        case .down: return scroll(by: 1)
        case .pageUp: return scroll(by: -page)
        case .pageDown: return scroll(by: page)
        case .home: return scroll(by: -1_000_000)
        case .end: return scroll(by: 1_000_000)
        case .enter: return choose(now)
        case .escape:
            next = nil
            if self.page == .library { lists.books.search(for: "") }
            if self.page == .text { reading.search.end() }
            return []
        default: return nil
        }
    }

    mutating func scroll(by rows: Int) -> [PlayerEffect] {
        switch overlay {
        case .sleep(var selection)?:
            selection.move(by: rows, of: sleepRows.count)
            overlay = .sleep(selection)
            return []
        case .some: return []
        case nil: break
        }
        switch page {
        case .now:
            next?.isSelected = false
            lists.chapters.move(by: rows, of: session.contents?.chapters.count ?? 0)
        case .library: lists.books.selection.move(by: rows, of: lists.books.shown.count)
        case .text: scrollText(by: rows)
        case .history: lists.jumps.move(by: rows, of: lists.history?.jumps.count ?? 0)
        case .engines: lists.engine.move(by: rows, of: lists.engines.count)
        case .clips: lists.clips.selection.move(by: rows, of: lists.clips.all.count)
        case .documents: lists.documents.selection.move(by: rows, of: lists.documents.shown.count)
        case .why: lists.recordsBelow = min(max(0, lists.recordsBelow - rows), max(0, (lists.records?.count ?? 0) - 1))
        }
        return []
    }

    mutating func choose(_ now: Int64) -> [PlayerEffect] {
        switch page {
        case .now:
            if let next, next.isSelected { return play(next.book) }
            return go(toChapter: lists.chapters.index, now) ?? []
        case .library: return lists.books.selected.map { play($0) } ?? []
        case .text: reading.followVoice()
        case .history:
            guard let jumps = lists.history?.jumps, jumps.indices.contains(lists.jumps.index) else { return [] }
            return goBack(to: jumps[lists.jumps.index].from, now)
        case .engines:
            guard lists.engines.indices.contains(lists.engine.index) else { return [] }
            return [.send(.engine(lists.engines[lists.engine.index].id), .control)]
        case .why: return [.readRecords]
        case .documents: return lists.documents.selected.map { read($0) } ?? []
        case .clips:
            return lists.clips.selected.map { $0.quote == nil ? openClip($0.id, .viewing, now) : read($0) } ?? []
        }
        return []
    }

    /// Goes to a chapter, from 0; `nil` if there is none of this number.
    mutating func go(toChapter index: Int, _ now: Int64) -> [PlayerEffect]? {
        guard let chapters = session.contents?.chapters, chapters.indices.contains(index) else { return nil }
        if let start = chapters[index].startMs { return seek(to: start, now) }
        return [concerning(.chapter("\(index + 1)"), .control)]
    }

    /// Goes to where a jump began, also in another book.
    private mutating func goBack(to place: History.Place, _ now: Int64) -> [PlayerEffect] {
        guard let ms = place.ms else { return [] }
        if place.uri == session.status?.item?.uri { return seek(to: ms, now) }
        guard ["file:", "http", "audiobookshelf:"].contains(where: place.uri.hasPrefix) else {
            message = Message(text: "cannot open: \(place.title) has no file any more", isFailure: true)
            return []
        }
        var play = PlayParameters()
        play.items = [place.uri]
        play.owner = Self.owner
        play.at = "\(ms / 1000)"
        return [.send(.play(play), .control)]
    }

    private mutating func handleSearch(_ key: TerminalKey) -> [PlayerEffect] {
        switch key {
        case .character(let character): lists.books.search(for: lists.books.search + String(character))
        case .backspace: lists.books.search(for: String(lists.books.search.dropLast()))
        case .enter: lists.books.isSearching = false
        case .escape:
            lists.books.isSearching = false
            lists.books.search(for: "")
        case .up, .down, .pageUp, .pageDown:
            lists.books.isSearching = false
            return handleList(key, 0) ?? []
        default: break
        }
        return []
    }

    // MARK: - Overlays

    private mutating func handleOverlay(_ key: TerminalKey, _ now: Int64) -> [PlayerEffect] {
        switch (overlay, key) {
        case (.go(let text), .character(let character)) where text.count < 40:
            overlay = .go(text + String(character))
        case (.go(let text), .backspace): overlay = .go(String(text.dropLast()))
        case (.go(let text), .enter):
            overlay = nil
            return text.isEmpty ? [] : go(to: text, now)
        case (.sleep, .up), (.sleep, .down), (.sleep, .pageUp), (.sleep, .pageDown), (.sleep, .home), (.sleep, .end):
            return handleList(key, now) ?? []
        case (.sleep(let selection), .enter):
            overlay = nil
            guard sleepRows.indices.contains(selection.index) else { return [] }
            return [.send(.sleep(sleepRows[selection.index].value), .control)]
        case (.delete(let id, _), .character("y")):
            overlay = nil
            return [.send(.reading(ReadingAction(.delete, id: id)), .deletedDocument)]
        case (.delete, _), (.go, .escape), (.help, _), (.sleep, .escape), (.sleep, .character): overlay = nil
        default: break
        }
        return []
    }

    /// The choices of the sleep timer: what is shown, and what is sent.
    var sleepRows: [(text: String, value: String)] {
        var rows = [15, 30, 45, 60, 90].map { (text: "in \($0) minutes", value: "\($0)") }
        rows.append((text: "10 minutes later than now set", value: "+10"))
        rows.append((text: "at the end of the book", value: "book"))
        rows.append((text: "not at all", value: "off"))
        for chapter in lists.sleep?.chapters.prefix(200) ?? [] {
            let title = chapter.title.map { " " + $0 } ?? ""
            rows.append(
                (
                    text: "after chapter \(chapter.index + 1)\(title), at \(LocalTime.clock(chapter.at))",
                    value: "ch:\(chapter.index + 1)"
                ))
        }
        return rows
    }

    // MARK: - The sofa

    private mutating func handleOnSofa(_ key: TerminalKey, _ now: Int64) -> [PlayerEffect] {
        guard var sofa else { return [] }
        if key == .escape, next != nil {
            next = nil
            return []
        }
        let leaves = preferences.keys.action(of: key) == .big || key == .escape && sofa.shelf == .controls
        if leaves {
            self.sofa = nil
            return []
        }
        defer { if self.sofa != nil { self.sofa = sofa } }
        switch (sofa.shelf, key) {
        case (.controls, .left): sofa.button = .init(rawValue: sofa.button.rawValue - 1) ?? sofa.button
        case (.controls, .right): sofa.button = .init(rawValue: sofa.button.rawValue + 1) ?? sofa.button
        case (.controls, .up): return [changeVolume(by: 5)]
        case (.controls, .down): return [changeVolume(by: -5)]
        case (.controls, .enter), (.controls, .character(" ")):
            if let next, key == .enter, sofa.button == .pause { return play(next.book) }
            return press(&sofa, now)
        case (.books, .up): lists.books.selection.move(by: -1, of: lists.books.shown.count)
        case (.books, .down): lists.books.selection.move(by: 1, of: lists.books.shown.count)
        case (.books, .enter), (.books, .right):
            sofa.shelf = .controls
            sofa.button = .pause
            return lists.books.selected.map { play($0) } ?? []
        case (.sleep(let index), .up): sofa.shelf = .sleep(max(0, index - 1))
        case (.sleep(let index), .down): sofa.shelf = .sleep(min(SofaMode.sleepMinutes.count - 1, index + 1))
        case (.sleep(let index), .enter), (.sleep(let index), .right):
            sofa.shelf = .controls
            let minutes = SofaMode.sleepMinutes[index]
            return [.send(.sleep(minutes == 0 ? "off" : "\(minutes)"), .control)]
        case (.books, .left), (.sleep, .left), (.books, .escape), (.sleep, .escape): sofa.shelf = .controls
        default:
            // The other keys work as well, but none is needed.
            if let action = preferences.keys.action(of: key), Self.sofaActions.contains(action) {
                return perform(action, now)
            }
        }
        return []
    }

    private static let sofaActions: Set<PlayerAction> = [
        .pause, .slower, .faster, .quieter, .louder, .previousChapter, .nextChapter, .undo, .clip, .quit, .pauseAndQuit,
        .redraw,
    ]

    private mutating func press(_ sofa: inout SofaMode, _ now: Int64) -> [PlayerEffect] {
        switch sofa.button {
        case .back: return skip(forward: false, now)
        case .pause: return [control(toggle)]
        case .forward: return skip(forward: true, now)
        case .previousChapter: return moveChapter(forward: false, now)
        case .nextChapter: return moveChapter(forward: true, now)
        case .books:
            sofa.shelf = .books
            return listBooks()
        case .sleep: sofa.shelf = .sleep(1)
        case .leave: return [.quit]
        }
        return []
    }
}
