// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PlaybackCore
import SessionProtocol

extension History {
    init(_ entries: [HistoryEntry], _ spans: [ListeningSpan]) {
        self.init(
            jumps: entries.map { entry in
                Jump(
                    at: entry.at, cause: entry.jump.cause.rawValue,
                    from: Place(entry.jump.from, ms: entry.fromMilliseconds),
                    to: Place(entry.jump.to, ms: entry.toMilliseconds), undone: entry.isUndone)
            },
            listened: spans.map { span in
                Span(
                    began: span.began, ended: span.ended,
                    from: Place(uri: span.uri, title: span.title, ms: span.fromMilliseconds),
                    to: Place(uri: span.uri, title: span.title, ms: span.toMilliseconds))
            })
    }
}

extension History.Place {
    fileprivate init(_ playing: Playing, ms: Int64?) {
        self.init(uri: playing.item.uri, title: playing.item.title, ms: ms)
    }
}

extension SleepChoices {
    init(_ view: SleepChoicesView) {
        self.init(
            sleep: view.timer.map { Status.Sleep($0) },
            chapters: view.chapters.map { chapter in
                let remaining = BookTimeline.milliseconds(chapter.seconds)
                return Chapter(
                    index: chapter.index, title: chapter.title, endMs: chapter.endMs, remainingMs: remaining,
                    at: view.now + remaining)
            })
    }
}

extension SleepRequest {
    /// Creates a request from a time, which has been validated when the command arrived.
    init(_ wish: String) throws(PlaybackError) {
        do throws(SessionError) {
            switch try SleepExpression(wish) {
            case .duration(let ms): self = .duration(milliseconds: Int(ms))
            case .extend(let ms): self = .extend(milliseconds: Int(ms))
            case .chapter(let number): self = .chapter(number.map { $0 - 1 })
            case .book: self = .book
            case .off: self = .off
            }
        } catch {
            throw PlaybackError(.usage, message: error.message)
        }
    }
}
