// SPDX-License-Identifier: Apache-2.0

/// A text with which a file that is cut describes itself.
public struct WireTag: Sendable, Hashable {
    /// The key: at most 15 lower case letters and digits.
    public var key: String
    /// The text, without NUL.
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    func write(to writer: inout WireWriter) {
        writer.put(key, limit: Limits.formatName)
        writer.put(value)
    }

    init(from reader: inout WireReader) throws(WireError) {
        key = try reader.string(limit: Limits.formatName)
        value = try reader.string()
        // NUL ends a string of the contract, so that the rest would be lost without a word.
        guard Limits.allowsFormatName(key), !value.utf8.contains(0) else { throw WireError("an invalid tag") }
    }
}

/// An engine's description of the file that it cut.
public struct WireCutResult: Sendable, Hashable {
    public var isEncoded: Bool
    /// The number of frames to which the file decodes, at `sampleRate`.
    public var frames: Int64
    public var sampleRate: UInt32
    public var fileExtension: String

    public init(isEncoded: Bool, frames: Int64, sampleRate: UInt32, fileExtension: String) {
        self.isEncoded = isEncoded
        self.frames = frames
        self.sampleRate = sampleRate
        self.fileExtension = fileExtension
    }

    /// `true` if the description is within what the contract allows.
    public var isPlausible: Bool {
        (0...Limits.units).contains(frames) && (1_000...384_000).contains(sampleRate)
            && Limits.allowsFormatName(fileExtension) && fileExtension.utf8.count <= 7
    }

    func write(to writer: inout WireWriter) {
        writer.put(isEncoded)
        writer.put(frames)
        writer.put(sampleRate)
        writer.put(fileExtension, limit: Limits.formatName)
    }

    init(from reader: inout WireReader) throws(WireError) {
        isEncoded = try reader.bool()
        frames = try reader.integer()
        sampleRate = try reader.integer()
        fileExtension = try reader.string(limit: Limits.formatName)
        guard isPlausible else { throw WireError("an invalid cut") }
    }
}

extension Limits {
    /// Returns `true` if a string is a short name of lower case letters and digits.
    public static func allowsFormatName(_ name: String) -> Bool {
        (1...formatName).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
}

extension HostMessage.Cut {
    /// `true` if the passage can exist: neither empty nor behind what any content holds.
    public var isPlausible: Bool {
        startTrack < Limits.tracks && endTrack < Limits.tracks && (0...Limits.units).contains(start)
            && (0...Limits.units).contains(end) && (startTrack, start) < (endTrack, end)
            && (format.isEmpty || Limits.allowsFormatName(format)) && tags.count <= Limits.tags
    }

    func write(to writer: inout WireWriter) {
        writer.put(startTrack)
        writer.put(start)
        writer.put(endTrack)
        writer.put(end)
        writer.put(format, limit: Limits.formatName)
        writer.put(UInt32(tags.count))
        for tag in tags { tag.write(to: &writer) }
        writer.put(hasCover)
    }

    init(from reader: inout WireReader) throws(WireError) {
        startTrack = try reader.integer()
        start = try reader.integer()
        endTrack = try reader.integer()
        end = try reader.integer()
        format = try reader.string(limit: Limits.formatName)
        tags = try reader.list { (list) throws(WireError) in try WireTag(from: &list) }
        hasCover = try reader.bool()
        guard isPlausible else { throw WireError("an impossible cut") }
    }
}
