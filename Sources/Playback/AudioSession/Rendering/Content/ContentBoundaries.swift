// SPDX-License-Identifier: Apache-2.0

/// The boundaries in the content that no silence is left out across: the beginnings of its chapters and tracks.
struct ContentBoundaries {
    /// The beginnings of the chapters, in order.
    private let chapters: [HeardPosition]
    /// The track that was read last, which the next block may continue.
    private var lastTrack: Int?
    /// `true` if a chapter begins right behind what was read.
    private var isDue = false

    init(_ chapters: [HeardPosition]) {
        self.chapters = chapters
    }

    /// Reads into a block, and returns `true` if a chapter or track begins with it.
    mutating func begin(_ block: PCMBlock) -> Bool {
        defer {
            isDue = false
            lastTrack = block.track
        }
        return isDue || block.track != lastTrack
    }

    /// Returns the number of frames to read of a block: no more than `room`, and none of the next chapter.
    mutating func frames(of block: PCMBlock, room: Int) -> Int {
        let frames = min(block.frames, room)
        guard let next = framesToChapter(in: block), next <= frames else { return frames }
        isDue = true
        return next
    }

    /// Returns the number of frames of a block before the next chapter, if the chapter begins in the block or right
    /// behind it.
    private func framesToChapter(in block: PCMBlock) -> Int? {
        guard !chapters.isEmpty, block.positionEnd > block.position else { return nil }
        var low = 0
        var high = chapters.count
        while low < high {
            let middle = (low + high) / 2
            let place = chapters[middle]
            if (place.track, place.units) <= (block.track, block.position) { low = middle + 1 } else { high = middle }
        }
        guard low < chapters.count, chapters[low].track == block.track, chapters[low].units <= block.positionEnd
        else { return nil }
        let units = chapters[low].units - block.position
        return max(1, Int(Double(block.frames) * Double(units) / Double(block.positionEnd - block.position)))
    }
}
