// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// The finished peaks of a track: one waveform file and one file of RMS for each level, and one of silences.
///
/// Names are `KEY.FRAMES.dat`, `KEY.FRAMES.rms` and `KEY.silences`. The first is a waveform data file of `audiowaveform`
/// (see ``WaveformHeader``). The second has the same head, with the RMS of each peak behind it, two bytes each. The third
/// has four numbers of four bytes (the version, which is 1; frames per second; the level below which a peak is silent;
/// the number of silences) and for each silence its first frame and the one behind its last, eight bytes each. All
/// numbers are little endian.
///
/// It is used by one task at a time.
final class PeakSet {
    private let levels: [Int: (waveform: PeakFile, rms: PeakFile)]
    private let list: PeakFile
    private let silenceCount: Int
    let sampleRate: Int
    /// The number of peaks of the finest level.
    let count: Int

    static func names(_ key: String) -> [String] {
        PeakLevels.framesPerPeak.flatMap { ["\(key).\($0).rms", "\(key).\($0).dat"] } + ["\(key).silences"]
    }

    /// Opens the files; `nil` unless all are there, complete, and agree with each other.
    init?(folder: String, key: String) {
        var levels: [Int: (PeakFile, PeakFile)] = [:]
        var rate: Int?
        var finest = 0
        for frames in PeakLevels.framesPerPeak {
            guard let waveform = PeakFile.open("\(folder)/\(key).\(frames).dat"),
                let rms = PeakFile.open("\(folder)/\(key).\(frames).rms"),
                let head = waveform.read(at: 0, count: WaveformHeader.size), let parsed = WaveformHeader(head),
                rms.read(at: 0, count: WaveformHeader.size) == head, parsed.framesPerPeak == frames,
                rate == nil || rate == parsed.sampleRate,
                waveform.size == Int64(WaveformHeader.size + parsed.count * WaveformHeader.peakSize),
                rms.size == Int64(WaveformHeader.size + parsed.count * 2)
            else { return nil }
            if frames == PeakLevels.finest { finest = parsed.count }
            let factor = frames / PeakLevels.finest
            guard parsed.count == (finest + factor - 1) / factor else { return nil }
            rate = parsed.sampleRate
            levels[frames] = (waveform, rms)
        }
        guard let rate, let list = PeakFile.open("\(folder)/\(key).silences"), let head = list.read(at: 0, count: 16),
            PeakBytes.number(head, at: 0, UInt32.self) == 1, PeakBytes.number(head, at: 4, UInt32.self) == rate
        else { return nil }
        silenceCount = Int(PeakBytes.number(head, at: 12, UInt32.self))
        guard list.size == Int64(16 + 16 * silenceCount) else { return nil }
        self.levels = levels
        self.list = list
        sampleRate = rate
        count = finest
        for file in [list] + levels.values.flatMap({ [$0.0, $0.1] }) { file.touch() }
    }

    /// Returns the peaks of a level, as many of the range as there are; `nil` if the files can no longer be read.
    func peaks(_ framesPerPeak: Int, _ range: Range<Int>) -> [Peak]? {
        guard let (waveform, rms) = levels[framesPerPeak] else { return nil }
        let factor = framesPerPeak / PeakLevels.finest
        let range = range.clamped(to: 0..<(count + factor - 1) / factor)
        guard
            let pairs = waveform.read(
                at: Int64(WaveformHeader.size + range.lowerBound * WaveformHeader.peakSize),
                count: range.count * WaveformHeader.peakSize),
            let roots = rms.read(at: Int64(WaveformHeader.size + range.lowerBound * 2), count: range.count * 2)
        else { return nil }
        return (0..<range.count).map { index in
            Peak(
                minimum: PeakBytes.number(pairs, at: 4 * index), maximum: PeakBytes.number(pairs, at: 4 * index + 2),
                rms: PeakBytes.number(roots, at: 2 * index))
        }
    }

    /// Returns the silences that overlap a range of frames, at most `most` of them.
    func silences(in range: Range<Int64>, most: Int) -> [Silence] {
        // They are in order, so the first one is found by halving.
        func silence(_ index: Int) -> Silence? {
            guard let bytes = list.read(at: Int64(16 + 16 * index), count: 16) else { return nil }
            return Silence(start: PeakBytes.number(bytes, at: 0), end: PeakBytes.number(bytes, at: 8))
        }
        var (low, high) = (0, silenceCount)
        while low < high {
            let middle = (low + high) / 2
            guard let found = silence(middle) else { return [] }
            if found.end <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var found: [Silence] = []
        while low < silenceCount, found.count < most, let next = silence(low), next.start < range.upperBound {
            found.append(next)
            low += 1
        }
        return found
    }
}
