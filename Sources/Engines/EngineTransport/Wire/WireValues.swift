// SPDX-License-Identifier: Apache-2.0

/// An engine's description of one track, in the contract's own numbers.
public struct WireTrack: Sendable, Hashable {
    public var index: UInt32
    public var sampleRate: UInt32
    public var channels: UInt32
    public var encoding: UInt32
    /// The duration in units, or `nil` if it is not known.
    public var duration: Int64?
    public var confidence: UInt32
    public var unitsPerSecond: Double
    public var codec: String
    public var title: String?

    public init(
        index: UInt32, sampleRate: UInt32, channels: UInt32, encoding: UInt32, duration: Int64?, confidence: UInt32,
        unitsPerSecond: Double, codec: String, title: String?
    ) {
        self.index = index
        self.sampleRate = sampleRate
        self.channels = channels
        self.encoding = encoding
        self.duration = duration
        self.confidence = confidence
        self.unitsPerSecond = unitsPerSecond
        self.codec = codec
        self.title = title
    }

    func write(to writer: inout WireWriter) {
        writer.put(index)
        writer.put(sampleRate)
        writer.put(channels)
        writer.put(encoding)
        writer.put(duration)
        writer.put(confidence)
        writer.put(unitsPerSecond)
        writer.put(codec)
        writer.put(title)
    }

    init(from reader: inout WireReader) throws(WireError) {
        index = try reader.integer()
        sampleRate = try reader.integer()
        channels = try reader.integer()
        encoding = try reader.integer()
        duration = try reader.optionalInteger()
        confidence = try reader.integer()
        unitsPerSecond = try reader.double()
        codec = try reader.string()
        title = try reader.optionalString()
        guard isPlausible else { throw WireError("an invalid track") }
    }

    /// `true` if the description is within what the contract allows.
    public var isPlausible: Bool {
        index < Limits.tracks && (1_000...384_000).contains(sampleRate) && (1...8).contains(channels)
            && (1...4).contains(encoding) && (1...4).contains(confidence)
            && (0...Limits.units).contains(duration ?? 0) && Limits.unitRates.contains(unitsPerSecond)
    }

    /// `true` if the description is plausible for content of that kind: the units of audio are its frames.
    public func isPlausible(isAudio: Bool) -> Bool {
        isPlausible && (!isAudio || unitsPerSecond == Double(sampleRate))
    }
}

public struct WireChapter: Sendable, Hashable {
    public var track: UInt32
    public var start: Int64
    /// The end, or `nil` if the chapter ends at the next one.
    public var end: Int64?
    public var title: String?
    public var source: String

    public init(track: UInt32, start: Int64, end: Int64?, title: String?, source: String) {
        self.track = track
        self.start = start
        self.end = end
        self.title = title
        self.source = source
    }

    func write(to writer: inout WireWriter) {
        writer.put(track)
        writer.put(start)
        writer.put(end)
        writer.put(title)
        writer.put(source)
    }

    init(from reader: inout WireReader) throws(WireError) {
        track = try reader.integer()
        start = try reader.integer()
        end = try reader.optionalInteger()
        title = try reader.optionalString()
        source = try reader.string()
        guard isPlausible else { throw WireError("an invalid chapter") }
    }

    /// `true` if the description is within what the contract allows.
    public var isPlausible: Bool {
        track < Limits.tracks && start >= 0 && end ?? start >= start && end ?? start <= Limits.units
    }
}

public struct WireMark: Sendable, Hashable {
    public var kind: UInt32
    public var position: Int64
    public var length: Int64

    public init(kind: UInt32, position: Int64, length: Int64) {
        self.kind = kind
        self.position = position
        self.length = length
    }

    func write(to writer: inout WireWriter) {
        writer.put(kind)
        writer.put(position)
        writer.put(length)
    }

    init(from reader: inout WireReader) throws(WireError) {
        kind = try reader.integer()
        position = try reader.integer()
        length = try reader.integer()
        guard isPlausible else { throw WireError("an invalid mark") }
    }

    /// `true` if the mark is within what the contract allows.
    public var isPlausible: Bool {
        (0...Limits.units).contains(position) && (0...Limits.units).contains(length)
    }
}

/// A failure that crosses the socket: a code of the contract or of the session, and one line.
public struct WireFailure: Error, Sendable, Hashable {
    public var code: Int32
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }
}

/// Splits a list so that each part fits into one message.
public func batches<T>(of list: [T], size: (T) -> Int) -> [ArraySlice<T>] {
    var result: [ArraySlice<T>] = []
    var start = list.startIndex
    var bytes = 0
    for index in list.indices {
        let more = size(list[index])
        if index > start, bytes + more > Limits.message / 2 || index - start >= Limits.batch {
            result.append(list[start..<index])
            start = index
            bytes = 0
        }
        bytes += more
    }
    if start < list.endIndex { result.append(list[start...]) }
    return result
}
