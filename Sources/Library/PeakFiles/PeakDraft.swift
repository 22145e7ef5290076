// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// The peaks of a track while they are being made: a file with a slot for each segment, in any order.
///
/// A slot says which segment it holds and has a checksum. There is no list of what is done that could contradict the
/// slots: a slot that a kill or a power cut left half written does not pass its check and is made again. The file begins
/// with a head that says what it is about; a file with another head is emptied.
///
/// It is used by one task at a time.
final class PeakDraft {
    private let file: PeakFile
    /// The segments that are complete.
    private(set) var done: Set<Int> = []
    /// The segment with the end of the track in it; its slot is not full.
    private(set) var last: Int?

    /// The bytes that identify the format; the last one is the version.
    private static let magic = Array("RostrPk".utf8) + [1]
    private static let headSize = 4096
    /// The checksum, the number of the segment and the number of its peaks.
    private static let slotHead = 16
    /// The size of a slot with its head.
    static let slotSize = slotHead + PeakLevels.segment * PeakBytes.peakSize

    /// Opens or creates the file, and checks what is in it.
    ///
    /// - Parameter visit: Is called with each segment that is complete, in order.
    init(path: String, sampleRate: Int, visit: (Int, [Peak]) -> Void) throws(PeakFileError) {
        file = try PeakFile.create(path)
        guard file.lock() else { throw PeakFileError(.inUse, "\(path) is in use by another session") }
        let head = Self.head(sampleRate)
        guard file.read(at: 0, count: head.count) == head else {
            try file.truncate(to: 0)
            try file.write(head, at: 0)
            return
        }
        let slots = ((file.size ?? 0) - Int64(Self.headSize)) / Int64(Self.slotSize) + 1
        for segment in 0..<Int(min(max(0, slots), Int64(PeakLevels.mostSegments))) {
            guard let peaks = slot(segment), note(segment, peaks.count) else { continue }
            visit(segment, peaks)
        }
    }

    private static func head(_ sampleRate: Int) -> [UInt8] {
        var bytes = magic
        for number in [sampleRate, PeakLevels.finest, PeakLevels.segment] {
            PeakBytes.put(UInt32(clamping: number), to: &bytes)
        }
        return bytes
    }

    private func offset(_ segment: Int) -> Int64 { Int64(Self.headSize) + Int64(segment) * Int64(Self.slotSize) }

    /// Notes a complete segment; returns `false` if it contradicts what is known about the end.
    private func note(_ segment: Int, _ count: Int) -> Bool {
        if count < PeakLevels.segment {
            guard last == nil || last == segment, done.allSatisfy({ $0 <= segment }) else { return false }
            last = segment
        } else if let last, segment >= last {
            return false
        }
        done.insert(segment)
        return true
    }

    /// Returns the peaks of a slot, or `nil` if it is not complete.
    private func slot(_ segment: Int) -> [Peak]? {
        guard let head = file.read(at: offset(segment), count: Self.slotHead) else { return nil }
        let count = Int(PeakBytes.number(head, at: 12, UInt32.self))
        guard PeakBytes.number(head, at: 8, UInt32.self) == UInt32(clamping: segment), count <= PeakLevels.segment,
            let body = file.read(at: offset(segment) + Int64(Self.slotHead), count: count * PeakBytes.peakSize),
            PeakBytes.number(head, at: 0, UInt64.self) == Self.checksum(segment, count, body)
        else { return nil }
        return PeakBytes.peaks(body, at: 0, count: count)
    }

    private static func checksum(_ segment: Int, _ count: Int, _ body: [UInt8]) -> UInt64 {
        PeakBytes.checksum(body[...], from: UInt64(segment) << 32 | UInt64(count))
    }

    /// Returns the peaks of a segment, or `nil` if it is not made or was damaged since.
    func read(_ segment: Int) -> [Peak]? {
        guard done.contains(segment) else { return nil }
        if let peaks = slot(segment) { return peaks }
        done.remove(segment)
        if last == segment { last = nil }
        return nil
    }

    /// Keeps a segment; one with fewer peaks than `PeakLevels.segment` is the last.
    func write(_ segment: Int, _ peaks: [Peak]) throws(PeakFileError) {
        guard (0..<PeakLevels.mostSegments).contains(segment), peaks.count <= PeakLevels.segment else {
            throw PeakFileError(.io, "no segment \(segment) of \(peaks.count) peaks")
        }
        var body: [UInt8] = []
        body.reserveCapacity(Self.slotSize)
        PeakBytes.put(peaks, to: &body)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.slotSize)
        PeakBytes.put(Self.checksum(segment, peaks.count, body), to: &bytes)
        PeakBytes.put(UInt32(segment), to: &bytes)
        PeakBytes.put(UInt32(peaks.count), to: &bytes)
        try file.write(bytes + body, at: offset(segment))
        guard note(segment, peaks.count) else {
            // The track's end has moved: its file was changed while it was read.
            throw PeakFileError(.io, "\(file.path) has another end of the track")
        }
    }
}
