// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import SessionProtocol
import TransitionRecords

extension Status {
    /// Creates the status that clients get for a snapshot.
    init(_ snapshot: PlaybackSnapshot) {
        let state = snapshot.state
        let aside = snapshot.aside
        let playing = aside.map { $0.view.playing } ?? state.current
        let media = snapshot.media
        let timeline = media?.timeline
        let position = snapshot.position
        self.init(
            status: (aside?.view.status ?? state.status).rawValue,
            intent: (aside == nil ? state.intent : playing == nil ? .stop : .pause).rawValue,
            suppression: (aside == nil ? state.suppression : aside?.view.suppression)?.rawValue,
            engine: playing?.engine.rawValue, owner: (aside?.owner ?? state.owner).rawValue,
            item: Item(snapshot),
            position: Position(
                ms: position.flatMap { timeline?.milliseconds(of: $0) },
                provenance: timeline == nil ? Provenance.unknown.rawValue : snapshot.provenance.rawValue),
            duration: Duration(
                ms: timeline?.duration.map(BookTimeline.milliseconds),
                confidence: (timeline?.duration == nil ? Confidence.unknown : timeline?.confidence ?? .unknown).rawValue
            ),
            track: Self.track(position, timeline), chapter: Self.chapter(position, timeline),
            text: Self.text(position, playing, media), rate: aside?.view.rate ?? state.rate,
            volume: aside?.view.volume ?? state.volume,
            sleep: snapshot.sleep.map { Sleep($0) },
            sound: Sound(snapshot.sound),
            session: Session(
                active: snapshot.isSessionActive, output: snapshot.route?.output, route: snapshot.route?.device,
                hungOutputs: snapshot.hungOutputs > 0 ? snapshot.hungOutputs : nil,
                lost: state.suppressions.contains(.outage) ? true : nil),
            error: (aside == nil ? state.error : nil).map { Failure(code: $0.kind.exitCode, message: $0.message) },
            warning: snapshot.warning, page: Self.page(position, playing, media))
    }

    private static func track(_ position: MediaPosition?, _ timeline: BookTimeline?) -> Track? {
        guard let position, let timeline, timeline.tracks.indices.contains(position.track) else { return nil }
        let track = timeline.tracks[position.track]
        return Track(
            index: position.track, count: timeline.tracks.count,
            positionMs: BookTimeline.milliseconds(Double(position.units) / track.unitsPerSecond),
            durationMs: track.duration.map { BookTimeline.milliseconds(Double($0) / track.unitsPerSecond) })
    }

    private static func chapter(_ position: MediaPosition?, _ timeline: BookTimeline?) -> Chapter? {
        guard let position, let timeline, let index = timeline.chapterIndex(at: position) else { return nil }
        return Chapter(
            index: index, count: timeline.chapters.count, title: timeline.chapters[index].title,
            startMs: timeline.start(ofChapter: index).flatMap(timeline.milliseconds),
            endMs: timeline.end(ofChapter: index).flatMap(timeline.milliseconds))
    }

    private static func page(_ position: MediaPosition?, _ playing: Playing?, _ media: LoadedMedia?) -> Page? {
        guard playing?.item.kind == .text, let position, let document = media?.content.document,
            let index = document.pageIndex(at: position.units)
        else { return nil }
        return Page(label: document.pages[index].label, index: index, count: document.pages.count)
    }

    private static func text(_ position: MediaPosition?, _ playing: Playing?, _ media: LoadedMedia?) -> Text? {
        guard playing?.item.kind == .text, let position, let mark = media?.marks.heard(at: position.units) else {
            return nil
        }
        return Text(offset: mark.position, length: mark.length)
    }
}

extension Status.Item {
    /// Creates the item that is loaded; `nil` if nothing is.
    init?(_ snapshot: PlaybackSnapshot) {
        let loaded = snapshot.aside.map { $0.view.playing } ?? snapshot.state.current
        guard let item = loaded?.item else { return nil }
        self.init(
            uri: item.uri, title: snapshot.media?.title ?? item.title, author: snapshot.media?.author)
    }
}

extension Status.Sleep {
    init(_ view: SleepView) { self.init(remainingMs: view.remaining, end: view.end, setAtMs: view.setAt) }
}

extension PlaybackSnapshot {
    /// The playing time until the next chapter begins, or a part that repeats begins again; `nil` if neither follows.
    var untilBoundary: Duration? {
        guard state.status == .playing, state.rate > 0, let timeline = media?.timeline, let position,
            let now = timeline.milliseconds(of: position)
        else { return nil }
        let repeats = media?.content.clip?.loops == true ? media?.partEnd.flatMap(timeline.milliseconds) : nil
        guard let end = [timeline.nextBoundary(after: position), repeats].compactMap(\.self).filter({ $0 > now }).min()
        else { return nil }
        return .milliseconds(Int64(min(Double(end - now) / max(state.rate, 0.01), 9e15)))
    }
}

extension BookTimeline {
    /// Returns the time in milliseconds at which the chapter at a position ends; between chapters, at which one begins.
    fileprivate func nextBoundary(after position: MediaPosition) -> Int64? {
        if let index = chapterIndex(at: position) { return end(ofChapter: index).flatMap(milliseconds) }
        guard let now = milliseconds(of: position) else { return nil }
        return chapters.indices.lazy.compactMap { start(ofChapter: $0).flatMap(milliseconds) }.first { $0 > now }
    }
}

extension Status.Sound {
    /// Creates the options; `nil` if all have their defaults.
    init?(_ sound: SoundOptions) {
        guard sound != SoundOptions() else { return nil }
        self.init(mono: sound.isMono, balance: sound.balance, loudness: sound.loudness, silence: sound.silence)
    }
}

extension SoundOverrides {
    mutating func take(_ option: OptionExpression) {
        switch option {
        case .mono(let isMono): self.isMono = isMono
        case .balance(let balance): self.balance = balance
        case .loudness(let loudness): self.loudness = loudness
        case .silence(let silence): self.silence = silence
        }
    }
}

extension Inspection {
    init(_ media: LoadedMedia) {
        let tracks = media.description.tracks.enumerated().map { index, track in
            Track(
                index: index, uri: media.content.trackURI(index) ?? media.content.uri,
                durationMs: track.timeline.duration.map {
                    BookTimeline.milliseconds(Double($0) / track.timeline.unitsPerSecond)
                },
                codec: track.codec, sampleRate: track.format.sampleRate, channels: track.format.channels)
        }
        let timeline = media.timeline
        // The files of a book are tracks, not chapters; they are used as chapters only to move about during playback.
        let chapters = timeline.chapters.first?.source == "file" ? [] : Chapter.all(of: timeline)
        self.init(
            uri: media.content.uri, title: media.title, author: media.author,
            durationMs: timeline.duration.map(BookTimeline.milliseconds),
            durationConfidence: (timeline.duration == nil ? Confidence.unknown : timeline.confidence).rawValue,
            tracks: tracks,
            chapters: chapters)
    }
}

extension EngineInfo {
    init(_ engine: InstalledEngine) {
        self.init(
            id: engine.id.rawValue, name: engine.name, version: engine.version, vendor: engine.vendor,
            license: engine.license, abi: engine.abi, kinds: engine.kinds.map(\.rawValue),
            hosting: engine.hosting.rawValue, state: engine.state.rawValue, path: engine.path, reason: engine.reason)
    }
}
