// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PassageMap
import PlaybackCore

/// Gaps of a recording, for which its text is read before the recording goes on.
extension MediaPlaybackController {
    /// The shortest damage, in seconds, for which a text is read: about a sentence.
    private static let shortestGap = 2.0

    /// Looks up what is missing of a recording that begins to play.
    func lookForGaps() {
        let state = machine.state
        guard let works = ports.works, state.owner == .main, let current = state.current, current.item.kind == .audio,
            !isPart, let content = desk[open: current.engine]?.content, content.uri == current.item.uri,
            items.gaps.begin(content)
        else { return }
        let uri = current.item.uri
        Task { [weak self] in
            guard let work = await self?.work(ofRecording: uri, works) else { return }
            await self?.add(work.missingFiles(), of: work)
        }
    }

    /// Returns the work that a recording belongs to; `nil` if it has no text, or if that cannot be read.
    private func work(ofRecording uri: String, _ works: any WorkFinding) async -> Work? {
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
        guard let works = ports.works, machine.state.owner == .main, let current = machine.state.current,
            current.item.kind == .audio, !isPart, let open = desk[open: current.engine],
            open.content.uri == current.item.uri, open.timeline.tracks.indices.contains(track)
        else { return }
        let timeline = open.timeline
        let seconds = Double(range.upperBound - range.lowerBound) / timeline.tracks[track].unitsPerSecond
        let (start, end) = (
            MediaPosition(track: track, units: range.lowerBound), MediaPosition(track: track, units: range.upperBound)
        )
        record(note: "\(Int(seconds.rounded())) s of “\(current.item.title)” are damaged and left out")
        let uri = current.item.uri
        if items.gaps.uri != uri { lookForGaps() }
        Task { [weak self] in
            guard let work = await self?.work(ofRecording: uri, works),
                let gap = seconds >= Self.shortestGap ? work.gap(from: start, to: end) : work.lostSound(at: start)
            else { return }
            await self?.add([gap], of: work)
        }
    }

    private func add(_ gaps: [RecordingGaps.Gap], of work: Work) async {
        guard !gaps.isEmpty, let current = machine.state.current, current.item.uri == items.gaps.uri else { return }
        items.gaps.add(gaps, of: work, in: current.item.uri)
        setLimit()
        // The engine that reads is there when it is needed.
        if let engine = await textEngine() { await prewarm(engine) }
    }

    private func textEngine() async -> EngineID? {
        await ports.engines.installed().first { $0.state == .available && $0.opensByContent && $0.kinds == [.text] }?.id
    }

    /// Returns whether something else goes on where the sound has ended: the text of a gap, or the recording behind it.
    func crossesGap(_ generation: UInt32, atLimit: Bool) -> Bool {
        let state = machine.state
        guard generation == state.generation, state.owner == .main, state.intent == .play, let current = state.current
        else { return false }
        let uri = current.item.uri
        if let crossing = items.gaps.leave(), crossing.text.uri == uri,
            items[opening: uri].limit == .position(MediaPosition(track: 0, units: crossing.gap.text.upperBound)),
            crossing.isWithin(current.position)
        {
            items[opening: uri].limit = nil
            guard let end = crossing.gap.end else { return false }
            record(note: "the text has said what is missing; “\(crossing.recording.title)” goes on")
            goOn(with: crossing.recording, at: end, until: crossing.until)
            return true
        }
        guard let gap = items.gaps.next(in: uri, after: current.position), atLimit || gap.end == nil else {
            return false
        }
        let asked = items[opening: uri].limit.flatMap {
            desk[open: current.engine]?.position(of: $0, from: current.position)
        }
        // The user's own end comes first.
        guard asked.map({ $0 > gap.start }) ?? true, let crossing = items.gaps.cross(gap, until: asked) else {
            return false
        }
        record(note: "a part of “\(current.item.title)” is missing; it is read from “\(crossing.text.title)”")
        goOn(
            with: crossing.text, at: MediaPosition(track: 0, units: gap.text.lowerBound),
            until: MediaPosition(track: 0, units: gap.text.upperBound))
        return true
    }

    private func goOn(with side: WorkSide, at place: MediaPosition, until end: MediaPosition?) {
        var request = PlayRequest(
            item: ItemRequest(
                items: side.items, asText: side.kind == .text, extensions: KnownExtensions(audio: [])),
            start: .at(.position(place)))
        request.until = end.map { .position($0) }
        // What is read in between is heard as fast as the rest.
        request.rate = machine.state.rate
        Task { [weak self] in
            guard let self else { return }
            do throws(PlaybackError) {
                try await self.play(request)
            } catch {
                await self.giveUpCrossing(side, error)
            }
        }
    }

    /// Goes on with the recording if its text cannot be read.
    private func giveUpCrossing(_ side: WorkSide, _ error: PlaybackError) {
        guard let crossing = items.gaps.leave(), side.kind == .text, let end = crossing.gap.end else { return }
        record(note: "the missing part is left out: \(error.message)")
        goOn(with: crossing.recording, at: end, until: nil)
    }
}

extension Work {
    /// The largest share of a gap by which its ends in the text may be off.
    private static let precision = 0.5

    /// Returns the gaps that missing files leave between those that are there.
    func missingFiles() -> [RecordingGaps.Gap] {
        present.indices.compactMap { index in
            let next = index + 1 < present.count ? present[index + 1] : timeline.tracks.count
            guard next > present[index] + 1, let length = timeline.tracks[present[index]].duration else { return nil }
            return gap(
                from: MediaPosition(track: index, units: length),
                to: index + 1 < present.count ? MediaPosition(track: index + 1, units: 0) : nil)
        }
    }

    /// Returns a gap between two places of the recording; `nil` if nothing tells what it would say there.
    ///
    /// - Parameter end: The place at which the recording goes on; `nil` if it ends.
    func gap(from start: MediaPosition, to end: MediaPosition?) -> RecordingGaps.Gap? {
        let whole = timeline.summed ?? timeline.duration
        guard let from = seconds(of: start), let to = end.flatMap(seconds) ?? whole, to > from,
            let first = map.byte(at: from), let last = map.byte(at: to),
            [.exact, .aligned, .anchored].contains(first.grade), first.error <= max(1, (to - from) * Self.precision),
            first.value < last.value
        else { return nil }
        let begin = document.sentenceStart(at: first.value) ?? first.value
        guard begin < last.value else { return nil }
        guard end != nil else { return RecordingGaps.Gap(start: start, end: nil, text: begin..<last.value) }
        // The sentence in which the recording goes on is read whole, and the recording goes on behind it.
        let cut = document.sentence(at: last.value)
        let isCut = cut.map { $0.lowerBound < last.value - 1 } ?? false
        guard isCut, let cut, let behind = map.seconds(at: cut.upperBound),
            let back = recordingPlace(atSeconds: behind.value)
        else { return RecordingGaps.Gap(start: start, end: end, text: begin..<last.value) }
        // A script may say anything.
        guard begin < cut.upperBound else { return nil }
        return RecordingGaps.Gap(start: start, end: back, text: begin..<cut.upperBound)
    }

    /// The seconds by which the sentences beside lost sound may reach over it.
    private static let vicinity = 1.5
    /// The seconds of speech below which nothing is missed.
    private static let leastLoss = 2.0

    /// Returns the gap at a place where sound is lost and the recording's times do not show it, as in an MP3 file.
    ///
    /// Between two places that are known, there is more text then than anybody says in the time.
    func lostSound(at place: MediaPosition) -> RecordingGaps.Gap? {
        guard let now = seconds(of: place), let pace = map.bytesPerSecond,
            let passage = map.passages.first(where: {
                $0.grade == .anchored && !$0.text.isEmpty && $0.sound.upperBound > now - Self.vicinity
            }), passage.sound.lowerBound < now + Self.vicinity
        else { return nil }
        let (before, behind) = (
            max(0, now - passage.sound.lowerBound), max(0, passage.sound.upperBound - now)
        )
        let lost = Double(passage.text.count) / pace - before - behind
        let error = passage.error + PassageMap.pace * min(before, behind)
        guard lost >= max(Self.leastLoss, PassageMap.pace * (before + behind)), error <= max(1, lost * Self.precision)
        else { return nil }
        let size = Double(passage.text.count)
        let first = passage.text.lowerBound + Int64(min(before * pace, size))
        let last = passage.text.upperBound - Int64(min(behind * pace, size))
        guard first < last else { return nil }
        let start = document.sentence(at: first)?.lowerBound ?? first
        let end = document.sentence(at: last - 1)?.upperBound ?? last
        return start < end ? RecordingGaps.Gap(start: place, end: place, text: start..<end) : nil
    }

    private func recordingPlace(atSeconds seconds: Double) -> MediaPosition? {
        let place = timeline.position(atSeconds: seconds)
        return present.firstIndex(of: place.track).map { MediaPosition(track: $0, units: place.units) }
    }
}
