// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TimelineGeometry

// What the owner of the clip plays.
extension ClipScreen {
    func control(_ command: SessionCommand, _ request: ClipRequest = .control) -> PlayerEffect {
        send(.addressed(Address(owner: owner), command), request)
    }

    /// Takes audio focus, if the owner has not claimed it yet.
    mutating func claim() -> [PlayerEffect] {
        guard let owner, !playback.hasFocus else { return [] }
        playback.hasFocus = true
        return [send(.claim(owner, isAttached: true))]
    }

    /// Gives audio focus back; what played before goes on.
    mutating func release() -> [PlayerEffect] {
        guard let owner, playback.hasFocus else { return [] }
        playback.stop()
        _ = timeline.handle(.stopped)
        return [send(.release(owner))]
    }

    /// Plays a passage; without an end, to the end of the recording.
    mutating func play(
        _ kind: ClipPlayback.Part, from start: Int64, to end: Int64?, loops: Bool = false
    ) -> [PlayerEffect] {
        guard let owner, let tracks, start < end ?? tracks.end ?? .max else { return [] }
        let effects = claim()
        var parameters = PlayParameters()
        parameters.items = tracks.items
        parameters.at = tracks.time(of: start)
        parameters.until = (end ?? tracks.end).map { tracks.time(of: $0) } ?? "100%"
        parameters.owner = owner
        parameters.loop = loops ? true : nil
        playback.begin(kind, start..<(end ?? Int64.max >> 1))
        jump(to: start)
        return effects + [send(.clip(parameters), .play(playback.number))]
    }

    mutating func playSelection() -> [PlayerEffect] {
        guard let selection = timeline.selection else { return [] }
        return play(.selection, from: selection.start, to: selection.end, loops: playback.loops)
    }

    /// Plays from a place: within the selection to its end, otherwise on and on.
    mutating func play(from position: Int64) -> [PlayerEffect] {
        guard let selection = timeline.selection, (selection.start..<selection.end).contains(position) else {
            return play(.passage, from: position, to: nil)
        }
        if position == selection.start { return playSelection() }
        let effects = play(.selection, from: position, to: selection.end)
        playback.widensWhenAudible = playback.loops
        return effects
    }

    mutating func togglePlayback() -> [PlayerEffect] {
        if playback.isActive { return [control(.pause)] }
        if playback.isPaused, let part = playback.part, part.range.contains(timeline.geometry.position) {
            return claim() + [control(.resume)]
        }
        return play(from: timeline.geometry.position)
    }

    /// Goes to a place in what plays, or plays from there.
    mutating func seek(to position: Int64) -> [PlayerEffect] {
        guard let part = playback.part, playback.isActive || playback.isPaused, let tracks else {
            _ = timeline.handle(.answered)
            return []
        }
        if part.range.contains(position) { return [control(.seek(tracks.time(of: position)), .seek)] }
        _ = timeline.handle(.answered)
        if playback.isActive { return play(from: position) }
        playback.end()
        return []
    }

    /// Moves the bounds of the selection that plays.
    mutating func moveBounds(to selection: TimelineSelection) -> [PlayerEffect] {
        guard playback.part?.kind == .selection, !playback.widensWhenAudible, playback.isActive || playback.isPaused
        else { return [] }
        return range(selection.start..<selection.end)
    }

    private mutating func range(_ range: Range<Int64>) -> [PlayerEffect] {
        guard let tracks, let owner, !range.isEmpty else { return [] }
        playback.move(to: range)
        var action = ClipAction(.range)
        action.owner = owner
        action.start = tracks.time(of: range.lowerBound)
        action.end = tracks.time(of: range.upperBound)
        action.loop = playback.loops ? true : nil
        return [send(.manageClips(action), .range)]
    }

    mutating func toggleLoop() -> [PlayerEffect] {
        playback.loops.toggle()
        return timeline.selection.map { moveBounds(to: $0) } ?? []
    }

    // MARK: - The session

    /// Takes what the session says of the clip's owner.
    mutating func take(_ status: Status, _ now: Int64) -> [PlayerEffect] {
        var effects = advance(to: now)
        let before = playback.status?.status
        playback.take(status)
        guard status.item != nil, status.status != "ended" else {
            effects += handle(.stopped, nil, now)
            if status.status == "ended", before != "ended" { effects += ended() }
            return effects
        }
        if let count = status.track?.count { tracks?.learn(count: count) }
        if chapters.isEmpty, before == nil || before == "loading" { effects.append(control(.contents, .contents)) }
        if let position = position(status) {
            effects += handle(
                .followed(position: position, rate: playback.isSounding ? status.rate : 0, age: 0), nil, now)
        }
        if playback.isSounding, playback.widensWhenAudible, let selection = timeline.selection {
            playback.widensWhenAudible = false
            effects += range(selection.start..<selection.end)
        }
        return effects
    }

    /// Returns to where the part began; a viewer gives the sound back.
    private mutating func ended() -> [PlayerEffect] {
        if let start = playback.part?.range.lowerBound { jump(to: start) }
        playback.end()
        return mode == .viewing ? release() : []
    }

    private func position(_ status: Status) -> Int64? {
        if let track = status.track, let ms = track.positionMs, let place = tracks?.position(of: track.index, ms: ms) {
            return place
        }
        return tracks?.isBookTime == true ? status.position.ms : nil
    }

    /// Takes a part of the waveform, and with it the length of its file.
    mutating func take(_ info: WaveformInfo, to wish: WaveformWish, _ now: Int64) -> [PlayerEffect] {
        sound.take(info, to: wish)
        tracks?.learn(wish.track, length: info.trackMs, isExact: info.isComplete)
        place()
        return measure(now)
    }

    /// Tells the timeline how long the recording is, as far as that is known; never shorter than what is saved.
    mutating func measure(_ now: Int64) -> [PlayerEffect] {
        guard let tracks, let selection = timeline.selection else { return supplies() }
        let end = max(tracks.reach(atLeast: selection.end), saved?.end ?? 0)
        return handle(.measured(end), nil, now)
    }
}
