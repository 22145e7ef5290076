// SPDX-License-Identifier: Apache-2.0

public import EngineABI
public import EngineSDK

/// An engine that reads plain text aloud with libespeak-ng.
///
/// A unit of position is one byte of the document as it was handed over.
public final class EspeakEngine: Engine {
    public static let id = "espeak"
    public static let version = "1.0.0"

    private let host: Host
    private let synthesizer: Synthesizer
    private var narration: Narration?
    private var rate = 1.0
    private var length: Int64 = 0
    private var bytesPerSecond = 0.0

    /// The number of characters from which the language and the reading speed are judged.
    private static let sampleLength = 2000

    public init(host: Host) throws(EngineFailure) {
        self.host = host
        do throws(EngineFailure) {
            synthesizer = try Synthesizer(isInterrupted: { host.isInterrupted })
        } catch {
            // An engine whose creation failed cannot be asked for its message, so it is logged here.
            host.log(.error, error.message)
            throw error
        }
    }

    public func load(_ content: Content) throws(EngineFailure) -> Media {
        unload()
        guard content.kind == .text else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "espeak reads text, not audio; use the engine ffmpeg")
        }
        guard content.trackCount == 1, content.startTrack == 0 else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "a text is one track, not \(content.trackCount)")
        }
        rate = content.rate.isFinite ? content.rate : 1
        let document = try open()
        guard document.size > 0 else { throw EngineFailure(ROSTRUM_ERROR_EMPTY, "the text is empty") }
        let guess = try EncodingGuess.of(document)
        if let warning = guess.warning { host.log(.warning, warning) }
        let narration = Narration(document, guess, rate: rate, host: host, synthesizer: synthesizer)
        guard try narration.isSpeakable() else {
            throw EngineFailure(ROSTRUM_ERROR_EMPTY, "the text has no letters or digits; there is nothing to read")
        }
        let sample = try narration.sample(Self.sampleLength)
        let suggestion = Script.language(of: sample)
        let warning = try VoiceCatalog.select(
            voice: content.voice, language: content.language, suggestion: suggestion)
        if let warning { host.log(.warning, warning) }
        if try hasScript(at: content.start) {
            let host = host
            narration.follow(
                PhraseVoices(voice: content.voice, language: content.language, suggestion: suggestion) {
                    host.log(.warning, $0)
                })
        }
        try narration.seek(to: content.start)
        length = document.size
        bytesPerSecond = ReadingSpeed.bytesPerSecond(of: sample)
        self.narration = narration
        return Media()
    }

    /// Returns `true` if the session knows what to say.
    private func hasScript(at position: Int64) throws(EngineFailure) -> Bool {
        do throws(EngineFailure) {
            _ = try host.utterance(at: position)
            return true
        } catch {
            if error.code == ROSTRUM_ERROR_UNSUPPORTED { return false }
            throw error
        }
    }

    private func open() throws(EngineFailure) -> Document {
        switch try host.openSource(track: 0) {
        case .descriptor(let descriptor, _):
            let host = host
            return try Document(descriptor: descriptor, isInterrupted: { host.isInterrupted })
        case .url:
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED, "espeak reads no web addresses; download the text and read the file")
        }
    }

    public func unload() {
        narration = nil
    }

    public func track(_ index: Int) -> Track {
        Track(
            sampleRate: synthesizer.sampleRate, channels: 1, encoding: .int16, duration: length,
            confidence: .estimated, unitsPerSecond: bytesPerSecond, codec: "text")
    }

    public func seek(track: Int, position: Int64) throws(EngineFailure) {
        guard let narration else { throw EngineFailure(ROSTRUM_ERROR_STATE, "no text is loaded") }
        guard track == 0, position >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no place \(position) in track \(track) of a text")
        }
        try narration.seek(to: position)
    }

    public func render(into block: inout Block) throws(EngineFailure) {
        guard let narration else { throw EngineFailure(ROSTRUM_ERROR_STATE, "no text is loaded") }
        try narration.render(into: &block)
    }
}

extension EspeakEngine: RateChanging {
    public static let rates = SpeakingRate.range

    public func setRate(_ rate: Double) throws(EngineFailure) {
        guard rate.isFinite, rate > 0 else { throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no rate \(rate)") }
        self.rate = rate
        narration?.setRate(rate)
    }
}

extension EspeakEngine: VoiceListing {
    public func voices() -> [Voice] { VoiceCatalog.voices() }
}

/// The entry symbol of the module.
@c(rostrum_engine_entry)
public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
    EngineModule.export(EspeakEngine.self, hostMajor: major)
}
