// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore

/// The tracks of the recording, decoded one after the other by an engine's process.
final class RecordedTracks {
    enum Sound {
        case sound([Float])
        case endOfTrack
        case end
    }

    private let paths: [String]
    private let sizes: [Double]
    private let engines: AlignEngines
    private var reader: SoundReader?
    private var track = 0
    private var second = 0
    private var isOpen = false
    private var isOver = false
    private var converter: SampleRateConverter?
    /// The length of the track as the engine knows it, and the place in it, in units of the track.
    private var length: Int64 = 0
    private var position: Int64 = 0
    /// `true` once some of the track was read since it was opened.
    private var isWithinTrack = false
    /// The longest gap that is taken for damage, in seconds; a longer one is a false time stamp.
    private static let longestGap: Int64 = 600
    private(set) var warnings: [String] = []

    init(_ paths: [String], _ engines: AlignEngines) {
        self.paths = paths
        self.engines = engines
        sizes = paths.map { path in
            var status = stat()
            return stat(path, &status) == 0 ? Double(status.st_size) : 0
        }
    }

    /// Reads from a second of a track on.
    func begin(track: Int, second: Int) {
        self.track = track
        self.second = second
    }

    /// The share of the recording that was read; `nil` while it is not known where an earlier run stopped.
    var share: Double? {
        guard isOpen || second == 0 else { return nil }
        let total = max(1, sizes.reduce(0, +))
        let within = length > 0 ? min(1, Double(position) / Double(length)) : 0
        let current = sizes.indices.contains(track) ? sizes[track] * within : 0
        return min(1, (sizes.prefix(track).reduce(0, +) + current) / total)
    }

    /// Returns some seconds of sound at 16 kHz, or that a track ends.
    ///
    /// A track that cannot be decoded ends where it fails.
    func next() async -> Sound {
        guard track < paths.count else { return .end }
        do throws(EngineError) {
            if !isOpen { try await open() }
            guard let reader, !isOver else { return endTrack() }
            let portion = try await reader.read(frames: 1 << 18)
            isOver = portion.isEnd
            var samples: [Float] = []
            for block in portion.blocks {
                if converter == nil { converter = SampleRateConverter(from: block.sampleRate) }
                // What is damaged is left out, but its time passes.
                let missing = block.position - position
                if isWithinTrack, missing > 0, missing <= Int64(block.sampleRate) * Self.longestGap {
                    samples += converter?.convert([Float](repeating: 0, count: Int(missing))) ?? []
                }
                isWithinTrack = true
                position = block.end
                samples += converter?.convert(block.samples) ?? []
            }
            if isOver { samples += converter?.convert([], isEnd: true) ?? [] }
            return .sound(samples)
        } catch {
            warnings.append("\(paths[track]): \(error.message)")
            if error.isOfTheProcess {
                await reader?.shutDown()
                reader = nil
            }
            return endTrack()
        }
    }

    private func endTrack() -> Sound {
        track += 1
        (second, position, length) = (0, 0, 0)
        (isOpen, isOver, isWithinTrack) = (false, false, false)
        converter = nil
        return .endOfTrack
    }

    private func open() async throws(EngineError) {
        isOpen = true
        let reader: SoundReader
        if let kept = self.reader {
            reader = kept
        } else {
            reader = SoundReader(try await engines.start("ffmpeg"))
            self.reader = reader
        }
        let path = paths[track].hasPrefix("/") ? paths[track] : Self.workingFolder + "/" + paths[track]
        let content = Content(uri: "file:" + path, kind: .audio, tracks: [.file(path: path)], title: paths[track])
        var media = try await reader.load(content, at: .start, voice: nil)
        if second > 0, let rate = media.tracks.first?.timeline.unitsPerSecond {
            media = try await reader.load(
                content, at: MediaPosition(track: 0, units: Int64(Double(second) * rate)), voice: nil)
            position = Int64(Double(second) * rate)
        }
        length = media.tracks.first?.timeline.duration ?? 0
    }

    private static let workingFolder: String = {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }()

    func shutDown() async { await reader?.shutDown() }
}
