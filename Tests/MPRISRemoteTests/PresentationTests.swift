// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

@testable import MPRISRemote

@Suite struct `The news for the bus` {
    private func presentation(_ timeline: RemotePreferences.Timeline = .book, at position: Double = 0) -> Presentation {
        var presentation = Presentation(.by(timeline))
        presentation.take(.book(at: position), .by(timeline), at: 0)
        _ = presentation.tell(position: position)
        return presentation
    }

    @Test func `is told once`() {
        var shown = presentation()
        shown.take(.book(at: 5_000, status: "paused"), .by(.book), at: 10)
        #expect(shown.tell(position: 5_000) == Presentation.News(changes: ["PlaybackStatus"]))
        #expect(shown.tell(position: 5_000) == Presentation.News())
    }

    @Test func `leaves out what was over before the bus took it`() {
        var shown = presentation()
        shown.take(.book(at: 5_000, status: "paused"), .by(.book), at: 10)
        shown.take(.book(at: 5_000), .by(.book), at: 20)
        #expect(shown.tell(position: 5_000) == Presentation.News())
    }

    @Test func `a jump is told with where it led`() {
        var shown = presentation()
        shown.take(.book(at: 90_000), .by(.book), hasJumped: true, at: 10)
        shown.take(.book(at: 90_050), .by(.book), at: 20)
        #expect(shown.tell(position: 90_060) == Presentation.News(seeked: 90_060_000))
        #expect(shown.tell(position: 90_070).seeked == nil)
    }

    @Test(arguments: [(RemotePreferences.Timeline.book, Int64(700_000_000)), (.chapter, 100_000_000)])
    func `a book that resumes at its place does not begin where it is expected`(
        _ timeline: RemotePreferences.Timeline, position: Int64
    ) {
        var shown = Presentation(.by(timeline))
        shown.take(.book(at: 700_000, status: "loading"), .by(timeline), at: 0)
        #expect(shown.tell(position: nil).seeked == nil, "its place is not known yet")
        shown.take(.book(at: 700_000), .by(timeline), at: 10)
        #expect(shown.tell(position: 700_000).seeked == position)
        #expect(shown.tell(position: 700_500).seeked == nil)
    }

    @Test func `a chapter that playback has reached begins where it is expected`() {
        var shown = presentation(.chapter, at: 599_000)
        shown.take(.book(at: 600_030), .by(.chapter), at: 10)
        let news = shown.tell(position: 600_040)
        #expect(news == Presentation.News(changes: ["Metadata"]))
    }

    @Test func `a jump into the middle of another chapter is told`() {
        var shown = presentation(.chapter)
        shown.take(.book(at: 700_000), .by(.chapter), hasJumped: true, at: 10)
        #expect(shown.tell(position: 700_000) == Presentation.News(changes: ["Metadata"], seeked: 100_000_000))
    }

    @Test func `a seek of what plays is shown as a pause only if its sound stays away`() {
        var shown = presentation()
        var moving = NowPlaying.book(at: 90_000, status: "loading")
        moving.status.intent = "play"
        shown.take(moving, .by(.book), hasJumped: true, at: 1_000)
        #expect(shown.tell(position: 90_000).changes == [])
        #expect(shown.settlesAt == 1_500)
        shown.take(moving, .by(.book), at: 1_499)
        #expect(shown.tell(position: 90_000).changes == [])
        shown.take(moving, .by(.book), at: 1_500)
        #expect(shown.tell(position: 90_000).changes == ["PlaybackStatus"] && shown.settlesAt == nil)
    }

    @Test func `a new bus is told only what changes from then on`() {
        var shown = presentation()
        shown.take(.book(at: 5_000, status: "paused"), .by(.book), hasJumped: true, at: 10)
        shown.begin()
        #expect(shown.tell(position: 5_000) == Presentation.News())
    }
}
