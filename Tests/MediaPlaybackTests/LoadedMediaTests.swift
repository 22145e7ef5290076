// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Testing

@Suite struct `Open media` {
    private func media(
        _ lengths: [Int64?], chapters: [Chapter] = [], cue: [CueEntry] = [], kind: ContentKind = .audio,
        synthetic: Double = 1800
    ) -> LoadedMedia {
        LoadedMedia(
            content: Content(
                uri: "x", kind: kind, tracks: lengths.indices.map { .file(path: "/book/\($0).flac") }, title: "x",
                cue: cue),
            description: MediaDescription(
                title: nil, author: nil, tracks: lengths.map(track), chapters: chapters, nativeRates: nil),
            syntheticChapters: synthetic)
    }

    private func track(_ length: Int64?) -> TrackDescription {
        TrackDescription(
            timeline: TimelineTrack(unitsPerSecond: 1000, duration: length, confidence: .container),
            format: AudioFormat(sampleRate: 44_100, channels: 1), encoding: .int16, codec: "test", title: nil)
    }

    private func own(_ track: Int) -> Chapter {
        Chapter(title: "own", track: track, start: 0, end: nil, source: "id3")
    }

    @Test func `a sheet that was asked for takes precedence over the file, one beside the file does not`() {
        let asked = CueEntry(track: 0, start: 150, title: "asked")
        let beside = CueEntry(track: 0, start: 75, title: "beside", isBeside: true)
        let list = { (media: LoadedMedia) in
            media.timeline.chapters.map { "\($0.title ?? "-") \($0.start) \($0.source)" }
        }
        #expect(list(media([9000], chapters: [own(0)], cue: [asked])) == ["asked 2000 cue"])
        #expect(list(media([9000], chapters: [own(0)], cue: [beside])) == ["own 0 id3"])
        #expect(list(media([9000], cue: [beside])) == ["beside 1000 cue"])
        #expect(list(media([9000], cue: [beside, asked])) == ["asked 2000 cue"])
        // Each file is ranked by itself.
        #expect(list(media([9000, 9000], chapters: [own(1)], cue: [beside])) == ["beside 1000 cue", "own 0 id3"])
    }

    @Test func `only a long recording without chapters, or with one that spans it, gets synthetic ones`() {
        let sources = { (media: LoadedMedia) in Set(media.timeline.chapters.map(\.source)) }
        #expect(sources(media([4_000_000])) == ["synthetic"])
        #expect(sources(media([4_000_000], synthetic: 0)).isEmpty)
        #expect(sources(media([4_000_000], kind: .text)).isEmpty)
        #expect(sources(media([4_000_000, 4_000_000])) == ["file"])
        #expect(sources(media([1_000_000])).isEmpty)
        #expect(sources(media([4_000_000], chapters: [own(0)])) == ["synthetic"])
    }

    @Test func `a place in a file is resolved without the lengths of the files before it`() {
        let open = media([nil, 9000])
        let place = { (target: SeekTarget) in open.position(of: target, from: .start) }
        #expect(place(.track(1, seconds: 2.5)) == MediaPosition(track: 1, units: 2500))
        #expect(place(.track(1, seconds: nil)) == MediaPosition(track: 1, units: 0))
        #expect(place(.track(0, seconds: 100)) == MediaPosition(track: 0, units: 100_000))
        #expect(place(.track(2, seconds: nil)) == nil)
        #expect(place(.track(2, seconds: 1)) == nil)
    }
}
