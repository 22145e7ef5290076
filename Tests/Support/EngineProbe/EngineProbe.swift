// SPDX-License-Identifier: Apache-2.0

package import EngineABI
import Glibc
import Synchronization

/// A probe that drives one engine in this process through the C contract, and checks the engine against it.
///
/// Use it from one thread at a time, except ``interrupt()``. The engine is destroyed with the probe.
package final class EngineProbe: @unchecked Sendable /* one thread at a time, by contract of the tests */ {
    package let library: EngineLibrary
    let host: ProbeHost
    private let contract: UnsafeMutablePointer<rostrum_host>
    private let engine: OpaquePointer
    let buffer: UnsafeMutablePointer<Float>
    let capacity: Int
    private var rules = BlockRules()
    /// The kind of the loaded content.
    private var kind = ROSTRUM_KIND_AUDIO

    private var functions: rostrum_engine_functions { library.module.pointee.functions }

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - script: What the session knows of a text; without it, the host has no such extension.
    ///   - capacity: The size of the blocks that the engine fills, in floats.
    package init(
        _ library: EngineLibrary, sources: [ProbeSource], indexes: [UInt32: [UInt8]] = [:],
        trust: ProbeTrust = ProbeTrust(), script: [ProbeUtterance]? = nil,
        capacity: Int = 8 * 1024
    ) throws(ProbeFailure) {
        self.library = library
        self.capacity = capacity
        host = ProbeHost(sources: sources, indexes: indexes, trust: trust, script: script)
        contract = .allocate(capacity: 1)
        contract.initialize(to: host.contract())
        buffer = .allocate(capacity: capacity)
        buffer.initialize(repeating: .nan, count: capacity)
        var engine: OpaquePointer?
        let result = library.module.pointee.functions.create(contract, &engine)
        guard result == ROSTRUM_OK, let engine else {
            contract.deallocate()
            buffer.deallocate()
            throw ProbeFailure(result, "create failed")
        }
        self.engine = engine
    }

    deinit {
        library.module.pointee.functions.destroy(engine)
        contract.deallocate()
        buffer.deallocate()
    }

    package var marks: [ProbeMark] { host.state.withLock { $0.marks } }
    package var log: [ProbeLogLine] { host.state.withLock { $0.log } }
    /// The tracks whose source the engine requested, in order.
    package var openedTracks: [UInt32] { host.state.withLock { $0.opened } }

    private func check(_ result: rostrum_result, _ call: String) throws(ProbeFailure) {
        guard result != ROSTRUM_OK else { return }
        guard let message = functions.error_message(engine) else {
            throw ProbeFailure(0, "\(call) failed with \(result) and no message")
        }
        let line = String(cString: message)
        guard !line.isEmpty, !line.contains("\n") else {
            throw ProbeFailure(0, "\(call) failed with \(result) and not one line: \(line)")
        }
        throw ProbeFailure(result, line)
    }

    package func load(
        kind: UInt32 = ROSTRUM_KIND_AUDIO, trackCount: Int? = nil, startTrack: Int = 0, start: Int64 = 0,
        language: String? = nil, voice: String? = nil, rate: Double = 1
    ) throws(ProbeFailure) {
        rules = BlockRules()
        let count = trackCount ?? host.sources.count
        func load(_ language: UnsafePointer<CChar>?, _ voice: UnsafePointer<CChar>?) -> rostrum_result {
            var content = rostrum_content(
                size: UInt32(MemoryLayout<rostrum_content>.size), kind: kind, track_count: UInt32(count),
                start_track: UInt32(startTrack), start: start, language: language, voice: voice, rate: rate)
            return functions.load(engine, &content)
        }
        func withOptional(
            _ string: String?, _ body: (UnsafePointer<CChar>?) -> rostrum_result
        ) -> rostrum_result {
            guard let string else { return body(nil) }
            return string.withCString(body)
        }
        let result = withOptional(language) { language in withOptional(voice) { load(language, $0) } }
        try check(result, "load")
        self.kind = kind
        rules.seek(track: startTrack, position: kind == ROSTRUM_KIND_AUDIO ? start : nil)
    }

    package func unload() {
        functions.unload(engine)
    }

    package func media() throws(ProbeFailure) -> ProbeMedia {
        var media = rostrum_media()
        media.size = UInt32(MemoryLayout<rostrum_media>.size)
        try check(functions.media(engine, &media), "media")
        return ProbeMedia(media)
    }

    package func track(_ index: Int = 0) throws(ProbeFailure) -> ProbeTrack {
        var track = rostrum_track()
        track.size = UInt32(MemoryLayout<rostrum_track>.size)
        try check(functions.track(engine, UInt32(index), &track), "track")
        return ProbeTrack(track)
    }

    package func chapters() throws(ProbeFailure) -> [ProbeChapter] {
        var chapters: [ProbeChapter] = []
        for index in 0..<(try media()).chapterCount {
            var chapter = rostrum_chapter()
            chapter.size = UInt32(MemoryLayout<rostrum_chapter>.size)
            try check(functions.chapter(engine, UInt32(index), &chapter), "chapter")
            chapters.append(ProbeChapter(chapter))
        }
        return chapters
    }

    package func seek(track: Int = 0, position: Int64) throws(ProbeFailure) {
        try check(functions.seek(engine, UInt32(track), position), "seek")
        // A text continues at the word that holds the position, and that word begins before or behind it.
        rules.seek(track: track, position: kind == ROSTRUM_KIND_AUDIO ? position : nil)
    }

    /// Renders the next block, and checks it.
    ///
    /// Its samples are valid until the next call.
    package func render() throws(ProbeFailure) -> ProbeBlock {
        var block = rostrum_block()
        block.size = UInt32(MemoryLayout<rostrum_block>.size)
        block.samples = buffer
        block.capacity = UInt32(capacity)
        try check(functions.render(engine, &block), "render")
        let rendered = ProbeBlock(block, UnsafeBufferPointer(start: buffer, count: capacity))
        try rules.check(rendered, capacity: capacity)
        return rendered
    }

    /// Ends the current call, from any thread.
    ///
    /// ``resetInterrupt()`` clears the interrupt, as a host does once that call has returned.
    package func interrupt() {
        host.interrupted.store(true, ordering: .relaxed)
        functions.interrupt(engine)
    }

    /// Ends a call at the engine's look number `look` from now on, on whatever thread that is.
    package func interrupt(atLook look: Int) {
        host.looksLeft.store(look, ordering: .relaxed)
    }

    package func resetInterrupt() {
        host.looksLeft.store(-1, ordering: .relaxed)
        host.interrupted.store(false, ordering: .relaxed)
    }

    private func withExtension<T>(
        _ id: String, as type: T.Type, _ body: (UnsafePointer<T>) throws(ProbeFailure) -> Void
    ) throws(ProbeFailure) {
        guard let pointer = functions.get_extension(engine, id) else {
            throw ProbeFailure(0, "the engine has no \(id)")
        }
        try body(pointer.assumingMemoryBound(to: type))
    }

    package func measure(track: Int = 0) throws(ProbeFailure) -> Int64 {
        var duration = Int64.min
        try withExtension(ROSTRUM_MEASURE_EXTENSION, as: rostrum_measure.self) { table throws(ProbeFailure) in
            try check(table.pointee.measure(engine, UInt32(track), &duration), "measure")
        }
        return duration
    }

    /// Returns what measuring found out; `nil` if nothing is to be kept.
    package func index(track: Int = 0) throws(ProbeFailure) -> [UInt8]? {
        var found: [UInt8]?
        try withExtension(ROSTRUM_INDEX_EXTENSION, as: rostrum_index.self) { table throws(ProbeFailure) in
            var bytes: UnsafePointer<UInt8>?
            var length: UInt64 = 0
            let result = table.pointee.index(engine, UInt32(track), &bytes, &length)
            if result == ROSTRUM_ERROR_NOT_FOUND { return }
            try check(result, "index")
            found = Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
        }
        return found
    }

    /// Returns the picture in a track; `nil` if there is none.
    package func cover(track: Int = 0) throws(ProbeFailure) -> (mediaType: String, bytes: [UInt8])? {
        var found: (String, [UInt8])?
        try withExtension(ROSTRUM_COVER_EXTENSION, as: rostrum_cover.self) { table throws(ProbeFailure) in
            var type: UnsafePointer<CChar>?
            var bytes: UnsafePointer<UInt8>?
            var length: UInt64 = 0
            let result = table.pointee.cover(engine, UInt32(track), &type, &bytes, &length)
            if result == ROSTRUM_ERROR_NOT_FOUND { return }
            try check(result, "cover")
            guard let type, let bytes, (1...UInt64(ROSTRUM_COVER_LIMIT)).contains(length) else {
                throw ProbeFailure(0, "a picture of \(length) bytes")
            }
            found = (String(cString: type), Array(UnsafeBufferPointer(start: bytes, count: Int(length))))
        }
        return found
    }

    /// Writes a passage into an open file.
    package func cut(
        _ start: (track: Int, unit: Int64), _ end: (track: Int, unit: Int64), format: String = "",
        tags: [(String, String)] = [], file: Int32, cover: Int32 = -1
    ) throws(ProbeFailure) -> ProbeCut {
        var result = rostrum_cut_result()
        result.size = UInt32(MemoryLayout<rostrum_cut_result>.size)
        let texts = tags.flatMap { [strdup($0.0), strdup($0.1)] }
        defer { for text in texts { free(text) } }
        let pointers: [UnsafePointer<CChar>?] = texts.map { $0.map { UnsafePointer($0) } } + [nil]
        try withExtension(ROSTRUM_CUT_EXTENSION, as: rostrum_cut.self) { table throws(ProbeFailure) in
            let code = format.withCString { format in
                pointers.withUnsafeBufferPointer { tags in
                    var order = rostrum_cut_order(
                        size: UInt32(MemoryLayout<rostrum_cut_order>.size), flags: 0,
                        start_track: UInt32(truncatingIfNeeded: start.track),
                        end_track: UInt32(truncatingIfNeeded: end.track), start: start.unit, end: end.unit,
                        format: format, tags: tags.baseAddress, file: file, cover: cover)
                    return table.pointee.cut(engine, &order, &result)
                }
            }
            try check(code, "cut")
        }
        return ProbeCut(result)
    }

    /// Reads peaks; fewer than `count` only at the end of the track.
    package func peaks(
        track: Int = 0, framesPerPeak: Int = 512, from first: Int, count: Int = 4096
    ) throws(ProbeFailure) -> [rostrum_peak] {
        var peaks = [rostrum_peak](repeating: rostrum_peak(), count: count)
        var filled: UInt32 = 0
        try withExtension(ROSTRUM_PEAKS_EXTENSION, as: rostrum_peaks.self) { table throws(ProbeFailure) in
            try check(
                table.pointee.peaks(
                    engine, UInt32(track), UInt32(framesPerPeak), UInt64(first), &peaks, UInt32(count), &filled),
                "peaks")
        }
        guard filled <= count else { throw ProbeFailure(0, "\(filled) peaks of \(count)") }
        return Array(peaks.prefix(Int(filled)))
    }

    package func rates() throws(ProbeFailure) -> ClosedRange<Double> {
        var rates = 1.0...1.0
        try withExtension(ROSTRUM_RATE_EXTENSION, as: rostrum_rate.self) { table throws(ProbeFailure) in
            guard table.pointee.minimum <= table.pointee.maximum else { throw ProbeFailure(0, "no range of rates") }
            rates = table.pointee.minimum...table.pointee.maximum
        }
        return rates
    }

    package func setRate(_ rate: Double) throws(ProbeFailure) {
        try withExtension(ROSTRUM_RATE_EXTENSION, as: rostrum_rate.self) { table throws(ProbeFailure) in
            try check(table.pointee.set_rate(engine, rate), "set_rate")
        }
    }

    /// Sets a clip of one track; seek afterwards.
    package func setRange(_ range: Range<Int64>, track: Int = 0, loops: Bool = false) throws(ProbeFailure) {
        try withExtension(ROSTRUM_RANGE_EXTENSION, as: rostrum_range.self) { table throws(ProbeFailure) in
            let track = UInt32(track)
            try check(
                table.pointee.set_range(engine, track, range.lowerBound, track, range.upperBound, loops ? 1 : 0),
                "set_range")
        }
        rules.loopStart = loops ? range.lowerBound : nil
    }

    package func voices() throws(ProbeFailure) -> [ProbeVoice] {
        var voices: [ProbeVoice] = []
        try withExtension(ROSTRUM_VOICES_EXTENSION, as: rostrum_voices.self) { table throws(ProbeFailure) in
            for index in 0..<table.pointee.count(engine) {
                var voice = rostrum_voice()
                voice.size = UInt32(MemoryLayout<rostrum_voice>.size)
                try check(table.pointee.voice(engine, index, &voice), "voice")
                voices.append(ProbeVoice(voice))
            }
        }
        return voices
    }
}
