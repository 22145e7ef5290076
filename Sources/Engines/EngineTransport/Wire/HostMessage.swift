// SPDX-License-Identifier: Apache-2.0

/// A message from the session to the process (or thread) of an engine.
///
/// Each request has a number, and exactly one response carries it back. `generation` marks everything that is rendered
/// from then on.
public enum HostMessage: Sendable, Hashable {
    public struct Load: Sendable, Hashable {
        public var generation: UInt32
        public var kind: UInt32
        public var trackCount: UInt32
        public var startTrack: UInt32
        public var start: Int64
        public var language: String?
        public var voice: String?
        public var rate: Double

        public init(
            generation: UInt32, kind: UInt32, trackCount: UInt32, startTrack: UInt32, start: Int64, language: String?,
            voice: String?, rate: Double
        ) {
            self.generation = generation
            self.kind = kind
            self.trackCount = trackCount
            self.startTrack = startTrack
            self.start = start
            self.language = language
            self.voice = voice
            self.rate = rate
        }
    }

    /// A range `[start, end)`, in units of the tracks.
    public struct Range: Sendable, Hashable {
        public var startTrack: UInt32
        public var start: Int64
        public var endTrack: UInt32
        public var end: Int64
        public var loops: Bool

        public init(startTrack: UInt32, start: Int64, endTrack: UInt32, end: Int64, loops: Bool) {
            self.startTrack = startTrack
            self.start = start
            self.endTrack = endTrack
            self.end = end
            self.loops = loops
        }
    }

    /// A passage `[start, end)` to write into a file, whose descriptor travels with the message; that of a cover follows
    /// it if there is one.
    public struct Cut: Sendable, Hashable {
        public var startTrack: UInt32
        public var start: Int64
        public var endTrack: UInt32
        public var end: Int64
        /// The format, or an empty string to keep the encoding of the source.
        public var format: String
        public var tags: [WireTag]
        public var hasCover: Bool

        public init(
            startTrack: UInt32, start: Int64, endTrack: UInt32, end: Int64, format: String, tags: [WireTag],
            hasCover: Bool
        ) {
            self.startTrack = startTrack
            self.start = start
            self.endTrack = endTrack
            self.end = end
            self.format = format
            self.tags = tags
            self.hasCover = hasCover
        }
    }

    public enum Source: Sendable, Hashable {
        /// A file; its descriptor travels with the message.
        case descriptor(name: String)
        /// An address, with the fingerprints of certificates, one a line.
        ///
        /// A descriptor travels with the message if there are further certificates.
        case url(String, headers: String?, name: String, fingerprints: String? = nil)
        case failed(code: Int32)
    }

    /// The first message, with the four descriptors of `RingMemory.handedOver`.
    case hello(version: UInt32, capacity: UInt32)
    case load(request: UInt32, Load)
    /// The response to `needSource` and `needScript`.
    case source(request: UInt32, Source)
    case seek(request: UInt32, generation: UInt32, track: UInt32, position: Int64)
    case setRate(request: UInt32, Double)
    case setRange(request: UInt32, Range)
    case measure(request: UInt32, track: UInt32)
    /// Requests a measurement that runs only while there is nothing else to do, however long that takes.
    case measureLater(request: UInt32, track: UInt32)
    /// Requests the picture in a track.
    case cover(request: UInt32, track: UInt32)
    /// Requests a passage in a file; the descriptors of the file and of the cover travel with the message.
    case cut(request: UInt32, Cut)
    /// Requests `count` peaks, 1 to `Limits.peaks`, from number `first` on.
    ///
    /// From then on the engine renders nothing until it is told to seek, or to load something.
    case peaks(request: UInt32, track: UInt32, framesPerPeak: UInt32, first: UInt64, count: UInt32)
    case describeAll(request: UInt32)
    /// Requests the voices of an engine that speaks; it need not have loaded anything.
    case voices(request: UInt32)
    case unload(request: UInt32)
    /// A request that the engine's thread answers as soon as no call of the engine runs; it interrupts none.
    case ping(request: UInt32)
    case quit

    public static let version: UInt32 = 9

    public func encoded() -> [UInt8] {
        var writer = WireWriter()
        switch self {
        case .hello(let version, let capacity):
            writer.put(UInt8(1))
            writer.put(version)
            writer.put(capacity)
        case .load(let request, let load):
            writer.put(UInt8(2))
            writer.put(request)
            writer.put(load.generation)
            writer.put(load.kind)
            writer.put(load.trackCount)
            writer.put(load.startTrack)
            writer.put(load.start)
            writer.put(load.language)
            writer.put(load.voice)
            writer.put(load.rate)
        case .source(let request, let source):
            writer.put(UInt8(3))
            writer.put(request)
            source.write(to: &writer)
        case .seek(let request, let generation, let track, let position):
            writer.put(UInt8(4))
            writer.put(request)
            writer.put(generation)
            writer.put(track)
            writer.put(position)
        case .setRate(let request, let rate):
            writer.put(UInt8(5))
            writer.put(request)
            writer.put(rate)
        case .measure(let request, let track):
            writer.put(UInt8(6))
            writer.put(request)
            writer.put(track)
        case .measureLater(let request, let track):
            writer.put(UInt8(12))
            writer.put(request)
            writer.put(track)
        case .cover(let request, let track):
            writer.put(UInt8(13))
            writer.put(request)
            writer.put(track)
        case .cut(let request, let cut):
            writer.put(UInt8(15))
            writer.put(request)
            cut.write(to: &writer)
        case .peaks(let request, let track, let framesPerPeak, let first, let count):
            writer.put(UInt8(14))
            writer.put(request)
            writer.put(track)
            writer.put(framesPerPeak)
            writer.put(first)
            writer.put(count)
        case .describeAll(let request):
            writer.put(UInt8(7))
            writer.put(request)
        case .unload(let request):
            writer.put(UInt8(8))
            writer.put(request)
        case .quit:
            writer.put(UInt8(9))
        case .setRange(let request, let range):
            writer.put(UInt8(10))
            writer.put(request)
            writer.put(range.startTrack)
            writer.put(range.start)
            writer.put(range.endTrack)
            writer.put(range.end)
            writer.put(UInt8(range.loops ? 1 : 0))
        case .ping(let request):
            writer.put(UInt8(11))
            writer.put(request)
        case .voices(let request):
            writer.put(UInt8(16))
            writer.put(request)
        }
        return writer.bytes
    }

    public init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = WireReader(bytes)
        switch try reader.integer(UInt8.self) {
        case 1: self = .hello(version: try reader.integer(), capacity: try reader.integer())
        case 2:
            self = .load(
                request: try reader.integer(),
                Load(
                    generation: try reader.integer(), kind: try reader.integer(), trackCount: try reader.integer(),
                    startTrack: try reader.integer(), start: try reader.integer(),
                    language: try reader.optionalString(), voice: try reader.optionalString(),
                    rate: try reader.double()))
        case 3: self = .source(request: try reader.integer(), try Source(from: &reader))
        case 4:
            self = .seek(
                request: try reader.integer(), generation: try reader.integer(), track: try reader.integer(),
                position: try reader.integer())
        case 5: self = .setRate(request: try reader.integer(), try reader.double())
        case 6: self = .measure(request: try reader.integer(), track: try reader.integer())
        case 7: self = .describeAll(request: try reader.integer())
        case 8: self = .unload(request: try reader.integer())
        case 9: self = .quit
        case 10:
            self = .setRange(
                request: try reader.integer(),
                Range(
                    startTrack: try reader.integer(), start: try reader.integer(), endTrack: try reader.integer(),
                    end: try reader.integer(), loops: try reader.integer(UInt8.self) != 0))
        case 11: self = .ping(request: try reader.integer())
        case 12: self = .measureLater(request: try reader.integer(), track: try reader.integer())
        case 13: self = .cover(request: try reader.integer(), track: try reader.integer())
        case 15: self = .cut(request: try reader.integer(), try Cut(from: &reader))
        case 16: self = .voices(request: try reader.integer())
        case 14:
            self = .peaks(
                request: try reader.integer(), track: try reader.integer(), framesPerPeak: try reader.integer(),
                first: try reader.integer(), count: try reader.integer())
        case let kind: throw WireError("a message of kind \(kind)")
        }
        try reader.finish()
    }
}

extension HostMessage.Source {
    fileprivate func write(to writer: inout WireWriter) {
        switch self {
        case .descriptor(let name):
            writer.put(UInt8(1))
            writer.put(name)
        case .url(let url, let headers, let name, let fingerprints):
            writer.put(UInt8(2))
            writer.put(url, limit: Limits.url)
            writer.put(headers, limit: Limits.url)
            writer.put(name)
            writer.put(fingerprints, limit: Limits.fingerprints)
        case .failed(let code):
            writer.put(UInt8(3))
            writer.put(code)
        }
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .descriptor(name: try reader.string())
        case 2:
            self = .url(
                try reader.string(limit: Limits.url), headers: try reader.optionalString(limit: Limits.url),
                name: try reader.string(), fingerprints: try reader.optionalString(limit: Limits.fingerprints))
        case 3: self = .failed(code: try reader.integer())
        case let kind: throw WireError("a source of kind \(kind)")
        }
    }
}
