// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import EngineSDK
import Glibc
import Synchronization

/// A session with a script, which drives one engine through the C contract.
final class SpeakingSession: @unchecked Sendable /* one thread at a time, except what `said` guards */ {
    struct Mark: Equatable {
        var kind: UInt32
        var position: Int64
        var length: Int64
        /// The frames that were rendered before it.
        var frame: Int
    }

    struct Block {
        var frames: Int
        var position: Int64
        var positionEnd: Int64
        var isEnd: Bool
    }

    struct Failure: Error {
        var code: rostrum_result
        var message: String
    }

    let text: [UInt8]
    /// `nil` for a session without scripts.
    let script: [SpokenUtterance]?
    let isInterrupted = Atomic<Bool>(false)
    private let lines = Mutex<[String]>([])
    private(set) var marks: [Mark] = []
    private(set) var samples: [Float] = []

    private let module: UnsafePointer<rostrum_engine_module>
    private let host = UnsafeMutablePointer<rostrum_host>.allocate(capacity: 1)
    private let scriptHost = UnsafeMutablePointer<rostrum_script_host>.allocate(capacity: 1)
    private let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 8192)
    private var engine: OpaquePointer?
    private var strings: [UnsafeMutablePointer<CChar>?] = []
    private var words = UnsafeMutableBufferPointer<rostrum_script_word>.allocate(capacity: 0)

    var log: [String] { lines.withLock { $0 } }
    private var functions: rostrum_engine_functions { module.pointee.functions }

    init(_ text: String, script: [SpokenUtterance]? = nil) throws {
        self.text = Array(text.utf8)
        self.script = script
        module = try EngineLibrary(product: "SherpaEngine").module
        scriptHost.initialize(to: rostrum_script_host())
        scriptHost.pointee.size = UInt32(MemoryLayout<rostrum_script_host>.size)
        scriptHost.pointee.utterance = { data, position, utterance in
            guard let utterance else { return ROSTRUM_ERROR_ARGUMENT }
            return SpeakingSession.from(data).utterance(at: position, &utterance.pointee)
        }
        host.initialize(to: rostrum_host())
        host.pointee.size = UInt32(MemoryLayout<rostrum_host>.size)
        host.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
        host.pointee.open_source = { data, _, source in
            guard let source else { return ROSTRUM_ERROR_ARGUMENT }
            source.pointee.descriptor = SpeakingSession.from(data).file()
            return ROSTRUM_OK
        }
        host.pointee.mark = { data, kind, position, length in
            let session = SpeakingSession.from(data)
            session.marks.append(
                Mark(kind: kind, position: position, length: length, frame: session.samples.count))
        }
        host.pointee.log = { data, _, message in
            guard let message else { return }
            SpeakingSession.from(data).lines.withLock { $0.append(String(cString: message)) }
        }
        host.pointee.interrupted = { data in
            SpeakingSession.from(data).isInterrupted.load(ordering: .relaxed) ? 1 : 0
        }
        host.pointee.get_extension = { data, id in
            guard let id, String(cString: id) == ROSTRUM_SCRIPT_EXTENSION else { return nil }
            return UnsafeRawPointer(SpeakingSession.from(data).scriptHost)
        }
        try check(functions.create(host, &engine))
    }

    deinit {
        if let engine { functions.destroy(engine) }
        for string in strings { free(string) }
        words.deallocate()
        host.deallocate()
        scriptHost.deallocate()
        buffer.deallocate()
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> SpeakingSession {
        guard let data else { fatalError("the engine lost the host's data") }
        return Unmanaged<SpeakingSession>.fromOpaque(data).takeUnretainedValue()
    }

    private func check(_ result: rostrum_result) throws {
        guard result != ROSTRUM_OK else { return }
        throw Failure(code: result, message: engine.flatMap(functions.error_message).map { String(cString: $0) } ?? "")
    }

    /// Returns a nameless file with the text.
    private func file() -> Int32 {
        var path = Array("/tmp/sherpa-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        unlink(path)
        _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        return descriptor
    }

    private func utterance(at position: Int64, _ result: inout rostrum_utterance) -> rostrum_result {
        guard let script else { return ROSTRUM_ERROR_UNSUPPORTED }
        guard let found = script.first(where: { $0.units.upperBound > position }) else {
            return ROSTRUM_ERROR_NOT_FOUND
        }
        for string in strings { free(string) }
        strings = []
        func lasting(_ string: String?) -> UnsafePointer<CChar>? {
            guard let string else { return nil }
            strings.append(strdup(string))
            return strings.last.flatMap { $0.map { UnsafePointer($0) } }
        }
        words.deallocate()
        words = .allocate(capacity: found.words.count)
        _ = words.initialize(
            from: found.words.map {
                rostrum_script_word(
                    offset: UInt32($0.spoken.lowerBound), length: UInt32($0.spoken.count),
                    position: $0.units.lowerBound, position_length: $0.units.upperBound - $0.units.lowerBound,
                    phonemes: lasting($0.phonemes))
            })
        result.pause = UInt32(found.pause)
        result.position = found.units.lowerBound
        result.length = found.units.upperBound - found.units.lowerBound
        result.sentence = found.sentence.lowerBound
        result.sentence_length = found.sentence.upperBound - found.sentence.lowerBound
        result.text = lasting(found.text)
        result.language = lasting(found.language)
        result.word_count = UInt32(words.count)
        result.words = UnsafePointer(words.baseAddress)
        return ROSTRUM_OK
    }

    func load(start: Int64 = 0, voice: String? = nil, language: String? = nil, rate: Double = 1) throws {
        let strings = (strdup(voice ?? ""), strdup(language ?? ""))
        defer {
            free(strings.0)
            free(strings.1)
        }
        var content = rostrum_content(
            size: UInt32(MemoryLayout<rostrum_content>.size), kind: ROSTRUM_KIND_TEXT, track_count: 1, start_track: 0,
            start: start, language: language == nil ? nil : UnsafePointer(strings.1),
            voice: voice == nil ? nil : UnsafePointer(strings.0), rate: rate)
        try check(functions.load(engine, &content))
    }

    func unload() { functions.unload(engine) }

    func track() throws -> rostrum_track {
        var track = rostrum_track()
        track.size = UInt32(MemoryLayout<rostrum_track>.size)
        try check(functions.track(engine, 0, &track))
        return track
    }

    func seek(_ position: Int64) throws { try check(functions.seek(engine, 0, position)) }

    func setRate(_ rate: Double) throws {
        guard let found = functions.get_extension(engine, ROSTRUM_RATE_EXTENSION) else {
            throw Failure(code: 0, message: "the engine changes no rate")
        }
        try check(found.assumingMemoryBound(to: rostrum_rate.self).pointee.set_rate(engine, rate))
    }

    func voices() throws -> [String] {
        guard let found = functions.get_extension(engine, ROSTRUM_VOICES_EXTENSION) else {
            throw Failure(code: 0, message: "the engine lists no voices")
        }
        let table = found.assumingMemoryBound(to: rostrum_voices.self)
        return try (0..<table.pointee.count(engine)).map { index in
            var voice = rostrum_voice()
            voice.size = UInt32(MemoryLayout<rostrum_voice>.size)
            try check(table.pointee.voice(engine, index, &voice))
            return String(cString: voice.name)
        }
    }

    /// Renders the next block, whose sound is added to ``samples``.
    @discardableResult
    func render() throws -> Block {
        var block = rostrum_block()
        block.size = UInt32(MemoryLayout<rostrum_block>.size)
        block.samples = buffer
        block.capacity = 8192
        try check(functions.render(engine, &block))
        samples += UnsafeBufferPointer(start: buffer, count: Int(block.frames))
        return Block(
            frames: Int(block.frames), position: block.position, positionEnd: block.position_end,
            isEnd: block.flags & ROSTRUM_BLOCK_END != 0)
    }

    @discardableResult
    func renderAll() throws -> [Block] {
        var blocks: [Block] = []
        repeat { blocks.append(try render()) } while blocks.last?.isEnd == false
        return blocks
    }
}
