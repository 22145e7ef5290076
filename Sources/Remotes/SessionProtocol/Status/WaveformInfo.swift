// SPDX-License-Identifier: Apache-2.0

/// A part of a track's waveform, as far as it is made.
public struct WaveformInfo: Sendable, Hashable, Codable {
    public struct Missing: Sendable, Hashable, Codable {
        public var first: Int
        public var count: Int

        public init(first: Int, count: Int) {
            self.first = first
            self.count = count
        }
    }

    public struct Silence: Sendable, Hashable, Codable {
        public var startMs: Int64
        public var endMs: Int64
        /// The place to snap to.
        public var placeMs: Int64

        public init(startMs: Int64, endMs: Int64, placeMs: Int64) {
            self.startMs = startMs
            self.endMs = endMs
            self.placeMs = placeMs
        }
    }

    public var uri: String
    public var track: Int
    public var sampleRate: Int
    public var fromMs: Int64
    public var toMs: Int64
    /// The length of the track; until it is known, what its file states.
    public var trackMs: Int64
    /// The frames of the peaks from which the columns were joined.
    public var framesPerPeak: Int
    /// Six bytes for each column, in base64: minimum, maximum and RMS, little endian, in samples of 16 bits.
    public var peaks: String
    /// The columns that are not made yet; their bytes are 0.
    public var missing: [Missing]
    public var silences: [Silence]
    /// The share of the track that is made, 0 to 1.
    public var progress: Double
    public var isComplete: Bool
    /// The reason why the peaks are not kept, or are not made any further; one line.
    public var fault: String?
    /// The path of the file in the format of `audiowaveform` at the finest resolution, once it is complete.
    public var file: String?

    public init(
        uri: String, track: Int, sampleRate: Int, fromMs: Int64, toMs: Int64, trackMs: Int64, framesPerPeak: Int,
        peaks: String,
        missing: [Missing], silences: [Silence], progress: Double, isComplete: Bool, fault: String?, file: String?
    ) {
        self.uri = uri
        self.track = track
        self.sampleRate = sampleRate
        self.fromMs = fromMs
        self.toMs = toMs
        self.trackMs = trackMs
        self.framesPerPeak = framesPerPeak
        self.peaks = peaks
        self.missing = missing
        self.silences = silences
        self.progress = progress
        self.isComplete = isComplete
        self.fault = fault
        self.file = file
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encode(track, forKey: .track)
        try members.encode(sampleRate, forKey: .sampleRate)
        try members.encode(fromMs, forKey: .fromMs)
        try members.encode(toMs, forKey: .toMs)
        try members.encode(trackMs, forKey: .trackMs)
        try members.encode(framesPerPeak, forKey: .framesPerPeak)
        try members.encode(peaks, forKey: .peaks)
        try members.encode(missing, forKey: .missing)
        try members.encode(silences, forKey: .silences)
        try members.encode(progress, forKey: .progress)
        try members.encode(isComplete, forKey: .isComplete)
        try members.encode(fault, forKey: .fault)
        try members.encode(file, forKey: .file)
    }
}

/// The progress of the making of a track's peaks.
public struct WaveformProgress: Sendable, Hashable, Codable {
    public var uri: String
    public var track: Int
    /// The share of the track that is made, 0 to 1.
    public var progress: Double
    public var isComplete: Bool
    /// The reason why the peaks are not kept, or are not made any further; one line.
    public var fault: String?

    public init(uri: String, track: Int, progress: Double, isComplete: Bool, fault: String? = nil) {
        self.uri = uri
        self.track = track
        self.progress = progress
        self.isComplete = isComplete
        self.fault = fault
    }
}
