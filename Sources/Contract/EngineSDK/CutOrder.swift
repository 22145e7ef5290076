// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// An order to write a passage of the content into a file of its own.
public struct CutOrder: Sendable {
    /// A text with which the file describes itself.
    public struct Tag: Sendable, Hashable {
        /// The key: `title`, `artist`, `album`, `chapter`, `comment` or `date`.
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public var startTrack: Int
    /// The first unit of the passage, in units of the start track.
    public var start: Int64
    public var endTrack: Int
    /// The unit behind the last one of the passage, in units of the end track.
    public var end: Int64
    /// The format, such as `mp3`; empty to keep the encoding of the source where that is possible.
    public var format: String
    public var tags: [Tag]
    /// The descriptor of an empty file, open for reading and writing; the engine does not close it.
    public var file: Int32
    /// The descriptor of a JPEG or PNG picture, or `nil`; the engine does not close it.
    public var cover: Int32?

    public init(
        startTrack: Int, start: Int64, endTrack: Int, end: Int64, format: String = "", tags: [Tag] = [], file: Int32,
        cover: Int32? = nil
    ) {
        self.startTrack = startTrack
        self.start = start
        self.endTrack = endTrack
        self.end = end
        self.format = format
        self.tags = tags
        self.file = file
        self.cover = cover
    }
}

/// A description of the file that a cut wrote.
public struct CutOutcome: Sendable, Hashable {
    /// `true` if the audio was encoded again; `false` if its packets were copied, or its samples are uncompressed.
    public var isEncoded: Bool
    /// The number of frames to which the file decodes, at `sampleRate`.
    public var frames: Int64
    /// The sample rate of the file, in frames per second.
    public var sampleRate: Int
    /// The extension for the name of the file, such as `m4a`: at most 7 lower case letters and digits.
    public var fileExtension: String

    public init(isEncoded: Bool, frames: Int64, sampleRate: Int, fileExtension: String) {
        self.isEncoded = isEncoded
        self.frames = frames
        self.sampleRate = sampleRate
        self.fileExtension = fileExtension
    }
}

extension CutOrder {
    /// Reads the host's order.
    init(_ order: rostrum_cut_order) {
        var tags: [Tag] = []
        var next = order.tags
        while let pair = next, let key = pair[0], let value = pair[1] {
            tags.append(Tag(key: String(cString: key), value: String(cString: value)))
            next = pair + 2
        }
        self.init(
            startTrack: Int(order.start_track), start: order.start, endTrack: Int(order.end_track), end: order.end,
            format: order.format.map { String(cString: $0) } ?? "", tags: tags, file: order.file,
            cover: order.cover >= 0 ? order.cover : nil)
    }
}

extension rostrum_cut_result {
    /// Takes over an outcome; members that lie behind `size` are not the engine's to write.
    static func fill(_ result: UnsafeMutablePointer<rostrum_cut_result>, with outcome: CutOutcome) {
        var filled = rostrum_cut_result()
        filled.size = result.pointee.size
        filled.encoded = outcome.isEncoded ? 1 : 0
        filled.frames = outcome.frames
        filled.sample_rate = UInt32(clamping: outcome.sampleRate)
        withUnsafeMutableBytes(of: &filled.extension) { $0.copyBytes(from: outcome.fileExtension.utf8.prefix(7)) }
        let size = min(Int(filled.size), MemoryLayout<rostrum_cut_result>.size)
        withUnsafeBytes(of: &filled) { bytes in
            guard let start = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(result).copyMemory(from: start, byteCount: size)
        }
    }
}
