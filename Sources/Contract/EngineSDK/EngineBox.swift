// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// The object behind the contract's opaque engine pointer.
///
/// It holds the engine and the state that the contract requires: the strings that it returned last, and the description
/// of its content.
final class EngineBox {
    let engine: any Engine
    let extensions: EngineExtensions
    var strings = LastingStrings()
    /// The voices as they were counted last: reading them anew for each that is described may take seconds.
    private var counted: [Voice]?
    private var loaded: (media: Media, trackCount: Int)?
    /// The bytes that the host received last, which stay valid until the next call that returns bytes.
    private var handedOver: UnsafeMutableBufferPointer<UInt8>?

    deinit { handedOver?.deallocate() }

    func keep(_ bytes: [UInt8]) -> UnsafePointer<UInt8>? {
        handedOver?.deallocate()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = copy.initialize(from: bytes)
        handedOver = copy
        return UnsafePointer(copy.baseAddress)
    }

    init(_ engine: any Engine, extensions: EngineExtensions) {
        self.engine = engine
        self.extensions = extensions
    }

    func countVoices() -> Int {
        let voices = (engine as? any VoiceListing)?.voices() ?? []
        counted = voices
        return voices.count
    }

    func describe(voice index: Int, _ voice: UnsafeMutablePointer<rostrum_voice>) throws(EngineFailure) {
        if counted == nil { _ = countVoices() }
        guard let counted, counted.indices.contains(index) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no voice \(index)")
        }
        voice.pointee.name = strings.set(.title, counted[index].name)
        voice.pointee.language = strings.set(.language, counted[index].language)
        voice.pointee.description = strings.set(.author, counted[index].description)
    }

    func load(_ content: rostrum_content) throws(EngineFailure) {
        loaded = nil
        guard let kind = Kind(rawValue: content.kind), content.track_count > 0 else {
            throw EngineFailure(
                ROSTRUM_ERROR_ARGUMENT, "content of kind \(content.kind) with \(content.track_count) tracks")
        }
        let media = try engine.load(
            Content(
                kind: kind, trackCount: Int(content.track_count), startTrack: Int(content.start_track),
                start: content.start, language: content.language.map { String(cString: $0) },
                voice: content.voice.map { String(cString: $0) }, rate: content.rate))
        loaded = (media, Int(content.track_count))
    }

    func unload() {
        loaded = nil
        engine.unload()
    }

    private func content() throws(EngineFailure) -> (media: Media, trackCount: Int) {
        guard let loaded else { throw EngineFailure(ROSTRUM_ERROR_STATE, "nothing is loaded") }
        return loaded
    }

    func describe(_ media: UnsafeMutablePointer<rostrum_media>) throws(EngineFailure) {
        let content = try content()
        media.pointee.track_count = UInt32(content.trackCount)
        media.pointee.chapter_count = UInt32(content.media.chapters.count)
        media.pointee.title = strings.set(.title, content.media.title)
        media.pointee.author = strings.set(.author, content.media.author)
    }

    func describe(track index: Int, _ track: UnsafeMutablePointer<rostrum_track>) throws(EngineFailure) {
        guard index < (try content()).trackCount else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no track \(index)")
        }
        let described = try engine.track(index)
        track.pointee.sample_rate = UInt32(clamping: described.sampleRate)
        track.pointee.channels = UInt32(clamping: described.channels)
        track.pointee.encoding = described.encoding.rawValue
        track.pointee.duration = described.duration ?? .min
        track.pointee.confidence = described.confidence.rawValue
        track.pointee.units_per_second = described.unitsPerSecond
        track.pointee.codec = strings.set(.codec, described.codec)
        track.pointee.title = strings.set(.title, described.title)
    }

    func describe(chapter index: Int, _ chapter: UnsafeMutablePointer<rostrum_chapter>) throws(EngineFailure) {
        let chapters = try content().media.chapters
        guard chapters.indices.contains(index) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no chapter \(index)")
        }
        chapter.pointee.track = UInt32(clamping: chapters[index].track)
        chapter.pointee.start = chapters[index].start
        chapter.pointee.end = chapters[index].end ?? .min
        chapter.pointee.title = strings.set(.title, chapters[index].title)
        chapter.pointee.source = strings.set(.codec, chapters[index].source)
    }

    func render(_ block: UnsafeMutablePointer<rostrum_block>) throws(EngineFailure) {
        guard let samples = block.pointee.samples else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "a block without room")
        }
        var filled = Block(samples: samples, capacity: Int(block.pointee.capacity))
        try engine.render(into: &filled)
        block.pointee.frames = UInt32(clamping: filled.frames)
        block.pointee.sample_rate = UInt32(clamping: filled.sampleRate)
        block.pointee.channels = UInt32(clamping: filled.channels)
        block.pointee.track = UInt32(clamping: filled.track)
        block.pointee.position = filled.position
        block.pointee.position_end = filled.positionEnd
        block.pointee.flags =
            (filled.isEnd ? ROSTRUM_BLOCK_END : 0) | (filled.isTrackEnd ? ROSTRUM_BLOCK_TRACK_END : 0)
            | (filled.isDamaged ? ROSTRUM_BLOCK_DAMAGED : 0)
    }
}

/// A set of C strings, each of which stays valid until it is set again.
struct LastingStrings: ~Copyable {
    enum Use: Int, CaseIterable { case error, title, author, codec, language, mediaType }
    private var pointers: [UnsafeMutableBufferPointer<CChar>?] = Array(repeating: nil, count: Use.allCases.count)

    /// Returns the string for a use, never `nil`: an empty string if none was set.
    subscript(use: Use) -> UnsafePointer<CChar>? {
        mutating get {
            if let pointer = pointers[use.rawValue] { return UnsafePointer(pointer.baseAddress) }
            return set(use, "")
        }
    }

    @discardableResult
    mutating func set(_ use: Use, _ string: String?) -> UnsafePointer<CChar>? {
        pointers[use.rawValue]?.deallocate()
        pointers[use.rawValue] = nil
        guard let string else { return nil }
        let bytes = Array(string.utf8CString)
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        pointers[use.rawValue] = copy
        return UnsafePointer(copy.baseAddress)
    }

    deinit {
        for pointer in pointers { pointer?.deallocate() }
    }
}
