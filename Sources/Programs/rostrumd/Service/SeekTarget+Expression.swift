// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SpeechScript

extension SeekTarget {
    /// Creates a target from a time in the syntax of ``TimeExpression``.
    ///
    /// - Parameter isText: `true` if the item is known to be a text, in which a byte is a place.
    init(_ text: String, relativeAllowed: Bool, isText: Bool = false) throws(PlaybackError) {
        let time: TimeExpression
        do throws(SessionError) {
            time = try TimeExpression(text, relativeAllowed: relativeAllowed)
        } catch {
            throw PlaybackError(.usage, message: error.message)
        }
        switch time {
        case .absolute(let ms): self = .seconds(Double(ms) / 1000)
        case .percent(let percent): self = .fraction(percent / 100)
        case .chapter(let number): self = .chapter(number - 1)
        case .track(let number, let ms): self = .track(number - 1, seconds: ms.map { Double($0) / 1000 })
        case .page(let label): self = .page(label)
        case .sentence(let number): self = .spoken(.sentence, number: number)
        case .paragraph(let number): self = .spoken(.paragraph, number: number)
        case .relative(let ms): self = .relative(Double(ms) / 1000)
        case .sentences, .paragraphs:
            throw PlaybackError(
                .usage, message: "\(text): moves by sentences and paragraphs are for texts, in `seek` and `clip`")
        case .byte(let byte) where isText: self = .position(MediaPosition(track: 0, units: byte))
        case .byte:
            throw PlaybackError(.usage, message: "\(text): bytes are places in texts that are read aloud; give a time")
        }
    }

    /// Creates a target from `next`, `previous`, or a chapter number from 1.
    init(chapter which: String) throws(PlaybackError) {
        switch which {
        case "next": self = .nextChapter
        case "previous": self = .previousChapter
        default:
            guard let number = Int(which), number > 0 else {
                throw PlaybackError(.usage, message: "bad chapter: \(which); give next, previous or a number from 1")
            }
            self = .chapter(number - 1)
        }
    }
}
