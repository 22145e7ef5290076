// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TimelineGeometry

/// A clip on the screen: the sound around a fixed playhead, its bounds, and its note.
///
/// It has an owner of its own. A viewer takes audio focus when it plays, an editor when it opens.
struct ClipScreen: Sendable {
    enum Mode: Sendable, Hashable {
        case viewing, editing
    }

    /// A line that takes the keys.
    enum Prompt: Sendable, Hashable {
        /// The note that is being typed.
        case note(String)
        case discard
        case delete
        case help
    }

    /// The ID, or the beginning of one, by which the clip was opened.
    let name: String
    /// The number of the screen, by which answers to its requests are told from those to former ones.
    let number: Int
    /// `true` if the player ends when the clip is closed.
    let endsPlayer: Bool
    /// The way to draw the sound.
    let style: WaveformDrawing.Style
    var mode: Mode
    var clip: ClipInfo?
    var tracks: ClipTracks?
    var sound = ClipSound()
    /// The starts of the chapters on the line of time.
    var chapters: [Int64] = []
    var timeline: TimelineState
    var playback = ClipPlayback()
    var edit = ClipEdit()
    var prompt: Prompt?
    var pointer: ClipPointer?
    /// The time of the last frame in ms.
    var frameAt: Int64

    init(
        _ name: String, _ mode: Mode, number: Int, endsPlayer: Bool, columns: Int, style: WaveformDrawing.Style,
        now: Int64
    ) {
        (self.name, self.number, self.mode, self.endsPlayer, self.style) = (name, number, mode, endsPlayer, style)
        timeline = TimelineState(TimelineGeometry(width: Double(columns * style.dotsAcross), duration: 0))
        frameAt = now
    }

    /// The owner under which it plays; `nil` until the clip is known.
    var owner: String? {
        clip.map { (mode == .editing ? "clip-editor-" : "clip-viewer-") + $0.id }
    }

    /// `false` if the recording is gone: the bounds cannot be moved then.
    var canMoveBounds: Bool { mode == .editing && clip?.sourceThere == true }

    /// Returns a request of this screen.
    func send(_ command: SessionCommand, _ request: ClipRequest = .control) -> PlayerEffect {
        .send(command, .clipScreen(request, number: number))
    }

    // MARK: - The clip

    /// Shows a clip that the session has sent.
    mutating func show(_ clip: ClipInfo) {
        self.clip = clip
        edit.note = clip.note
        tracks = ClipTracks(clip)
        if !clip.sourceThere {
            edit.target = .playhead
            if let file = clip.file, file.sampleRate > 0, file.frames > 0 {
                let duration = Double(file.frames) * 1000 / Double(file.sampleRate)
                tracks = ClipTracks(path: file.path, duration: Int64(min(duration.rounded(), 1e12)))
            }
        }
        place()
    }

    /// Shows the clip's own file instead of its recording; `false` if it does so already, or there is none.
    mutating func useOwnFile() -> Bool {
        guard var clip, clip.sourceThere, clip.file != nil else { return false }
        let note = edit.note
        clip.sourceThere = false
        sound = ClipSound()
        chapters = []
        _ = timeline.handle(.closed)
        edit = ClipEdit()
        show(clip)
        edit.note = note
        return true
    }

    /// Takes the chapters, if they are those of the recording.
    mutating func take(_ contents: ItemContents?) {
        guard let clip, let tracks, tracks.isBookTime, let contents, let uri = contents.item?.uri,
            uri == clip.uri || uri.hasPrefix(clip.uri + "#")
        else { return }
        chapters = contents.chapters.compactMap(\.startMs)
    }

    /// The bounds as they are saved; `nil` while one of them has no place.
    private var savedBounds: Range<Int64>? {
        guard let clip, let tracks else { return nil }
        if !clip.sourceThere, clip.file != nil { return 0..<max(1, tracks.reach(atLeast: 1)) }
        guard let start = tracks.position(of: clip.start), let end = tracks.position(of: clip.end) else { return nil }
        return start..<max(start + 1, end)
    }

    /// Opens the selection over half of the strip, once its bounds have a place.
    mutating func place() {
        guard timeline.selection == nil, let bounds = savedBounds, let tracks else { return }
        let width = timeline.geometry.width
        let seconds = Double(max(1000, bounds.count)) / 1000
        timeline = TimelineState(
            TimelineGeometry(
                width: width, duration: tracks.reach(atLeast: bounds.upperBound),
                secondsPerPixel: seconds * 2 / max(1, width)),
            position: bounds.lowerBound)
        _ = timeline.handle(.opened(start: bounds.lowerBound, end: bounds.upperBound))
    }

    /// The draft as it is saved; `nil` until the bounds have a place.
    var saved: ClipEdit.Draft? {
        guard let clip, let bounds = savedBounds else { return nil }
        return ClipEdit.Draft(start: bounds.lowerBound, end: bounds.upperBound, note: clip.note)
    }

    var draft: ClipEdit.Draft? {
        timeline.selection.map { ClipEdit.Draft(start: $0.start, end: $0.end, note: edit.note) }
    }

    var isChanged: Bool { mode == .editing && draft != nil && draft != saved }

    /// The command that saves what was changed; a bound that was not moved is not sent, so it stays as exact as it is.
    var save: ClipAction? {
        guard let clip, let tracks, let draft, let saved, draft != saved else { return nil }
        var action = ClipAction(.edit, ids: [clip.id])
        if draft.start != saved.start { action.start = tracks.time(of: draft.start) }
        if draft.end != saved.end { action.end = tracks.time(of: draft.end) }
        if draft.note != saved.note { action.note = draft.note }
        return action
    }

    // MARK: - Effects

    /// Carries an event of the timeline out, notes what it changes, and returns what the session is to do.
    mutating func handle(_ event: TimelineEvent, _ change: ClipEdit.Change? = nil, _ now: Int64) -> [PlayerEffect] {
        let before = draft
        var effects = carryOut(timeline.handle(event))
        effects += confine()
        if let before, before != draft {
            // What goes on by itself, such as a strip that glides and takes a bound along, belongs to its gesture.
            let change = change ?? .gesture(edit.gestures)
            edit.history.note(before, change, isGesture: change.isGesture, at: now)
        }
        return effects + supplies()
    }

    private mutating func carryOut(_ effects: [TimelineEffect]) -> [PlayerEffect] {
        effects.flatMap { effect in
            switch effect {
            case .seek(let position): seek(to: position)
            case .selected(let selection): moveBounds(to: selection)
            }
        }
    }

    /// Keeps the start and the playhead where a file has a place.
    private mutating func confine() -> [PlayerEffect] {
        guard let first = tracks?.first, first > 0 else { return [] }
        var effects: [PlayerEffect] = []
        if let start = timeline.selection?.start, start < first {
            effects += carryOut(timeline.handle(.moved(.handle(.start), to: first)))
        }
        if timeline.geometry.position < first { effects += carryOut(timeline.handle(.moved(.playhead, to: first))) }
        return effects
    }

    /// Brings a draft back.
    mutating func restore(_ draft: ClipEdit.Draft?) -> [PlayerEffect] {
        guard let draft else { return [] }
        edit.note = draft.note
        guard let before = timeline.selection, (before.start, before.end) != (draft.start, draft.end) else { return [] }
        let effects = carryOut(timeline.handle(.opened(start: draft.start, end: draft.end)))
        return effects + (timeline.selection.map { moveBounds(to: $0) } ?? [])
    }

    /// Returns the questions about the sound on the strip, and about files without a place that it reaches.
    mutating func supplies() -> [PlayerEffect] {
        guard let clip, let tracks else { return [] }
        let geometry = timeline.geometry
        let playhead = tracks.place(of: geometry.position)
        var wishes: [WaveformWish] = []
        if timeline.selection == nil {
            let unknown = tracks.unknown(before: clip.start) ?? tracks.unknown(before: clip.end)
            wishes += [unknown].compactMap { $0 }.compactMap { sound.lengthWish($0) }
        } else {
            if let before = tracks.before, geometry.positions(ofColumn: 0).lowerBound < Double(tracks.first) {
                wishes += [sound.lengthWish(before)].compactMap { $0 }
            }
            wishes += sound.wishes(
                for: tracks.parts(in: geometry.columnReach), at: playhead, msPerPixel: geometry.unitsPerPixel)
        }
        return wishes.map { wish in
            send(
                .peaks(
                    PeaksRequest(
                        items: tracks.items, track: wish.track, fromMs: wish.range.lowerBound,
                        toMs: wish.range.upperBound, atMs: wish.track == playhead.track ? playhead.ms : nil,
                        columns: wish.columns.count)),
                .peaks(wish))
        }
    }

    // MARK: - Time

    /// Lets time pass.
    mutating func advance(to now: Int64) -> [PlayerEffect] {
        let seconds = Double(max(0, now - frameAt)) / 1000
        frameAt = now
        guard timeline.needsFrames, seconds > 0 else { return [] }
        // The sound of a selection is not to push its own bounds.
        let isLinked = timeline.isLinked
        let isOwn = isLinked && playback.part?.kind == .selection && !timeline.isMoving
        if isOwn { _ = timeline.handle(.linked(false)) }
        let effects = handle(.frame(seconds: seconds), nil, now)
        turn()
        if isOwn { _ = timeline.handle(.linked(true)) }
        return effects
    }

    /// Lets the playhead begin again at the end of a selection that repeats, as the sound does.
    private mutating func turn() {
        let position = timeline.geometry.position
        guard let turn = playback.turn, position >= turn.upperBound else { return }
        jump(to: turn.lowerBound + (position - turn.upperBound) % Int64(turn.count))
    }

    /// Moves the playhead to where it sounds: nothing has to be sought.
    mutating func jump(to position: Int64) {
        for case .seek in timeline.handle(.moved(.playhead, to: position)) { _ = timeline.handle(.answered) }
    }

    /// The shortest time between two frames in ms.
    private static let frameTime: Int64 = 33

    /// Returns the ms until the next frame; `nil` if nothing moves.
    func nextChange(_ now: Int64) -> Int64? {
        guard timeline.needsFrames else { return nil }
        return max(0, frameAt + Self.frameTime - now)
    }
}
