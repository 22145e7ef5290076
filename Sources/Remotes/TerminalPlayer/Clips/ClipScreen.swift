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

    /// The changes that are to be saved.
    struct Draft: Sendable, Hashable {
        var start: Int64
        var end: Int64
        var note: String
    }

    /// A change, of which quick ones of one kind are undone at once.
    enum Change: Sendable, Hashable {
        case step(TimelineTarget)
        case set(TimelineHandle)
        case drag(Int)
        case linked
        case note
    }

    /// The ID, or the beginning of one, by which the clip was opened.
    let name: String
    /// `true` if the player ends when the clip is closed.
    let endsPlayer: Bool
    var mode: Mode
    var clip: ClipInfo?
    var tracks: ClipTracks?
    var sound = ClipSound()
    var timeline: TimelineState
    var playback = ClipPlayback()
    var prompt: Prompt?
    var target = TimelineTarget.handle(.start)
    var pointer: ClipPointer?
    /// The number of the gesture of the pointer.
    var gestures = 0
    var note = ""
    var history = EditHistory<Draft, Change>()
    /// `true` from the save to its answer.
    var isSaving = false
    /// The time of the last frame in ms.
    var frameAt: Int64

    /// The pixels of a column, from left to right.
    let style: WaveformDrawing.Style

    init(
        _ name: String, _ mode: Mode, endsPlayer: Bool, columns: Int, style: WaveformDrawing.Style, now: Int64
    ) {
        self.name = name
        self.mode = mode
        self.endsPlayer = endsPlayer
        self.style = style
        timeline = TimelineState(TimelineGeometry(width: Double(columns * style.dotsAcross), duration: 0))
        frameAt = now
    }

    /// The owner under which it plays; `nil` until the clip is known.
    var owner: String? {
        clip.map { (mode == .editing ? "clip-editor-" : "clip-viewer-") + $0.id }
    }

    /// `false` if the recording is gone: the bounds cannot be moved then.
    var canMoveBounds: Bool { mode == .editing && clip?.sourceThere == true }

    // MARK: - The clip

    /// Shows a clip that the session has sent, with its selection over half of the strip.
    mutating func show(_ clip: ClipInfo) {
        self.clip = clip
        var tracks = ClipTracks(clip)
        var (start, end) = (tracks.position(of: clip.start), tracks.position(of: clip.end))
        if !clip.sourceThere, let file = clip.file, file.sampleRate > 0, file.frames > 0 {
            let duration = Double(file.frames) * 1000 / Double(file.sampleRate)
            tracks = ClipTracks(path: file.path, duration: Int64(min(duration.rounded(), 1e12)))
            (start, end) = (0, tracks.end ?? 0)
        }
        self.tracks = tracks
        note = clip.note
        history = EditHistory()
        let width = timeline.geometry.width
        let seconds = Double(max(1000, end - start)) / 1000
        timeline = TimelineState(
            TimelineGeometry(
                width: width, duration: tracks.reach(atLeast: end), secondsPerPixel: seconds * 2 / max(1, width)),
            position: start)
        _ = timeline.handle(.opened(start: start, end: end))
        if clip.sourceThere == false { target = .playhead }
    }

    /// The draft as it is saved; `nil` until the clip is known.
    var saved: Draft? {
        guard let clip, let tracks else { return nil }
        guard clip.sourceThere else { return draft.map { Draft(start: $0.start, end: $0.end, note: clip.note) } }
        return Draft(start: tracks.position(of: clip.start), end: tracks.position(of: clip.end), note: clip.note)
    }

    var draft: Draft? {
        timeline.selection.map { Draft(start: $0.start, end: $0.end, note: note) }
    }

    var isChanged: Bool { mode == .editing && draft != saved }

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
    mutating func handle(_ event: TimelineEvent, _ change: Change? = nil, _ now: Int64) -> [PlayerEffect] {
        let before = draft
        var effects = carryOut(timeline.handle(event))
        if let before, before != draft { history.note(before, change ?? .linked, at: now) }
        effects += supplies()
        return effects
    }

    mutating func carryOut(_ effects: [TimelineEffect]) -> [PlayerEffect] {
        effects.flatMap { effect in
            switch effect {
            case .seek(let position): seek(to: position)
            case .selected(let selection): moveBounds(to: selection)
            }
        }
    }

    /// Returns the questions about the sound on the strip, and about the file before it.
    mutating func supplies() -> [PlayerEffect] {
        guard let tracks else { return [] }
        let geometry = timeline.geometry
        let playhead = tracks.place(of: geometry.position)
        return sound.wishes(
            for: tracks.parts(in: geometry.columnReach), at: playhead, msPerPixel: geometry.unitsPerPixel
        ).map { wish in
            let isHere = wish.track == playhead.track
            return .send(
                .peaks(
                    PeaksRequest(
                        items: tracks.items, track: wish.track, fromMs: wish.range.lowerBound,
                        toMs: wish.range.upperBound, atMs: isHere ? playhead.ms : nil, columns: wish.columns.count)),
                .peaks(wish))
        }
    }

    // MARK: - Time

    /// Lets time pass.
    mutating func advance(to now: Int64) -> [PlayerEffect] {
        let seconds = Double(max(0, now - frameAt)) / 1000
        frameAt = now
        guard timeline.needsFrames, seconds > 0 else { return [] }
        return handle(.frame(seconds: seconds), nil, now)
    }

    /// The shortest time between two frames in ms.
    private static let frameTime: Int64 = 33

    /// Returns the ms until the next frame; `nil` if nothing moves.
    func nextChange(_ now: Int64) -> Int64? {
        guard timeline.needsFrames else { return nil }
        return max(0, frameAt + Self.frameTime - now)
    }
}
