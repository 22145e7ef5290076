// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MPRISRemote
import MediaPlayback
import PlaybackCore
import SessionProtocol
import Synchronization

/// The state of the controller as remotes show it, and whether its position has jumped.
final class NowPlayingView: Sendable {
    private struct Shown {
        var uri: String
        var generation: UInt32
        /// `false` while the item is being opened: it begins where it turns out to.
        var isOpen: Bool
        var position: AudiblePosition
    }

    private struct State {
        var last: Shown?
        /// The chapters of the timeline that was shown last; a long book has hundreds.
        var timeline: BookTimeline?
        var chapters: [NowPlaying.Chapter] = []
        /// The cover of an item, once the library was asked for it.
        var cover: (uri: String, path: String?)?
    }

    /// The distance in seconds below which a position is not a jump: sound that goes on from where it was heard.
    private static let tolerance = 0.02

    // A lock, because the library answers on another thread; it is held for a step.
    private let state = Mutex(State())

    /// Returns a snapshot as remotes show it, and whether its position has jumped within the item.
    ///
    /// Called for each snapshot in order, as soon as there is one: the position of the state before is still the one
    /// that is audible.
    func show(_ snapshot: PlaybackSnapshot) -> (now: NowPlaying, hasJumped: Bool) {
        let playing = snapshot.state.current
        let audible = snapshot.audible
        return state.withLock { state in
            var hasJumped = false
            let isOpen = snapshot.state.phase != .loading
            if let playing, let last = state.last, last.uri == playing.item.uri, let to = audible.seconds(),
                let from = last.position.seconds()
            {
                // Within a generation, the sound of an item that is open is continuous.
                let mayJump = last.generation != snapshot.state.generation || !last.isOpen && isOpen
                hasJumped = mayJump && abs(from - to) > Self.tolerance
            }
            // A reopened item has no position before its timeline is known; the one before is still compared.
            if let playing {
                if audible.seconds() != nil || state.last?.uri != playing.item.uri {
                    state.last = Shown(
                        uri: playing.item.uri, generation: snapshot.state.generation, isOpen: isOpen,
                        position: audible)
                }
            } else {
                state.last = nil
            }
            if let timeline = snapshot.media?.timeline, timeline != state.timeline {
                state.timeline = timeline
                state.chapters = Self.chapters(of: timeline)
            }
            let cover = state.cover.flatMap { $0.uri == playing?.item.uri ? $0.path : nil }
            let now = NowPlaying(
                status: Status(snapshot), chapters: snapshot.media == nil ? [] : state.chapters, cover: cover,
                canResume: !snapshot.isRestored || snapshot.state.remembered[.main]?[.audio] != nil,
                isComing: snapshot.state.isComing(nil),
                position: { audible.seconds().map { $0 * 1000 } })
            return (now, hasJumped)
        }
    }

    /// Returns the item whose cover is not known yet.
    func itemWithoutCover(_ snapshot: PlaybackSnapshot) -> String? {
        guard let uri = snapshot.state.current?.item.uri else { return nil }
        return state.withLock { state in
            guard state.cover?.uri != uri else { return nil }
            state.cover = (uri, nil)
            return uri
        }
    }

    /// Takes the cover of an item; returns `false` if there is none, or another item plays by now.
    func take(cover: String?, of uri: String) -> Bool {
        state.withLock { state in
            guard let cover, state.cover?.uri == uri else { return false }
            state.cover = (uri, cover)
            return true
        }
    }

    /// Forgets that the cover of an item was asked for.
    func forgetCover(of uri: String) {
        state.withLock { state in
            if state.cover?.uri == uri { state.cover = nil }
        }
    }

    /// Returns the chapters, or none if the times of one are unknown.
    private static func chapters(of timeline: BookTimeline) -> [NowPlaying.Chapter] {
        var chapters: [NowPlaying.Chapter] = []
        for index in timeline.chapters.indices {
            guard let start = timeline.start(ofChapter: index).flatMap(timeline.milliseconds),
                let end = timeline.end(ofChapter: index).flatMap(timeline.milliseconds), end >= start
            else { return [] }
            chapters.append(NowPlaying.Chapter(title: timeline.chapters[index].title, startMs: start, endMs: end))
        }
        return chapters
    }
}
