// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineTransport
import MediaPlayback
import PlaybackCore

/// The description that an engine has sent of one load so far.
struct LoadState {
    let content: Content
    let start: Int
    private var tracks: [WireTrack?]
    private var chapters: [WireChapter] = []
    private var title: String?
    private var author: String?
    var isLoaded = false
    /// The keys under which the indexes of tracks are kept.
    var indexKeys: [UInt32: TrackIndexKey] = [:]
    /// The reason why the last source could not be opened, which is more precise than the engine's error about it.
    var sourceFailure: EngineError?
    /// The reasons why tracks could not be opened when they were last asked for, whatever for.
    var trackFailures: [UInt32: EngineError] = [:]
    /// The track to which the last seek led.
    var sought: UInt32

    init(_ request: LoadRequest) {
        content = request.content
        start = request.start.track
        sought = UInt32(clamping: request.start.track)
        tracks = Array(repeating: nil, count: request.content.tracks.count)
    }

    enum Addition { case first, changed, same, impossible }

    mutating func add(_ track: WireTrack) -> Addition {
        guard tracks.indices.contains(Int(track.index)), track.isPlausible(isAudio: content.kind == .audio) else {
            return .impossible
        }
        guard let known = tracks[Int(track.index)] else {
            tracks[Int(track.index)] = track
            return .first
        }
        guard known != track else { return .same }
        tracks[Int(track.index)] = track
        return .changed
    }

    mutating func add(_ more: [WireChapter]) -> Bool {
        guard !isLoaded, chapters.count + more.count <= Int(Limits.chapters),
            more.allSatisfy({ tracks.indices.contains(Int($0.track)) })
        else { return false }
        chapters += more
        return true
    }

    /// Completes the description, or returns `nil` if the numbers contradict what came before.
    mutating func finish(
        title: String?, author: String?, trackCount: UInt32, chapterCount: UInt32, rates: ClosedRange<Double>?
    ) -> MediaDescription? {
        guard !isLoaded, Int(trackCount) == tracks.count, Int(chapterCount) == chapters.count else { return nil }
        isLoaded = true
        self.title = title
        self.author = author
        return description(rates: rates)
    }

    /// Returns the description of the loaded content, or `nil` if the start track is missing.
    func description(rates: ClosedRange<Double>?) -> MediaDescription? {
        guard tracks.indices.contains(start), let known = tracks[start] else { return nil }
        var unknown = known
        unknown.duration = nil
        unknown.title = nil
        return MediaDescription(
            title: title, author: author,
            tracks: tracks.map { TrackDescription($0 ?? unknown) },
            chapters: chapters.map {
                Chapter(title: $0.title, track: Int($0.track), start: $0.start, end: $0.end, source: $0.source)
            },
            nativeRates: rates)
    }
}

extension TrackDescription {
    init(_ track: WireTrack) {
        let confidence: Confidence =
            switch track.confidence {
            case 2: .estimated
            case 3: .container
            case 4: .exact
            default: .unknown
            }
        self.init(
            timeline: TimelineTrack(
                unitsPerSecond: track.unitsPerSecond, duration: track.duration, confidence: confidence),
            format: AudioFormat(sampleRate: Int(track.sampleRate), channels: Int(track.channels)),
            encoding: SampleEncoding(rawValue: track.encoding) ?? .float32, codec: track.codec, title: track.title)
    }
}
