// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback

/// A writer of the finished files of a track, segment by segment and in bounded memory.
///
/// It writes under other names, and renames the files once all of them are on the disk. A kill between two renames leaves
/// a set that is not complete, which counts as none.
struct PeakSetWriter {
    private struct Level {
        let framesPerPeak: Int
        var waveform: PeakFile
        var rms: PeakFile
        var count = 0
    }

    private let folder: String
    private let key: String
    private let sampleRate: Int
    private var levels: [Level] = []
    private let list: PeakFile
    private var finder: SilenceFinder
    private let threshold: Double
    private var silenceCount = 0

    init(folder: String, key: String, sampleRate: Int, threshold: Double) throws(PeakFileError) {
        self.folder = folder
        self.key = key
        self.sampleRate = sampleRate
        self.threshold = threshold
        for frames in PeakLevels.framesPerPeak {
            levels.append(
                Level(
                    framesPerPeak: frames,
                    waveform: try PeakFile.create(Self.draft("\(folder)/\(key).\(frames).dat"), empty: true),
                    rms: try PeakFile.create(Self.draft("\(folder)/\(key).\(frames).rms"), empty: true)))
        }
        list = try PeakFile.create(Self.draft("\(folder)/\(key).silences"), empty: true)
        finder = SilenceFinder(threshold: threshold, sampleRate: sampleRate)
    }

    static func draft(_ path: String) -> String { path + ".new" }

    /// Adds the next segment of the track.
    mutating func add(_ peaks: [Peak]) throws(PeakFileError) {
        for index in levels.indices {
            let factor = levels[index].framesPerPeak / PeakLevels.finest
            let coarse = factor == 1 ? peaks : PeakLevels.coarsened(peaks, by: factor)
            var (pairs, roots): ([UInt8], [UInt8]) = ([], [])
            pairs.reserveCapacity(coarse.count * WaveformHeader.peakSize)
            roots.reserveCapacity(coarse.count * 2)
            for peak in coarse {
                PeakBytes.put(peak.minimum, to: &pairs)
                PeakBytes.put(peak.maximum, to: &pairs)
                PeakBytes.put(peak.rms, to: &roots)
            }
            let count = levels[index].count
            try levels[index].waveform.write(pairs, at: Int64(WaveformHeader.size + count * WaveformHeader.peakSize))
            try levels[index].rms.write(roots, at: Int64(WaveformHeader.size + count * 2))
            levels[index].count = count + coarse.count
        }
        finder.add(peaks)
        try writeSilences()
    }

    private mutating func writeSilences() throws(PeakFileError) {
        let found = finder.take()
        var bytes: [UInt8] = []
        for silence in found {
            PeakBytes.put(silence.start, to: &bytes)
            PeakBytes.put(silence.end, to: &bytes)
        }
        try list.write(bytes, at: Int64(16 + 16 * silenceCount))
        silenceCount += found.count
    }

    /// Completes the files and gives them their names.
    mutating func finish() throws(PeakFileError) {
        finder.finish()
        try writeSilences()
        for level in levels {
            let head = WaveformHeader(
                sampleRate: sampleRate, framesPerPeak: level.framesPerPeak, count: level.count)
            try level.waveform.write(head.bytes, at: 0)
            try level.rms.write(head.bytes, at: 0)
            try level.waveform.sync()
            try level.rms.sync()
        }
        var head: [UInt8] = []
        for number in [1, sampleRate, Int(threshold.rounded()), silenceCount] {
            PeakBytes.put(UInt32(clamping: number), to: &head)
        }
        try list.write(head, at: 0)
        try list.sync()
        for name in PeakSet.names(key) {
            let path = "\(folder)/\(name)"
            guard rename(Self.draft(path), path) == 0 else { throw PeakFileError("rename", Self.draft(path)) }
        }
    }
}
