// SPDX-License-Identifier: Apache-2.0

/// The map from frames of the stream to content frames: both counts are the same except for the silence of pauses.
final class StreamMap {
    private struct Piece: BitwiseCopyable {
        var stream: Int64
        var content: Int64
        var isSilence: Bool
    }

    private let pieces = FixedTable<Piece>(capacity: 256)

    var isEmpty: Bool { pieces.count == 0 }

    /// Records that sound from `content` on is heard from `stream` on.
    func sound(at stream: Int64, content: Int64) {
        if let last = pieces.last, !last.isSilence, last.content + (stream - last.stream) == content { return }
        pieces.append(Piece(stream: stream, content: content, isSilence: false))
    }

    /// Records silence from `stream` on, in front of `content`.
    func silence(at stream: Int64, content: Int64) {
        if let last = pieces.last, last.isSilence, last.content == content { return }
        pieces.append(Piece(stream: stream, content: content, isSilence: true))
    }

    /// Returns the content frame at (or, in silence, next after) this frame; `nil` before the first sound.
    func content(at stream: Int64) -> Int64? {
        var index = pieces.count - 1
        while index >= 0 {
            let piece = pieces[index]
            if piece.stream <= stream {
                return piece.isSilence ? piece.content : piece.content + (stream - piece.stream)
            }
            index -= 1
        }
        return nil
    }

    /// Forgets everything from `stream` on, which is written again.
    func cut(at stream: Int64) {
        while let last = pieces.last, last.stream >= stream { pieces.removeLast() }
    }

    /// Forgets what was heard before `stream`.
    func forget(before stream: Int64) {
        while pieces.count > 1, pieces[1].stream <= stream { pieces.removeFirst() }
    }
}
