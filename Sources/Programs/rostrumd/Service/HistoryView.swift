// SPDX-License-Identifier: Apache-2.0

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

extension SleepRequest {
    /// The wish was read, and refused if it means nothing, when the command came.
    init(_ wish: String) throws(PlaybackError) {
        do throws(SessionError) {
            switch try SleepExpression(wish) {
            case .duration(let ms): self = .duration(milliseconds: Int(ms))
            case .extend(let ms): self = .extend(milliseconds: Int(ms))
            case .chapter: self = .chapter
            case .book: self = .book
            case .off: self = .off
            }
        } catch {
            throw PlaybackError(code: error.code.rawValue, message: error.message)
        }
    }
}
