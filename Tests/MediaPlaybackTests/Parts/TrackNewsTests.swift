// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `News about tracks` {
    private let id = EngineID("ffmpeg")

    private func track(_ seconds: Int64) -> TrackDescription {
        TrackDescription(
            timeline: TimelineTrack(unitsPerSecond: 1, duration: seconds, confidence: .exact),
            format: AudioFormat(sampleRate: 44_100, channels: 2), encoding: .float32, codec: "flac", title: nil)
    }

    private func add(
        _ seconds: Int64, at index: Int, in uri: String = "a", to news: inout TrackNews, isFollowed: Bool = false
    ) {
        news.add(track(seconds), at: index, in: uri, by: id, isFollowed: isFollowed)
    }

    private func lengths(_ tracks: [Int: TrackDescription]) -> [Int: Int64?] { tracks.mapValues(\.timeline.duration) }

    @Test func `is collected, and taken out once`() {
        var news = TrackNews()
        add(60, at: 0, to: &news)
        add(70, at: 1, to: &news)
        add(61, at: 0, to: &news)
        #expect(news.engines == [id])
        #expect(lengths(news.take(of: "a", by: id)) == [0: 61, 1: 70])
        #expect(news.engines == [] && news.take(of: "a", by: id).isEmpty)
    }

    @Test func `is dropped if it is about another item`() {
        var news = TrackNews()
        add(60, at: 0, to: &news)
        add(70, at: 1, in: "b", to: &news)
        #expect(lengths(news.take(of: "b", by: id)) == [1: 70], "the engine has another item since")
        add(60, at: 0, to: &news)
        #expect(news.take(of: "b", by: id).isEmpty && news.engines == [])
        add(60, at: 0, to: &news)
        #expect(news.take(of: nil, by: id).isEmpty && news.engines == [])
    }

    @Test func `is to be checked once, in the order of tracks, if it was taken up`() {
        var news = TrackNews()
        for index in [2, 0, 1] { add(60, at: index, to: &news) }
        #expect(news.takeUnchecked().isEmpty)
        _ = news.take(of: "a", by: id)
        #expect(news.takeUnchecked().map(\.track) == [0, 1, 2])
        #expect(news.takeUnchecked().isEmpty)
        add(60, at: 0, to: &news)
        _ = news.take(of: "b", by: id)
        #expect(news.takeUnchecked().isEmpty, "it was dropped")
    }

    @Test func `is published once, and only if the item has audio focus`() {
        var news = TrackNews()
        add(60, at: 0, to: &news)
        var told = [news.takeUntold()]
        add(60, at: 0, to: &news, isFollowed: true)
        add(60, at: 1, to: &news)
        told += [news.takeUntold(), news.takeUntold()]
        #expect(told == [false, true, false])
    }

    @Test func `waits for the end of an interval, which says if there is any`() {
        var news = TrackNews()
        #expect(!news.isPaused)
        news.pause(by: Task {})
        #expect(news.isPaused)
        var isAny = [news.endPause()]
        #expect(!news.isPaused)
        add(60, at: 0, to: &news)
        isAny.append(news.endPause())
        _ = news.take(of: "a", by: id)
        isAny.append(news.endPause())
        _ = news.takeUnchecked()
        isAny.append(news.endPause())
        add(60, at: 0, to: &news, isFollowed: true)
        _ = news.take(of: "b", by: id)
        isAny.append(news.endPause())
        #expect(isAny == [false, true, true, false, true], "none, not taken up, not checked, none, not published")
    }
}
