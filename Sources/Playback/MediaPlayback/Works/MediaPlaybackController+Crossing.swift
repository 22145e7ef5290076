// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// The ways from a recording to the text of a gap, and back.
extension MediaPlaybackController {
    /// Returns whether something else goes on where the sound has ended: the text of a gap, or the recording behind it.
    func crossesGap(_ generation: UInt32, atLimit: Bool) -> Bool {
        guard let current = crossable(generation) else { return false }
        let uri = current.item.uri
        if let crossing = items.gaps.crossing, crossing.text.uri == uri {
            guard items[opening: uri].limit == .position(crossing.textEnd), crossing.isWithin(current.position) else {
                endCrossing()
                return false
            }
            if goBack(crossing) { return true }
            // Nothing of the recording follows, so this is the end of the book, also for whoever sleeps by then.
            handle(.ended(generation: generation, atLimit: true, endsBook: true))
            return true
        }
        guard let gap = items.gaps.next(in: uri, after: current.position), atLimit || gap.end == nil else {
            return false
        }
        return cross(gap, of: current, generation)
    }

    /// Returns whether something else is heard first where an item begins: the text of a gap, or the recording behind it.
    func crossesAtStart(_ generation: UInt32) -> Bool {
        guard let current = crossable(generation), machine.state.suppressions.isEmpty else { return false }
        let uri = current.item.uri
        if let crossing = items.gaps.crossing, crossing.text.uri == uri {
            guard items[opening: uri].limit == .position(crossing.textEnd), current.position >= crossing.textEnd,
                crossing.isWithin(current.position)
            else { return false }
            return goBack(crossing)
        }
        guard let gap = items.gaps.gap(at: current.position, in: uri, generation: generation) else { return false }
        return cross(gap, of: current, generation)
    }

    private func crossable(_ generation: UInt32) -> Playing? {
        let state = machine.state
        guard generation == state.generation, state.owner == .main, state.intent == .play, state.phase == .ready,
            !isPart
        else { return nil }
        return state.current
    }

    private func cross(_ gap: RecordingGaps.Gap, of current: Playing, _ generation: UInt32) -> Bool {
        let asked = items[opening: current.item.uri].limit.flatMap {
            desk[open: current.engine]?.position(of: $0, from: current.position)
        }
        return cross(gap, of: current, generation, until: asked)
    }

    /// Goes on with the text of a gap; returns `false` if the user's own end comes first.
    ///
    /// - Parameter asked: The user's own end.
    func cross(
        _ gap: RecordingGaps.Gap, of current: Playing, _ generation: UInt32, until asked: MediaPosition?
    ) -> Bool {
        guard let sides = items.gaps.sides else { return false }
        var crossing = GapCrossing(
            gap: gap, recording: sides.recording, text: sides.text, files: items.gaps.files)
        var end = crossing.textEnd
        var isLast = false
        if let asked {
            switch asked <= gap.start ? .before : sides.work?.end(at: asked, in: gap) ?? .behind {
            case .before: return false
            case .within(let byte): (end.units, isLast) = (byte, true)
            case .behind: crossing.until = asked
            }
        }
        if let place = sleepPlace(in: current.item.uri) {
            switch sides.work?.end(at: place, in: gap) ?? .behind {
            case .before:
                guard machine.state.phase == .ready else { return false }
                handle(.sleepPlaceReached(generation: generation, at: gap.start))
                return true
            case .within(let byte): crossing.sleepByte = byte
            case .behind: crossing.sleep = place
            }
        }
        record(note: "a part of “\(current.item.title)” is missing; it is read from “\(crossing.text.title)”")
        if isLast { endCrossing() } else { keep(crossing) }
        let start = items.gaps.takeEntry(of: gap)
        goOn(
            with: crossing.text, at: MediaPosition(track: 0, units: start), until: end, for: crossing, isLast: isLast)
        return true
    }

    /// Goes on with the recording behind a gap whose text was read; returns `false` if nothing follows.
    private func goBack(_ crossing: GapCrossing) -> Bool {
        items[opening: crossing.text.uri].limit = nil
        guard let end = crossing.gap.end else {
            endCrossing()
            return false
        }
        items.gaps.noteRead()
        record(note: "the text has said what is missing; “\(crossing.recording.title)” goes on")
        if items.gaps.uri == crossing.recording.uri, items.gaps.files == crossing.files {
            goOn(with: crossing.recording, at: end, until: crossing.until, for: crossing)
            return true
        }
        Task { [weak self] in
            guard let self else { return }
            let place = await self.place(behind: crossing) ?? end
            await self.goOn(with: crossing.recording, at: place, until: crossing.until, for: crossing)
        }
        return true
    }

    /// Returns where a recording goes on behind a gap that an earlier session read; some of its files may be back.
    private func place(behind crossing: GapCrossing) async -> MediaPosition? {
        guard let works = ports.works, let work = await work(ofRecording: crossing.recording.uri, works) else {
            return nil
        }
        if work.present.count == crossing.files { return crossing.gap.end }
        return work.recordingPlace(of: crossing.textEnd)?.position
    }

    /// Plays a side of the work from a place on.
    ///
    /// - Parameter isLast: `true` if the user's own end lies in the gap, so that nothing follows.
    private func goOn(
        with side: WorkSide, at place: MediaPosition, until end: MediaPosition?, for crossing: GapCrossing,
        isLast: Bool = false
    ) {
        var request = PlayRequest(
            item: ItemRequest(
                items: side.items, asText: side.kind == .text, extensions: KnownExtensions(audio: [])),
            start: .at(.position(place)))
        request.until = end.map { .position($0) }
        // What is read in between is heard as fast as the rest.
        request.rate = machine.state.rate
        request.change = (.gap, nil)
        waitForText()
        let generation = machine.state.generation
        Task { [weak self] in
            guard let self else { return }
            do throws(PlaybackError) {
                try await self.play(request)
            } catch {
                await self.giveUp(crossing, to: side, from: generation, isLast: isLast, error)
            }
        }
    }

    /// Goes on with the recording if its text cannot be read, or else ends what plays.
    ///
    /// - Parameters:
    ///   - side: The side that cannot be played.
    ///   - generation: The generation from which the way led there.
    private func giveUp(
        _ crossing: GapCrossing, to side: WorkSide, from generation: UInt32, isLast: Bool, _ error: PlaybackError
    ) {
        let state = machine.state
        let isText = side.kind == .text
        let isOver = isText && !isLast && items.gaps.crossing?.gap != crossing.gap
        guard error.kind != .busy, state.lookUp == nil, state.owner == .main, !isOver else {
            // Somebody else decides what plays, and may find nothing; a file that cannot be opened waits for nobody.
            failUnopened()
            return
        }
        if isText {
            items.gaps.remove(crossing.gap)
            endCrossing()
            record(note: "the missing part is left out: \(error.message)")
            if !isLast, let end = crossing.gap.end {
                return goOn(with: crossing.recording, at: end, until: crossing.until, for: crossing)
            }
        }
        if failUnopened() { return }
        guard generation == state.generation, state.phase == .ready else { return }
        if isLast { items[opening: crossing.recording.uri].limit = nil }
        if state.stream == .opening {
            // Whoever waits for its sound is told why there is none.
            handle(.streamFailed(generation: generation, error))
        } else {
            handle(.ended(generation: generation, atLimit: true, endsBook: isText && !isLast))
        }
    }

    // MARK: Sleep

    /// Returns where a sleep timer for a chapter ends in the text of a gap or behind it; `nil` if the item is neither.
    func sleepEnd(in current: Playing) -> (place: MediaPosition?, Void)? {
        guard let crossing = items.gaps.crossing else { return nil }
        if current.item.uri == crossing.text.uri {
            // Behind the gap, the timer ends with what it was set to.
            let end = crossing.sleepByte.map { MediaPosition(track: 0, units: $0) }
            return (end.flatMap { $0 > current.position ? $0 : nil }, ())
        }
        guard current.item.uri == crossing.recording.uri, let place = crossing.sleep, place > current.position else {
            return nil
        }
        return (place, ())
    }
}
