// SPDX-License-Identifier: Apache-2.0

/// A message from the process (or thread) of an engine to the session, which trusts none of it.
public enum EngineMessage: Sendable, Hashable {
    public struct Ready: Sendable, Hashable {
        public var abiMajor: UInt16
        public var abiMinor: UInt16
        public var id: String
        public var version: String
        /// The lowest and highest rate that the engine does itself.
        public var lowestRate: Double?
        public var highestRate: Double?

        public init(
            abiMajor: UInt16, abiMinor: UInt16, id: String, version: String, rates: ClosedRange<Double>? = nil
        ) {
            self.abiMajor = abiMajor
            self.abiMinor = abiMinor
            self.id = id
            self.version = version
            lowestRate = rates?.lowerBound
            highestRate = rates?.upperBound
        }

        public var rates: ClosedRange<Double>? {
            guard let lowestRate, let highestRate, lowestRate > 0, lowestRate <= highestRate, highestRate <= 100 else {
                return nil
            }
            return lowestRate...highestRate
        }
    }

    case ready(Ready)
    /// The engine cannot be used.
    case unusable(WireFailure)
    /// A request that `source` answers.
    ///
    /// `load` is the request that the track belongs to, here and below.
    case needSource(request: UInt32, load: UInt32, track: UInt32)
    /// A request for the script of a text as soon as it says what is said at a position; `source` answers it.
    case needScript(request: UInt32, load: UInt32, position: Int64)
    /// Descriptions of tracks.
    ///
    /// The start track's arrives before `loaded`, those of other tracks when there is time.
    case tracks(load: UInt32, [WireTrack])
    case chapters(load: UInt32, [WireChapter])
    case loaded(request: UInt32, title: String?, author: String?, trackCount: UInt32, chapterCount: UInt32)
    case done(request: UInt32)
    case measured(request: UInt32, duration: Int64?)
    /// A part of the index that measuring produced.
    ///
    /// Parts arrive in order, before `measured`.
    case index(request: UInt32, total: UInt32, part: [UInt8])
    /// A part of a picture.
    ///
    /// Parts arrive in order, before `cover`.
    case coverPart(request: UInt32, total: UInt32, part: [UInt8])
    /// The end of a picture; without a media type there is none.
    case cover(request: UInt32, mediaType: String?)
    case cut(request: UInt32, WireCutResult)
    /// The peaks that were requested; fewer only at the end of the track.
    case peaks(request: UInt32, [WirePeak])
    /// Some of the voices; others may follow, and `done` after the last of them.
    case voices(request: UInt32, [WireVoice])
    case failed(request: UInt32, WireFailure)
    case renderFailed(generation: UInt32, WireFailure)
    case marks(generation: UInt32, [WireMark])
    /// A stretch of a track that could not be decoded and is left out, in units of the track.
    ///
    /// It is empty where the file has no times, so that what is lost takes none.
    case damaged(generation: UInt32, track: UInt32, Range<Int64>)
    case log(level: UInt32, String)

    public func encoded() -> [UInt8] {
        var writer = WireWriter()
        switch self {
        case .ready(let ready):
            writer.put(UInt8(1))
            writer.put(ready.abiMajor)
            writer.put(ready.abiMinor)
            writer.put(ready.id)
            writer.put(ready.version)
            writer.put(ready.lowestRate?.bitPattern)
            writer.put(ready.highestRate?.bitPattern)
        case .unusable(let failure):
            writer.put(UInt8(2))
            failure.write(to: &writer)
        case .needSource(let request, let load, let track):
            writer.put(UInt8(3))
            writer.put(request)
            writer.put(load)
            writer.put(track)
        case .needScript(let request, let load, let position):
            writer.put(UInt8(18))
            writer.put(request)
            writer.put(load)
            writer.put(position)
        case .tracks(let load, let tracks):
            writer.put(UInt8(4))
            writer.put(load)
            writer.put(UInt32(tracks.count))
            for track in tracks { track.write(to: &writer) }
        case .chapters(let load, let chapters):
            writer.put(UInt8(5))
            writer.put(load)
            writer.put(UInt32(chapters.count))
            for chapter in chapters { chapter.write(to: &writer) }
        case .loaded(let request, let title, let author, let tracks, let chapters):
            writer.put(UInt8(6))
            writer.put(request)
            writer.put(title)
            writer.put(author)
            writer.put(tracks)
            writer.put(chapters)
        case .done(let request):
            writer.put(UInt8(7))
            writer.put(request)
        case .measured(let request, let duration):
            writer.put(UInt8(8))
            writer.put(request)
            writer.put(duration)
        case .index(let request, let total, let part):
            writer.put(UInt8(13))
            writer.put(request)
            writer.put(total)
            writer.put(part)
        case .coverPart(let request, let total, let part):
            writer.put(UInt8(14))
            writer.put(request)
            writer.put(total)
            writer.put(part)
        case .cover(let request, let mediaType):
            writer.put(UInt8(15))
            writer.put(request)
            writer.put(mediaType)
        case .cut(let request, let result):
            writer.put(UInt8(40))
            writer.put(request)
            result.write(to: &writer)
        case .peaks(let request, let peaks):
            writer.put(UInt8(16))
            writer.put(request)
            writer.put(peaks: peaks)
        case .voices(let request, let voices):
            writer.put(UInt8(19))
            writer.put(request)
            writer.put(UInt32(voices.count))
            for voice in voices { voice.write(to: &writer) }
        case .failed(let request, let failure):
            writer.put(UInt8(9))
            writer.put(request)
            failure.write(to: &writer)
        case .renderFailed(let generation, let failure):
            writer.put(UInt8(10))
            writer.put(generation)
            failure.write(to: &writer)
        case .marks(let generation, let marks):
            writer.put(UInt8(11))
            writer.put(generation)
            writer.put(UInt32(marks.count))
            for mark in marks { mark.write(to: &writer) }
        case .damaged(let generation, let track, let range):
            writer.put(UInt8(17))
            writer.put(generation)
            writer.put(track)
            writer.put(range.lowerBound)
            writer.put(range.upperBound)
        case .log(let level, let message):
            writer.put(UInt8(12))
            writer.put(level)
            writer.put(message)
        }
        return writer.bytes
    }

    public init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = WireReader(bytes)
        switch try reader.integer(UInt8.self) {
        case 1:
            var ready = Ready(
                abiMajor: try reader.integer(), abiMinor: try reader.integer(), id: try reader.string(),
                version: try reader.string())
            ready.lowestRate = try reader.optionalInteger(UInt64.self).map { Double(bitPattern: $0) }
            ready.highestRate = try reader.optionalInteger(UInt64.self).map { Double(bitPattern: $0) }
            self = .ready(ready)
        case 2: self = .unusable(try WireFailure(from: &reader))
        case 3:
            self = .needSource(
                request: try reader.integer(), load: try reader.integer(), track: try reader.integer())
        case 4:
            self = .tracks(
                load: try reader.integer(),
                try reader.list { (list) throws(WireError) in try WireTrack(from: &list) })
        case 5:
            self = .chapters(
                load: try reader.integer(),
                try reader.list { (list) throws(WireError) in try WireChapter(from: &list) })
        case 6:
            self = .loaded(
                request: try reader.integer(), title: try reader.optionalString(), author: try reader.optionalString(),
                trackCount: try reader.integer(), chapterCount: try reader.integer())
        case 7: self = .done(request: try reader.integer())
        case 8: self = .measured(request: try reader.integer(), duration: try reader.optionalInteger())
        case 9: self = .failed(request: try reader.integer(), try WireFailure(from: &reader))
        case 10: self = .renderFailed(generation: try reader.integer(), try WireFailure(from: &reader))
        case 11:
            self = .marks(
                generation: try reader.integer(),
                try reader.list { (list) throws(WireError) in try WireMark(from: &list) })
        case 12: self = .log(level: try reader.integer(), try reader.string())
        case 13:
            self = .index(
                request: try reader.integer(), total: try reader.integer(),
                part: try reader.bytes(limit: Limits.indexPart))
        case 14:
            self = .coverPart(
                request: try reader.integer(), total: try reader.integer(),
                part: try reader.bytes(limit: Limits.coverPart))
        case 15:
            let request = try reader.integer(UInt32.self)
            let mediaType = try reader.optionalString(limit: Limits.mediaType)
            if let mediaType, !Limits.allowsMediaType(mediaType) {
                throw WireError("a picture of an invalid type")
            }
            self = .cover(request: request, mediaType: mediaType)
        case 40: self = .cut(request: try reader.integer(), try WireCutResult(from: &reader))
        case 16: self = .peaks(request: try reader.integer(), try reader.peaks())
        case 17:
            let (generation, track) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
            let (start, end) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
            guard 0 <= start, start <= end, end <= Limits.units else {
                throw WireError("damage from \(start) to \(end)")
            }
            self = .damaged(generation: generation, track: track, start..<end)
        case 18:
            let (request, load) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
            let position = try reader.integer(Int64.self)
            guard 0 <= position, position <= Limits.units else { throw WireError("a script at \(position)") }
            self = .needScript(request: request, load: load, position: position)
        case 19:
            self = .voices(
                request: try reader.integer(),
                try reader.list { (list) throws(WireError) in try WireVoice(from: &list) })
        case let kind: throw WireError("a message of kind \(kind)")
        }
        try reader.finish()
    }
}

extension WireFailure {
    func write(to writer: inout WireWriter) {
        writer.put(code)
        writer.put(message)
    }

    init(from reader: inout WireReader) throws(WireError) {
        code = try reader.integer()
        message = try reader.string()
        // A failure must not claim to be a success.
        if code >= 0 { code = EngineNumber.misbehaved }
    }
}
