// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// A clock that derives positions from packet numbers, using the complete index of an MP4 file.
///
/// The index is the sample table, so a seek reads nothing, and wrong time stamps do no harm.
final class EntryClock {
    private let stream: UnsafeMutablePointer<AVStream>
    let count: Int
    /// The number of samples in every packet but the last.
    let frameSize: Int64
    private var next = 0

    init(stream: UnsafeMutablePointer<AVStream>, frameSize: Int64) {
        self.stream = stream
        self.frameSize = frameSize
        count = Int(avformat_index_get_entries_count(stream))
    }

    private func entry(_ number: Int) -> AVIndexEntry? {
        avformat_index_get_entry(stream, Int32(clamping: number))?.pointee
    }

    func raw(_ stamp: Int64) -> Int64? {
        if let entry = entry(next), entry.timestamp == stamp {
            next += 1
            return Int64(next - 1) * frameSize
        }
        let number = av_index_search_timestamp(stream, stamp, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY)
        guard number >= 0, let entry = entry(Int(number)), entry.timestamp == stamp else { return nil }
        next = Int(number) + 1
        return Int64(number) * frameSize
    }

    /// Returns the time stamp of the packet that holds a raw position.
    func stamp(_ raw: Int64) -> Int64? {
        entry(min(max(0, Int(raw / frameSize)), count - 1))?.timestamp
    }

    /// Returns `true` if packets in the middle are edited out, so that their numbers say nothing.
    ///
    /// It looks through the whole index only if its time stamps show that something is missing.
    func hasInnerEdits(timeBase: AVRational, rate: Int32) -> Bool {
        guard let first = entry(0), let last = entry(count - 1) else { return true }
        let spanned = av_rescale_q(
            last.timestamp &- first.timestamp, timeBase, AVRational(num: 1, den: rate))
        guard abs(spanned &- Int64(count - 1) * frameSize) > frameSize / 2 else { return false }
        var hasBegun = false
        for number in 0..<count {
            guard let entry = entry(number) else { return true }
            let isDiscarded = cff_entry_flags(entry) & AVINDEX_DISCARD_FRAME != 0
            if isDiscarded, hasBegun { return true }
            if !isDiscarded { hasBegun = true }
        }
        return false
    }

    /// Returns the raw position at which the last packet that the file holds ends.
    ///
    /// It also returns whether the file holds all that its index lists. The last packet's own share is what the
    /// container says the stream lasts, less the time stamps before it.
    func end(
        skip: Int64, rate: Int32, fileSize: Int64?, header: MediaHeader?
    ) -> (raw: Int64, isComplete: Bool) {
        let present = fileSize.map { entriesWithin($0) } ?? count
        guard present == count, let first = entry(0), let last = entry(count - 1) else {
            return (Int64(present) * frameSize, false)
        }
        let samples = AVRational(num: 1, den: rate)
        let duration = stream.pointee.duration
        guard duration != CFF_NO_TIME, duration > 0 else { return (Int64(count) * frameSize, true) }
        var rest = av_rescale_q(
            first.timestamp &+ duration &- last.timestamp, stream.pointee.time_base, samples)
        // With an edit list, time begins behind the encoder's delay, and so does the duration.
        if first.timestamp < 0 { rest = rest &+ skip }
        let before = Int64(count - 1) * frameSize
        let allowed = 1...frameSize
        if let header {
            // This is the sum of the sample table, exact to the sample, unless the edit list means something else.
            let sum = av_rescale(header.duration, Int64(rate), header.timeScale) &- before
            if allowed.contains(sum), abs(sum &- rest) <= Int64(rate) / 500 { rest = sum }
        }
        return (before + (allowed.contains(rest) ? rest : frameSize), true)
    }

    private func entriesWithin(_ size: Int64) -> Int {
        func fits(_ number: Int) -> Bool {
            guard let entry = entry(number) else { return false }
            return entry.pos &+ Int64(cff_entry_size(entry)) <= size
        }
        if fits(count - 1) { return count }
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high) / 2
            if fits(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
