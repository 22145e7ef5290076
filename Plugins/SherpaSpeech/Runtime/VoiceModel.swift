// SPDX-License-Identifier: Apache-2.0

import CSherpa
import EngineABI
import EngineSDK

/// A voice in memory, ready to speak.
///
/// Several threads may use it at a time; it is freed when the last one is done with it.
final class VoiceModel: @unchecked Sendable /* the runtime's voice may be used by several threads, and never changes */
{
    let voice: InstalledVoice
    private let runtime: SherpaRuntime
    private let handle: OpaquePointer

    /// Reads a voice, which takes a second or two.
    init(_ voice: InstalledVoice, _ runtime: SherpaRuntime) throws(EngineFailure) {
        let handle = voice.model.withCString { model in
            voice.tokens.withCString { tokens in
                "cpu".withCString { provider in
                    var settings = csherpa_settings()
                    settings.vits.model = model
                    settings.vits.tokens = tokens
                    settings.vits.noise_scale = voice.noiseScale
                    settings.vits.noise_scale_w = voice.durationNoiseScale
                    settings.vits.length_scale = 1
                    settings.provider = provider
                    // More threads of its own would spin while they wait for each other.
                    settings.threads = 1
                    settings.sentences = 1
                    settings.silence_scale = 1
                    return runtime.functions.create(&settings)
                }
            }
        }
        guard let handle else {
            throw InstalledVoice.broken(voice.name, "the runtime does not take its model")
        }
        guard Int(runtime.functions.sample_rate(handle)) == voice.sampleRate else {
            runtime.functions.destroy(handle)
            throw InstalledVoice.broken(voice.name, "its model states another sample rate than the runtime found")
        }
        self.voice = voice
        self.runtime = runtime
        self.handle = handle
    }

    deinit { runtime.functions.destroy(handle) }

    /// Returns the sound of a passage as the model makes it.
    ///
    /// The runtime cannot be stopped within a passage, which takes it a tenth of the time that the passage lasts.
    ///
    /// - Parameter speed: The speed at which the model is told to speak.
    func generate(_ symbols: [Int32], speaker: Int, speed: Double) throws(EngineFailure) -> [Float] {
        guard !symbols.isEmpty else { return [] }
        let sound = symbols.withUnsafeBufferPointer { symbols in
            withUnsafePointer(to: Int32(symbols.count)) { length in
                var order = csherpa_order()
                order.speed = Float(speed / Double(voice.lengthScale))
                order.silence_scale = 1
                order.speaker = Int32(clamping: speaker)
                order.symbols = symbols.baseAddress
                order.lengths = length
                order.sentences = 1
                return runtime.functions.generate(handle, "", &order, nil, nil)
            }
        }
        defer { if let sound { runtime.functions.free_sound(sound) } }
        guard let sound, let samples = sound.pointee.samples, sound.pointee.count > 0 else {
            throw EngineFailure(ROSTRUM_ERROR_DECODE, "the voice \(voice.name) made no sound of a sentence")
        }
        return Array(UnsafeBufferPointer(start: samples, count: Int(sound.pointee.count)))
    }
}
