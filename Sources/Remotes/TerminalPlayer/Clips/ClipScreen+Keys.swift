// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TimelineGeometry

/// A wish of the clip's screen that the player carries out.
enum ClipOutcome: Sendable, Hashable {
    case stays([PlayerEffect])
    /// The screen is closed, as it is.
    case closes([PlayerEffect])

    static let nothing = ClipOutcome.stays([])
}

// What the listener presses.
extension ClipScreen {
    private static let snapKinds: Set<SnapPoint.Kind> = [.silence, .chapter]
    /// The ms that are played up to the end.
    private static let lastPart: Int64 = 2000

    mutating func press(_ key: TerminalKey, _ now: Int64) -> ClipOutcome {
        let late = advance(to: now)
        switch pressed(key, now) {
        case .stays(let effects): return .stays(late + effects)
        case .closes(let effects): return .closes(late + effects)
        }
    }

    private mutating func pressed(_ key: TerminalKey, _ now: Int64) -> ClipOutcome {
        if let prompt { return answer(prompt, key, now) }
        // What is being saved is what was there at the key; whoever leaves does not wait for the answer.
        if edit.isSaving { return key == .escape || key == .character("q") ? close() : .nothing }
        guard timeline.selection != nil else { return key == .escape || key == .character("q") ? close() : .nothing }
        if let effects = listen(key, now) { return .stays(effects) }
        switch key {
        case .escape, .character("q"):
            guard isChanged else { return close() }
            prompt = .discard
        case .character("?"), .function(1): prompt = .help
        case .character("s") where mode == .editing: return isChanged ? .stays(store()) : close()
        case .character("e") where mode == .viewing: return .stays(beginEditing())
        case .character("d") where mode == .viewing: prompt = .delete
        case _ where mode == .editing: return .stays(change(key, now))
        default: break
        }
        return .nothing
    }

    /// Handles the keys that play and look around; `nil` for others.
    private mutating func listen(_ key: TerminalKey, _ now: Int64) -> [PlayerEffect]? {
        guard let selection = timeline.selection else { return nil }
        switch key {
        case .character(" "), .character("p"): return togglePlayback()
        case .enter: return playSelection()
        case .character("1"): return play(.passage, from: selection.start, to: nil)
        case .character("2"): return play(.passage, from: selection.end, to: nil)
        case .character("3"):
            return play(.passage, from: max(selection.start, selection.end - Self.lastPart), to: selection.end)
        case .character("l"): return toggleLoop()
        case .character("+"), .character("="), .up: return handle(.zoomed(by: 2, aboutX: nil), nil, now)
        case .character("-"), .down: return zoomOut(by: 2, now)
        case .home: return handle(.moved(.playhead, to: selection.start), .step(.playhead), now)
        case .end: return handle(.moved(.playhead, to: selection.end), .step(.playhead), now)
        default: return nil
        }
    }

    /// Zooms out until the recording takes half of the strip.
    mutating func zoomOut(by factor: Double, _ now: Int64) -> [PlayerEffect] {
        let geometry = timeline.geometry
        let isFar = geometry.width * geometry.unitsPerPixel >= 2 * Double(geometry.duration ?? .max)
        return isFar ? [] : handle(.zoomed(by: 1 / factor, aboutX: nil), nil, now)
    }

    /// Handles the keys that move the target, and those that change the clip.
    private mutating func change(_ key: TerminalKey, _ now: Int64) -> [PlayerEffect] {
        switch key {
        case .left: return step(.fine, -1, now)
        case .right: return step(.fine, 1, now)
        case .character("<"), .character(","): return step(.coarse, -1, now)
        case .character(">"), .character("."): return step(.coarse, 1, now)
        case .pageUp: return step(.skip, -1, now)
        case .pageDown: return step(.skip, 1, now)
        case .tab: nextTarget()
        case .character("["): return set(.start, now)
        case .character("]"): return set(.end, now)
        case .character("b"): return snap(.back, now)
        case .character("f"): return snap(.forward, now)
        case .character("k"): return handle(.linked(!timeline.isLinked), nil, now)
        case .character("u"): return restore(draft.flatMap { edit.history.undo($0) })
        case .character("r"): return restore(draft.flatMap { edit.history.redo($0) })
        case .character("n"): prompt = .note(edit.note)
        default: break
        }
        return []
    }

    // MARK: - Bounds

    private mutating func nextTarget() {
        let targets: [TimelineTarget] =
            canMoveBounds ? [.handle(.start), .handle(.end), .playhead] : [.playhead]
        let index = targets.firstIndex(of: edit.target) ?? targets.count - 1
        edit.target = targets[(index + 1) % targets.count]
    }

    private mutating func step(_ step: TimelineStep, _ count: Int, _ now: Int64) -> [PlayerEffect] {
        let target = canMoveBounds ? edit.target : .playhead
        return handle(.stepped(target, step, count), .step(target), now)
    }

    /// Moves a handle to the playhead.
    private mutating func set(_ handle: TimelineHandle, _ now: Int64) -> [PlayerEffect] {
        guard canMoveBounds else { return [] }
        edit.target = .handle(handle)
        return self.handle(.moved(edit.target, to: timeline.geometry.position), .set(handle), now)
    }

    private mutating func snap(_ direction: SnapDirection, _ now: Int64) -> [PlayerEffect] {
        guard let tracks else { return [] }
        let target = canMoveBounds ? edit.target : .playhead
        let starts = chapters.map { SnapPoint(position: $0, kind: .chapter) }
        let points = SnapPoints(sound.silences(tracks) + starts)
        return handle(
            .snapped(target, direction, kinds: Self.snapKinds, among: points), .step(target), now)
    }

    // MARK: - Opening and closing

    private mutating func beginEditing() -> [PlayerEffect] {
        let effects = release()
        mode = .editing
        if canMoveBounds { edit.target = .handle(.start) }
        return effects + open()
    }

    /// Follows the owner of the clip; an editor takes audio focus.
    mutating func open() -> [PlayerEffect] {
        guard let owner else { return [] }
        return [.follow(owner)] + (mode == .editing ? claim() : []) + supplies()
    }

    mutating func close() -> ClipOutcome { .closes(release()) }

    /// Saves what was changed.
    private mutating func store() -> [PlayerEffect] {
        guard let save else { return [] }
        edit.isSaving = true
        return [send(.manageClips(save), .save)]
    }

    private mutating func answer(_ prompt: Prompt, _ key: TerminalKey, _ now: Int64) -> ClipOutcome {
        self.prompt = nil
        switch (prompt, key) {
        case (.discard, .character("d")), (.discard, .character("y")): return close()
        case (.discard, .character("s")): return .stays(store())
        case (.delete, .character("y")):
            guard let clip else { return .nothing }
            return .stays(release() + [send(.manageClips(ClipAction(.delete, ids: [clip.id])), .delete)])
        case (.note(let text), .enter):
            let trimmed = text.trimmed
            guard trimmed != edit.note, let draft else { return .nothing }
            edit.history.note(draft, .note, at: now)
            edit.note = trimmed
        case (.note(let text), .character(let character)): self.prompt = .note(text.adding(String(character)))
        case (.note(let text), .backspace): self.prompt = .note(String(text.dropLast()))
        case (.note, .escape), (.discard, _), (.delete, _), (.help, _): break
        case (.note(let text), _): self.prompt = .note(text)
        }
        return .nothing
    }
}

// What is typed or pasted.
extension ClipScreen {
    /// Takes pasted text, of which a note is one line; elsewhere its letters are no keys.
    mutating func paste(_ text: String) {
        if case .note(let before) = prompt { prompt = .note(before.adding(text)) }
    }
}

extension String {
    /// Returns the text with more behind it that can be in a note, as far as there is room.
    fileprivate func adding(_ more: String) -> String {
        var longer = self
        for character in more.printable {
            guard longer.utf8.count + character.utf8.count <= ClipAction.longestNote else { break }
            longer.append(character)
        }
        return longer
    }

    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
