// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TimelineGeometry

// A clip that takes the whole screen, and the list from which it is opened.
extension PlayerState {
    /// Opens a clip in the editor; the player ends when it is closed.
    public mutating func editClip(_ name: String, now: Int64) -> [PlayerEffect] {
        openClip(name, .editing, endsPlayer: true, now)
    }

    /// `true` while movements of the mouse matter whose button is down.
    public var wantsDrags: Bool { clipScreen != nil }

    mutating func openClip(
        _ name: String, _ mode: ClipScreen.Mode, endsPlayer: Bool = false, _ now: Int64
    ) -> [PlayerEffect] {
        overlay = nil
        clipScreens += 1
        let screen = ClipScreen(
            name, mode, number: clipScreens, endsPlayer: endsPlayer, columns: clipLayout.columns.count,
            style: glyphs == .unicode ? .braille : .ascii, now: now)
        clipScreen = screen
        return [screen.send(.manageClips(ClipAction(.show, ids: [name])), .open)]
    }

    var clipLayout: ClipLayout { ClipLayout(laidOut) }

    /// Handles an event that concerns the clip on the screen; `nil` for others.
    mutating func handleOnClip(_ event: PlayerEvent, _ now: Int64) -> [PlayerEffect]? {
        guard var screen = clipScreen else { return nil }
        defer { if clipScreen != nil { clipScreen = screen } }
        switch event {
        case .key(.character("\u{0C}")): return [.redraw]
        case .key(let key):
            message = nil
            switch screen.press(key, now) {
            case .stays(let effects): return effects
            case .closes(let effects): return effects + closeClip(screen)
            }
        case .paste(let text):
            screen.paste(text)
            return []
        case .press(let row, let column):
            message = nil
            guard screen.prompt == nil else {
                if screen.prompt == .help { screen.prompt = nil }
                return []
            }
            return screen.press(clipLayout, row, column, now)
        case .drag(_, let column): return screen.drag(column, now)
        case .lift(_, let column): return screen.lift(column, now)
        case .wheel(let rows):
            if screen.timeline.selection == nil { return [] }
            return rows < 0 ? screen.handle(.zoomed(by: 1.25, aboutX: nil), nil, now) : screen.zoomOut(by: 1.25, now)
        case .tick: return screen.advance(to: now)
        // The first status after a subscription says how things are now.
        case .focused: return [.follow(screen.owner ?? Self.owner)]
        case .peaks(let progress):
            screen.sound.take(progress)
            return screen.supplies()
        case .status(let status):
            guard status.owner == screen.owner else { return nil }
            return screen.take(status.bounded, now)
        case .answer(.clipScreen(let request, let number), let result):
            return number == screen.number ? take(request, result, &screen, now) : []
        default: return nil
        }
    }

    /// Does what an event that concerns everything means for the clip on the screen.
    mutating func adaptClip(to event: PlayerEvent, _ now: Int64) -> [PlayerEffect] {
        guard clipScreen != nil else { return [] }
        switch event {
        case .resized:
            let width = Double(clipLayout.columns.count * (clipScreen?.style.dotsAcross ?? 1))
            return clipScreen?.handle(.resized(width: width), nil, now) ?? []
        case .lost:
            clipScreen?.playback.stop()
            clipScreen?.sound.forgetQuestions()
            clipScreen?.edit.isSaving = false
            _ = clipScreen?.timeline.handle(.stopped)
        case .connected:
            guard let screen = clipScreen else { return [] }
            if screen.clip == nil { return [screen.send(.manageClips(ClipAction(.show, ids: [screen.name])), .open)] }
            return clipScreen?.open() ?? []
        default: break
        }
        return []
    }

    private mutating func closeClip(_ screen: ClipScreen) -> [PlayerEffect] {
        clipScreen = nil
        if screen.endsPlayer {
            ending.isSilent = true
            return [.quit]
        }
        return [.follow(Self.owner)] + listClips()
    }

    // MARK: - Answers

    private mutating func take(
        _ request: ClipRequest, _ result: Result<Answer, SessionError>, _ screen: inout ClipScreen, _ now: Int64
    ) -> [PlayerEffect] {
        switch (request, result) {
        case (.open, .success(.clips(let clips))):
            // One that was opened before a session came back keeps its changes.
            guard screen.clip == nil, let clip = clips.first else { return [] }
            guard clip.quote == nil else {
                // There is no sound to show.
                let error = SessionError(
                    .usage, "clip \(clip.id) is of a text: give --start and --end, such as --end sentence:+1, or --note"
                )
                if screen.endsPlayer { ending.failure = error }
                message = Message(text: error.message, isFailure: true)
                return closeClip(screen)
            }
            screen.show(clip.bounded)
            screen.take(session.contents)
            return screen.open()
        case (.open, .failure(let error)):
            guard screen.clip == nil else { return [] }
            if screen.endsPlayer { ending.failure = error }
            message = Message(text: error.message, isFailure: true)
            return closeClip(screen)
        case (.save, .success(.clips(let clips))):
            let text = clips.first.map { "Clip \($0.id) is saved: \($0.place)." } ?? "The clip is saved."
            if screen.endsPlayer { ending.farewell = text }
            message = Message(text: text, isFailure: false)
            return screen.release() + closeClip(screen)
        case (.save, .failure): screen.edit.isSaving = false
        case (.delete, .success):
            message = Message(text: "Clip \(screen.name) is deleted.", isFailure: false)
            return closeClip(screen)
        case (.peaks(let wish), .success(.waveform(let info))): return screen.take(info, to: wish, now)
        case (.peaks(let wish), .failure(let error)):
            // A file that is not there is the end of the recording.
            let isMissing = error.code == .notFound && wish.track > 0
            if isMissing { screen.tracks?.lacks(wish.track) }
            screen.sound.refuse(wish, isMissing ? nil : error.message)
            return screen.measure(now)
        case (.contents, .success(.contents(let contents))):
            screen.take(contents.bounded)
            return []
        case (.contents, _): return []
        case (.seek, _): return screen.handle(.answered, nil, now) + refusal(result)
        case (.play(let number), .failure(let error)):
            // One that another one has replaced is of no interest.
            guard number == screen.playback.number else { return [] }
            // The owner's own claim can displace the answer and leave the part: the next status says which.
            if error.code == .busy {
                screen.playback.answered()
                return refusal(result)
            }
            let isSelection = screen.playback.part?.kind == .selection
            screen.playback.end()
            if isSelection, error.code == .notFound, screen.useOwnFile() {
                message = Message(text: "The recording is gone: this is the clip's own file.", isFailure: false)
                return screen.supplies() + screen.playSelection()
            }
        case (.range, .failure(let error)) where error.code == .unavailable: return []
        default: break
        }
        return refusal(result)
    }

    private mutating func refusal(_ result: Result<Answer, SessionError>) -> [PlayerEffect] {
        if case .failure(let error) = result { message = Message(text: error.message, isFailure: true) }
        return []
    }

    // MARK: - The list

    /// Reads a clip of a text, which has words instead of a screen of its own.
    mutating func read(_ clip: ClipInfo) -> [PlayerEffect] {
        message = Message(text: "“\(clip.quoteLine)”", isFailure: false)
        return [.send(.manageClips(ClipAction(.play, ids: [clip.id])), .control)]
    }

    mutating func listClips() -> [PlayerEffect] {
        lists.clips.begin() ? [.send(.manageClips(ClipAction(.list)), .clips(from: 0))] : []
    }

    /// Takes a page of the list.
    mutating func take(clips: [ClipInfo], from first: Int) -> [PlayerEffect] {
        guard let next = lists.clips.take(clips.map(\.bounded), from: first) else { return [] }
        var action = ClipAction(.list)
        action.offset = next
        return [.send(.manageClips(action), .clips(from: next))]
    }

    func drawClips(_ frame: inout Frame, _ body: Range<Int>) {
        let clips = lists.clips
        let key = preferences.keys.name(of: .clip) ?? "rostrum clip add"
        frame.screen.put(
            clips.isComplete
                ? "\(clips.all.count) clips: Enter opens one. In a book, \(key) keeps the place." : "One moment.",
            body.lowerBound, 2, .faint, limit: frame.columns - 4)
        let rows = body.lowerBound + 2..<body.upperBound
        let title = max(10, (frame.columns - 30) / 2)
        for (line, index) in clips.selection.window(of: clips.all.count, rows: rows.count).enumerated() {
            let clip = clips.all[index]
            let row = rows.lowerBound + line
            guard rows.contains(row) else { break }
            let style = index == clips.selection.index ? Style.selected : .plain
            frame.screen.fill(row, 1..<frame.columns - 1, " ", style)
            let mark = clip.sourceThere ? " " : "!"
            frame.screen.put("\(mark) \(clip.title)", row, 2, style, limit: title)
            frame.screen.put(
                clip.note.isEmpty ? clip.quoteLine : clip.note, row, title + 3, style,
                limit: max(0, frame.columns - title - 24))
            frame.screen.put(clip.place, row, endingAt: frame.columns - 2, style)
            frame.touch(row, 1..<frame.columns - 1, .clip(index))
        }
    }
}
