// SPDX-License-Identifier: Apache-2.0

import EngineABI
public import EngineSDK

/// An engine that reads texts aloud with neural voices, through the runtime sherpa-onnx.
///
/// A unit of position is one byte of the document as it was handed over. Runtime and voices are installed by the
/// listener. Without them the engine loads and lists itself, and every load fails with the line that says what to do.
public final class NeuralSpeech: Engine {
    public static let id = "sherpa"
    public static let version = "1.0.0"

    /// The code of a failure for want of a voice or of the runtime, whatever the text is.
    ///
    /// The contract's own code for voices says that the name of the voice is wrong.
    static let cannotSpeak: rostrum_result = -1001

    /// The seconds that a load waits for the voice.
    private static let patience = 8.0
    /// The bytes a second at which English is read, which is near enough for any text.
    private static let bytesPerSecond = 15.5

    private let host: Host
    private let threads = SynthesisThreads()
    /// The voice that was read last, which stays ready.
    private var loading: ModelLoading?
    private var narration: NeuralNarration?
    private var sampleRate = 22_050
    private var length: Int64 = 0

    public init(host: Host) throws(EngineFailure) { self.host = host }

    deinit {
        narration?.close()
        threads.stop()
    }

    public func load(_ content: Content) throws(EngineFailure) -> Media {
        unload()
        guard content.kind == .text else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "sherpa reads text, not audio; use the engine ffmpeg")
        }
        guard content.trackCount == 1, content.startTrack == 0 else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "a text is one track, not \(content.trackCount)")
        }
        do throws(EngineFailure) {
            try start(content)
        } catch {
            if error.code != ROSTRUM_ERROR_INTERRUPTED {
                host.log(.error, "phase=start result=failure code=\(error.code) error=\(error.message)")
            }
            throw error
        }
        return Media()
    }

    private func start(_ content: Content) throws(EngineFailure) {
        guard let folder = VoiceFolder() else {
            throw EngineFailure(NeuralSpeech.cannotSpeak, "no folder of voices is known; set HOME or XDG_DATA_HOME")
        }
        let document = try open()
        guard document.size > 0 else { throw EngineFailure(ROSTRUM_ERROR_EMPTY, "the text is empty") }
        let script = try ScriptSource(host, at: content.start)
        let source: any UtteranceSource = script ?? PlainSource(document: document)
        var first = try source.utterance(at: content.start)
        // A text without anything to say at its end has some before it.
        if first == nil, content.start > 0 { first = try source.utterance(at: 0) }
        guard let first else {
            throw EngineFailure(ROSTRUM_ERROR_EMPTY, "the text has no letters or digits; there is nothing to read")
        }
        let runtime = try SherpaRuntime.open(folder.runtime)
        let (voices, broken) = folder.voices()
        for (_, complaint) in broken { host.log(.warning, complaint) }
        let choice = try VoiceChoice.among(
            voices, broken: broken, name: content.voice, language: content.language ?? first.language)
        host.log(.info, "phase=start result=success runtime=\(runtime.version) voice=\(choice.voice.name)")
        let model = try prepare(choice.voice, runtime)
        let speech = try Phonemizer(voice: choice.voice.espeakVoice, known: choice.voice.symbols)
        narration = try NeuralNarration(
            source, size: document.size, from: max(0, content.start), choice, model, speech, threads: threads,
            rate: content.rate, host: host)
        sampleRate = choice.voice.sampleRate
        length = document.size
    }

    /// Returns the voice ready to speak.
    private func prepare(_ voice: InstalledVoice, _ runtime: SherpaRuntime) throws(EngineFailure) -> VoiceModel {
        let isReady = loading?.voice == voice && loading?.hasFailed == false
        let host = host
        let loading = isReady ? self.loading : nil
        let current = loading ?? ModelLoading(voice, runtime)
        self.loading = current
        do throws(EngineFailure) {
            let (model, milliseconds) = try current.wait(Self.patience, isInterrupted: { host.isInterrupted })
            let how = loading == nil ? "took=\(NarrationTally.short(milliseconds / 1000))s" : "kept"
            host.log(.info, "phase=prepare result=success voice=\(voice.name) rate=\(voice.sampleRate) \(how)")
            return model
        } catch {
            if error.code != ROSTRUM_ERROR_INTERRUPTED {
                host.log(.error, "phase=prepare result=failure voice=\(voice.name) error=\(error.message)")
            }
            throw error
        }
    }

    private func open() throws(EngineFailure) -> PlainDocument {
        switch try host.openSource(track: 0) {
        case .descriptor(let descriptor, _):
            let host = host
            return try PlainDocument(descriptor: descriptor, isInterrupted: { host.isInterrupted })
        case .url:
            throw EngineFailure(
                ROSTRUM_ERROR_UNSUPPORTED, "sherpa reads no web addresses; download the text and read the file")
        }
    }

    public func unload() {
        narration?.close()
        narration = nil
    }

    public func track(_ index: Int) -> Track {
        Track(
            sampleRate: sampleRate, channels: 1, encoding: .int16, duration: length, confidence: .estimated,
            unitsPerSecond: Self.bytesPerSecond, codec: "text")
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

extension NeuralSpeech: RateChanging {
    public static let rates = SpeakingSpeed.range

    public func setRate(_ rate: Double) throws(EngineFailure) {
        guard rate.isFinite, rate > 0 else { throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no rate \(rate)") }
        narration?.setRate(rate)
    }
}

extension NeuralSpeech: VoiceListing {
    public func voices() -> [Voice] { VoiceFolder()?.voices().voices.flatMap(\.choices) ?? [] }
}
