// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import TaskChains

/// Gaps of a recording: what is known of them before they are heard.
extension MediaPlaybackController {
    /// The shortest damage, in seconds, for which a text is read: about a sentence.
    private static let shortestGap = 2.0
    /// The shortest damage, in seconds, of which there is a record.
    private static let shortestRecord = 0.5
    /// The seconds before missing files within which a recording does not begin before its gaps are known.
    private static let vicinity = 10.0
    /// The time that a document has, for all that is looked up in it, until the recording begins without it.
    ///
    /// The clock of the load runs meanwhile, so it is well below ``/PlaybackCore/PlaybackRules/loadLimit``.
    private static let patience = Duration.seconds(5)
    /// The seconds before a gap at which the engine that reads is prepared; a prepared process waits for a minute.
    private static let preparation = 20.0

    /// Looks up what is missing of a recording that was opened, before it is heard if it begins near that.
    func prepareGaps(_ generation: UInt32, _ playing: Playing, at position: MediaPosition) async {
        guard let works = ports.works, playing.item.kind == .audio else { return }
        guard let open = openRecording(generation), open.content.uri == playing.item.uri else { return }
        let elapsed = SleepCountdown.stopwatch(ports.clock)
        items.gaps.begin(open.content)
        for damage in items.gaps.takeEarlyDamage(of: generation) { note(damage: damage.range, in: damage.track) }
        await prepareMissing(generation, playing, at: position, open, works)
        // What is damaged where it begins is not heard if its engine has said so by now.
        for search in items.gaps.searches(of: position, generation: generation) {
            await search.wait(atMost: max(.zero, Self.patience - elapsed()), clock: ports.clock)
        }
    }

    private func prepareMissing(
        _ generation: UInt32, _ playing: Playing, at position: MediaPosition, _ open: LoadedMedia,
        _ works: any WorkFinding
    ) async {
        guard !items.gaps.isSearched else { return }
        let rate = open.timeline.tracks[safe: position.track]?.unitsPerSecond ?? 0
        let parts = await works.missingParts(of: playing.item.uri)
        let isNear = parts.contains { part in
            part.track == position.track && abs(Double(part.units - position.units)) <= Self.vicinity * rate
        }
        guard isNear, openRecording(generation) != nil, items.gaps.search() else { return }
        await search(playing.item.uri, works).wait(atMost: Self.patience, clock: ports.clock)
    }

    /// Notes that a recording is open, before its stream is.
    ///
    /// - Parameter isChosen: `true` if somebody chose a part of it to begin with.
    func noteOpening(_ playing: Playing, isChosen: Bool) {
        let state = machine.state
        guard !isChosen, state.phase == .ready, state.current?.item == playing.item else { return }
        items.gaps.noteOpening(state.generation)
    }

    /// Looks up what is missing of a recording that begins to sound.
    func lookForGaps() {
        guard let works = ports.works, let open = openRecording(machine.state.generation) else { return }
        items.gaps.begin(open.content)
        if items.gaps.search() { search(open.content.uri, works) }
    }

    /// Returns what is open as this generation, if it is a recording that may have gaps.
    private func openRecording(_ generation: UInt32) -> LoadedMedia? {
        let state = machine.state
        guard generation == state.generation, state.owner == .main, let current = state.current,
            current.item.kind == .audio, !isPart, let open = desk[open: current.engine],
            open.content.uri == current.item.uri
        else { return nil }
        return open
    }

    @discardableResult
    private func search(_ uri: String, _ works: any WorkFinding) -> Task<Void, Never> {
        Task { [weak self] in
            guard let work = await self?.work(ofRecording: uri, works) else { return }
            await self?.add(work.missingFiles(), of: work)
        }
    }

    /// Returns the work that a recording belongs to; `nil` if it has no text, or if that cannot be read.
    func work(ofRecording uri: String, _ works: any WorkFinding) async -> Work? {
        guard let other = await works.counterpart(of: uri, kind: .audio) else { return nil }
        do throws(PlaybackError) {
            return try await works.work(of: uri, kind: .audio, with: other)
        } catch {
            record(note: "“\(other.title)” is not read for what is missing: \(error.message)")
            return nil
        }
    }

    /// Takes note of damage that will be heard in a moment.
    func note(damage range: Range<Int64>, in track: Int) {
        let generation = machine.state.generation
        guard let works = ports.works, let current = machine.state.current,
            let open = openRecording(generation), open.timeline.tracks.indices.contains(track)
        else {
            if machine.state.phase == .loading { items.gaps.keepEarly(range, in: track, generation: generation) }
            return
        }
        let seconds = Double(range.upperBound - range.lowerBound) / open.timeline.tracks[track].unitsPerSecond
        let (start, end) = (
            MediaPosition(track: track, units: range.lowerBound), MediaPosition(track: track, units: range.upperBound)
        )
        if seconds >= Self.shortestRecord {
            record(note: "\(Int(seconds.rounded())) s of “\(current.item.title)” are damaged and left out")
        }
        lookForGaps()
        // A file that cannot be opened, of which the engine knows nothing.
        let isFile = range == 0..<0 && track > 0
        if isFile { record(note: "file \(track + 1) of “\(current.item.title)” cannot be opened and is left out") }
        let uri = current.item.uri
        let search = Task { [weak self] in
            guard let work = await self?.work(ofRecording: uri, works),
                let gap = seconds >= Self.shortestGap
                    ? work.gap(from: start, to: end)
                    : isFile ? work.unopened(at: start, isFirst: false) : work.lostSound(at: start)
            else { return }
            await self?.add([gap], of: work)
        }
        items.gaps.note(search, of: range, in: track, generation: generation)
    }

    private func add(_ gaps: [RecordingGaps.Gap], of work: Work) {
        let state = machine.state
        guard !gaps.isEmpty, let current = state.current, current.item.uri == items.gaps.uri else { return }
        items.gaps.add(gaps, of: work, in: current.item.uri, generation: state.generation)
        guard state.phase == .ready else { return }
        setLimit()
        // What it begins with is missing, and the rest may sound already.
        if [.waiting, .sounding, .starved].contains(state.stream), crossesAtStart(state.generation) { return }
        prepareReader(at: current.position)
    }

    // MARK: The engine that reads

    /// Prepares a process of the engine that reads the text, if the recording comes to a gap in a moment.
    func prepareReader(at position: MediaPosition) {
        guard let open = openRecording(machine.state.generation), items.gaps.reader == nil,
            let sides = items.gaps.sides,
            let gap = items.gaps.next(in: open.content.uri, after: position), gap.start.track == position.track,
            let rate = open.timeline.tracks[safe: position.track]?.unitsPerSecond,
            Double(gap.start.units - position.units) <= Self.preparation * machine.state.rate * rate
        else { return }
        Task { [weak self] in await self?.prepareReader(of: sides.text) }
    }

    private func prepareReader(of text: WorkSide) async {
        let request = ItemRequest(items: text.items, asText: true, extensions: KnownExtensions(audio: []))
        guard let found = try? await find(request, engine: nil), items.gaps.sides?.text == text else { return }
        let preferences = await preferences(of: found.item.uri, owner: .main)
        let id = await engine(for: found, preferences)
        guard items.gaps.reader == nil else { return }
        items.gaps.reader = id
        await prewarm(id)
    }

    /// Returns whether an engine is prepared to read the text of what plays.
    func isReader(_ id: EngineID) -> Bool {
        items.gaps.reader == id && machine.state.owner == .main && machine.state.current?.item.uri == items.gaps.uri
    }
}
