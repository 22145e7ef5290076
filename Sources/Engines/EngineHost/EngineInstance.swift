// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader
import EngineTransport
import Glibc

/// An engine whose calls are bracketed so that the control thread can interrupt them.
///
/// It is used on the engine's thread only.
final class EngineInstance {
    private let functions: EngineFunctions
    private let engine: OpaquePointer
    private let inbox: HostInbox
    let services: HostServices
    let name: String

    private let rate: UnsafePointer<rostrum_rate>?
    private let range: UnsafePointer<rostrum_range>?
    private let measuring: UnsafePointer<rostrum_measure>?
    private let indexing: UnsafePointer<rostrum_index>?
    private let covers: UnsafePointer<rostrum_cover>?
    private let cutting: UnsafePointer<rostrum_cut>?
    private let peaks: UnsafePointer<rostrum_peaks>?
    private let voices: UnsafePointer<rostrum_voices>?
    private var isAudio = false

    init(_ module: LoadedModule, inbox: HostInbox, socket: MessageSocket) throws(WireFailure) {
        functions = module.functions
        self.inbox = inbox
        name = module.id
        services = HostServices(inbox: inbox, socket: socket)
        var engine: OpaquePointer?
        let result = functions.create(services.table(), &engine)
        guard result == ROSTRUM_OK, let engine else {
            services.retire()
            throw WireFailure(
                code: min(result, EngineNumber.misbehaved),
                message: "the engine \(module.id) cannot be created (\(result))")
        }
        self.engine = engine
        inbox.engineExists(engine, functions)
        let functions = functions
        func find<T>(_ id: String, _: T.Type) -> UnsafePointer<T>? {
            guard let found = functions.getExtension(engine, id), found.load(as: UInt32.self) >= MemoryLayout<T>.size
            else { return nil }
            return found.assumingMemoryBound(to: T.self)
        }
        rate = find(ROSTRUM_RATE_EXTENSION, rostrum_rate.self)
        range = find(ROSTRUM_RANGE_EXTENSION, rostrum_range.self)
        measuring = find(ROSTRUM_MEASURE_EXTENSION, rostrum_measure.self)
        indexing = find(ROSTRUM_INDEX_EXTENSION, rostrum_index.self)
        covers = find(ROSTRUM_COVER_EXTENSION, rostrum_cover.self)
        cutting = find(ROSTRUM_CUT_EXTENSION, rostrum_cut.self)
        peaks = find(ROSTRUM_PEAKS_EXTENSION, rostrum_peaks.self)
        voices = find(ROSTRUM_VOICES_EXTENSION, rostrum_voices.self)
    }

    func destroy() {
        inbox.engineEnds()
        functions.destroy(engine)
        services.retire()
    }

    var rates: ClosedRange<Double>? {
        guard let rate, rate.pointee.minimum > 0, rate.pointee.minimum <= rate.pointee.maximum else { return nil }
        return rate.pointee.minimum...rate.pointee.maximum
    }

    static let interrupted = WireFailure(code: ROSTRUM_ERROR_INTERRUPTED, message: "superseded by a later command")

    /// Makes one call of the contract; a failure carries the engine's own message.
    private func call(_ kind: EngineCall, _ body: () -> rostrum_result) throws(WireFailure) {
        guard inbox.begin(kind) else { throw Self.interrupted }
        let result = body()
        inbox.end()
        guard result != ROSTRUM_OK else { return }
        guard result != ROSTRUM_ERROR_INTERRUPTED else { throw Self.interrupted }
        let words = functions.errorMessage(engine).map(EngineString.read) ?? ""
        throw WireFailure(
            code: result < 0 ? result : EngineNumber.misbehaved,
            message: words.isEmpty ? "the engine \(name) failed with \(result) and gave no reason" : words)
    }

    func load(_ load: HostMessage.Load) throws(WireFailure) {
        isAudio = load.kind == ROSTRUM_KIND_AUDIO
        try call(.load) {
            withOptionalCString(load.language) { language in
                withOptionalCString(load.voice) { voice in
                    var content = rostrum_content()
                    content.size = UInt32(MemoryLayout<rostrum_content>.size)
                    content.kind = load.kind
                    content.track_count = load.trackCount
                    content.start_track = load.startTrack
                    content.start = load.start
                    content.language = language
                    content.voice = voice
                    content.rate = load.rate
                    return functions.load(engine, &content)
                }
            }
        }
    }

    func unload() {
        _ = inbox.begin(.brief)
        functions.unload(engine)
        inbox.end()
    }

    func media() throws(WireFailure) -> (title: String?, author: String?, tracks: UInt32, chapters: UInt32) {
        var media = rostrum_media()
        media.size = UInt32(MemoryLayout<rostrum_media>.size)
        try call(.brief) { functions.media(engine, &media) }
        return (
            media.title.map(EngineString.read), media.author.map(EngineString.read), media.track_count,
            media.chapter_count
        )
    }

    func track(_ index: UInt32, within kind: EngineCall) throws(WireFailure) -> WireTrack {
        var track = rostrum_track()
        track.size = UInt32(MemoryLayout<rostrum_track>.size)
        try call(kind) { functions.track(engine, index, &track) }
        let described = WireTrack(
            index: index, sampleRate: track.sample_rate, channels: track.channels, encoding: track.encoding,
            duration: track.duration == .min ? nil : track.duration, confidence: track.confidence,
            unitsPerSecond: track.units_per_second, codec: track.codec.map(EngineString.read) ?? "",
            title: track.title.map(EngineString.read))
        guard described.isPlausible(isAudio: isAudio) else {
            throw WireFailure(
                code: EngineNumber.misbehaved,
                message: "the engine \(name) describes track \(index) with impossible numbers")
        }
        return described
    }

    func chapter(_ index: UInt32) throws(WireFailure) -> WireChapter {
        var chapter = rostrum_chapter()
        chapter.size = UInt32(MemoryLayout<rostrum_chapter>.size)
        try call(.brief) { functions.chapter(engine, index, &chapter) }
        let described = WireChapter(
            track: chapter.track, start: chapter.start, end: chapter.end == .min ? nil : chapter.end,
            title: chapter.title.map(EngineString.read), source: chapter.source.map(EngineString.read) ?? "")
        guard described.isPlausible else {
            throw WireFailure(
                code: EngineNumber.misbehaved,
                message: "the engine \(name) describes chapter \(index) with impossible numbers")
        }
        return described
    }

    func seek(track: UInt32, position: Int64) throws(WireFailure) {
        try call(.seek) { functions.seek(engine, track, position) }
    }

    func setRate(_ value: Double) throws(WireFailure) {
        guard let rate, let set = rate.pointee.set_rate else {
            throw WireFailure(
                code: ROSTRUM_ERROR_UNSUPPORTED, message: "the engine \(name) cannot change its rate itself")
        }
        try call(.brief) { set(engine, value) }
    }

    func setRange(_ value: HostMessage.Range) throws(WireFailure) {
        guard let set = range?.pointee.set_range else {
            throw WireFailure(code: ROSTRUM_ERROR_UNSUPPORTED, message: "the engine \(name) does not play clips")
        }
        try call(.brief) {
            set(engine, value.startTrack, value.start, value.endTrack, value.end, value.loops ? 1 : 0)
        }
    }

    /// Measures a track, or returns `nil` if the engine cannot.
    func measure(track: UInt32, within kind: EngineCall = .measure) throws(WireFailure) -> Int64? {
        guard let measure = measuring?.pointee.measure else { return nil }
        var duration: Int64 = 0
        try call(kind) { measure(engine, track, &duration) }
        return (0...Limits.units).contains(duration) ? duration : nil
    }

    /// Returns the index that measuring a track produced, or `nil` if there is nothing to keep.
    func index(track: UInt32) -> [UInt8]? {
        guard let index = indexing?.pointee.index else { return nil }
        var bytes: UnsafePointer<UInt8>?
        var length: UInt64 = 0
        do throws(WireFailure) {
            try call(.brief) { index(engine, track, &bytes, &length) }
        } catch {
            return nil
        }
        guard let bytes, (1...UInt64(Limits.index)).contains(length) else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }

    /// Returns the picture in a track, or `nil` if there is none or the engine does not support pictures.
    func cover(track: UInt32) throws(WireFailure) -> (mediaType: String, bytes: [UInt8])? {
        guard let cover = covers?.pointee.cover else { return nil }
        var mediaType: UnsafePointer<CChar>?
        var bytes: UnsafePointer<UInt8>?
        var length: UInt64 = 0
        do throws(WireFailure) {
            // Like measuring, this may read the file, so the same commands interrupt it.
            try call(.measure) { cover(engine, track, &mediaType, &bytes, &length) }
        } catch {
            if error.code == ROSTRUM_ERROR_NOT_FOUND { return nil }
            throw error
        }
        guard let type = mediaType.map(EngineString.read), Limits.allowsMediaType(type), let bytes,
            (1...UInt64(Limits.cover)).contains(length)
        else {
            throw WireFailure(
                code: EngineNumber.misbehaved,
                message: "the engine \(name) returned an invalid picture of track \(track)")
        }
        return (type, Array(UnsafeBufferPointer(start: bytes, count: Int(length))))
    }

    /// Cuts a passage into the first descriptor; the second, if there is one, is that of a cover.
    func cut(_ cut: HostMessage.Cut, into descriptors: [OwnedDescriptor]) throws(WireFailure) -> WireCutResult {
        guard let function = cutting?.pointee.cut, let file = descriptors.first else {
            throw WireFailure(
                code: ROSTRUM_ERROR_UNSUPPORTED, message: "the engine \(name) does not cut; use the engine clip")
        }
        var order = rostrum_cut_order()
        order.size = UInt32(MemoryLayout<rostrum_cut_order>.size)
        (order.start_track, order.start) = (cut.startTrack, cut.start)
        (order.end_track, order.end) = (cut.endTrack, cut.end)
        order.file = file.rawValue
        order.cover = descriptors.count > 1 ? descriptors[1].rawValue : -1
        let texts: [String] = [cut.format] + cut.tags.flatMap { tag -> [String] in [tag.key, tag.value] }
        let strings: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { for string in strings { free(string) } }
        guard strings.allSatisfy({ $0 != nil }) else {
            throw WireFailure(code: ROSTRUM_ERROR_MEMORY, message: "no memory for the tags of a cut")
        }
        order.format = strings[0].map { UnsafePointer($0) }
        let tags: [UnsafePointer<CChar>?] = strings.dropFirst().map { $0.map { UnsafePointer($0) } } + [nil]
        var result = rostrum_cut_result()
        result.size = UInt32(MemoryLayout<rostrum_cut_result>.size)
        // Like measuring, this may read whole tracks, so the same commands interrupt it.
        try call(.measure) {
            tags.withUnsafeBufferPointer { tags in
                order.tags = tags.baseAddress
                return function(engine, &order, &result)
            }
        }
        let cut = WireCutResult(
            isEncoded: result.encoded != 0, frames: result.frames, sampleRate: result.sample_rate,
            fileExtension: withUnsafeBytes(of: result.extension) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            })
        guard cut.isPlausible else {
            throw WireFailure(
                code: EngineNumber.misbehaved,
                message: "the engine \(name) describes what it cut with impossible values")
        }
        return cut
    }

    /// Returns the peaks of a track from number `first` on; fewer than `count` only at its end.
    func peaks(
        track: UInt32, _ framesPerPeak: UInt32, from first: UInt64, count: UInt32
    ) throws(WireFailure) -> [WirePeak] {
        guard let read = peaks?.pointee.peaks else {
            throw WireFailure(code: ROSTRUM_ERROR_UNSUPPORTED, message: "the engine \(name) does not read peaks")
        }
        var found = [rostrum_peak](repeating: rostrum_peak(), count: Int(count))
        var filled: UInt32 = 0
        // Like measuring, this may read the whole file, so the same commands interrupt it.
        try call(.measure) { read(engine, track, framesPerPeak, first, &found, count, &filled) }
        guard filled <= count else { throw impossiblePeaks(track) }
        var peaks: [WirePeak] = []
        peaks.reserveCapacity(Int(filled))
        for peak in found.prefix(Int(filled)) {
            let checked = WirePeak(minimum: peak.minimum, maximum: peak.maximum, rms: peak.rms)
            guard checked.isPlausible else { throw impossiblePeaks(track) }
            peaks.append(checked)
        }
        return peaks
    }

    private func impossiblePeaks(_ track: UInt32) -> WireFailure {
        WireFailure(
            code: EngineNumber.misbehaved, message: "the engine \(name) returned impossible peaks of track \(track)")
    }

    /// Returns the voices of an engine that speaks; none if there is no choice.
    func listVoices() throws(WireFailure) -> [WireVoice] {
        guard let count = voices?.pointee.count, let describe = voices?.pointee.voice else { return [] }
        var number: UInt32 = 0
        try call(.brief) {
            number = count(engine)
            return ROSTRUM_OK
        }
        guard number <= Limits.voices else { throw impossibleVoices("\(number) voices") }
        var found: [WireVoice] = []
        for index in 0..<number {
            var voice = rostrum_voice()
            voice.size = UInt32(MemoryLayout<rostrum_voice>.size)
            try call(.brief) { describe(engine, index, &voice) }
            let described = WireVoice(
                name: voice.name.map(EngineString.read) ?? "", language: voice.language.map(EngineString.read) ?? "",
                about: voice.description.map(EngineString.read))
            guard described.isPlausible else { throw impossibleVoices("an impossible voice") }
            found.append(described)
        }
        return found
    }

    private func impossibleVoices(_ what: String) -> WireFailure {
        WireFailure(code: EngineNumber.misbehaved, message: "the engine \(name) lists \(what)")
    }

    /// Renders into the block and sends its marks first; throws `interrupted` if a command waits.
    func render(into block: inout rostrum_block, generation: UInt32) throws(WireFailure) {
        services.rendering = generation
        defer { services.rendering = nil }
        try call(.render) { functions.render(engine, &block) }
        services.flushMarks()
    }
}

private func withOptionalCString<T>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> T) -> T {
    guard let string else { return body(nil) }
    return string.withCString(body)
}
