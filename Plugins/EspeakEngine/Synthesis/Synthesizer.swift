// SPDX-License-Identifier: Apache-2.0

import CEspeak
import CSonic
import EngineABI
import EngineSDK
import Glibc

/// A wrapper of libespeak-ng that holds its voice, its speed, and the sound of one phrase at a time.
///
/// The library exists once per process. A synthesizer is used on the engine's thread only.
final class Synthesizer {
    /// The point in the sound at which a place in the text begins.
    struct Event: Equatable {
        /// The number of characters before it in the text that was given.
        var character: Int
        /// The number of frames before it in the sound.
        var frame: Int
    }

    enum Outcome: Equatable {
        case complete
        /// The sound is longer than ``longest``; the rest was not made.
        case cut
    }

    /// The maximum number of frames in one phrase: half a minute.
    ///
    /// A phrase is longer only if its symbols have long names.
    static let longest = 30 * 22_050
    /// The milliseconds of sound between two checks for an interruption.
    private static let bufferLength: Int32 = 50

    let sampleRate: Int
    /// The sound of the last phrase.
    ///
    /// Its memory is reused.
    private(set) var samples: [Int16] = []
    private(set) var events: [Event] = []
    private let isInterrupted: () -> Bool
    private var outcome = Outcome.complete
    private var frames = 0
    private var isKeeping = true

    init(isInterrupted: @escaping () -> Bool) throws(EngineFailure) {
        self.isInterrupted = isInterrupted
        guard Self.libraryRate > 0 else {
            throw EngineFailure(
                ROSTRUM_ERROR_NOT_FOUND, "libespeak-ng found no speech data; install the package espeak-ng-data")
        }
        sampleRate = Self.libraryRate
        espeak_SetSynthCallback { sound, count, events in
            guard let events, let owner = events.pointee.user_data else { return 1 }
            return Unmanaged<Synthesizer>.fromOpaque(owner).takeUnretainedValue().take(sound, Int(count), events)
        }
    }

    /// The library's sample rate, or the error code that it returns if it cannot work.
    ///
    /// The library is initialised once and never terminated: `espeak_Terminate` waits for a thread that may have missed
    /// its signal, and then hangs. The next engine in this process continues to use it.
    private static let libraryRate: Int = {
        // The library sets the locale of the process, which belongs to the host. It reads texts by tables of its own.
        let locale = setlocale(LC_CTYPE, nil).map { String(cString: $0) }
        defer { if let locale { setlocale(LC_CTYPE, locale) } }
        return Int(espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, bufferLength, nil, espeakINITIALIZE_DONT_EXIT))
    }()

    /// Fills ``samples`` and ``events`` with the sound of `text`.
    ///
    /// - Parameters:
    ///   - text: UTF-8 without a NUL.
    ///   - speed: Words a minute.
    ///   - hasPhonemes: `true` if sounds between double brackets are to be said as such.
    func speak(
        _ text: [UInt8], speed: Int, endsWithPause: Bool, hasPhonemes: Bool = false
    ) throws(EngineFailure) -> Outcome {
        isKeeping = true
        samples.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        try synthesize(text, speed, endsWithPause, hasPhonemes)
        return outcome
    }

    /// Returns the number of frames that the sound of `text` would have.
    func measure(
        _ text: [UInt8], speed: Int, endsWithPause: Bool, hasPhonemes: Bool = false
    ) throws(EngineFailure) -> Int {
        isKeeping = false
        try synthesize(text, speed, endsWithPause, hasPhonemes)
        return frames
    }

    /// Makes the sound of the last phrase shorter by a factor, at the same pitch.
    ///
    /// Between passages of one sound, the session's own change of speed would move each by some milliseconds.
    func compress(by factor: Double) {
        let before = samples.count
        guard factor > 1, before > 0 else { return }
        let rate = Int32(sampleRate)
        let count = samples.withUnsafeMutableBufferPointer { sound in
            Int(sonicChangeShortSpeed(sound.baseAddress, Int32(sound.count), Float(factor), 1, 1, 1, 0, rate, 1))
        }
        // Without memory for it, the sound stays as it is.
        guard (1...before).contains(count) else { return }
        samples.removeSubrange(count...)
        events = events.map { Event(character: $0.character, frame: min($0.frame * count / before, count)) }
    }

    /// Makes the silence before and behind the sound of the last phrase ``margin`` frames long.
    func trim() {
        let isSound = { (sample: Int16) in sample.magnitude > Self.silence }
        guard let first = samples.firstIndex(where: isSound), let last = samples.lastIndex(where: isSound) else {
            samples.removeAll(keepingCapacity: true)
            return events = events.map { Event(character: $0.character, frame: 0) }
        }
        let (start, end) = (first - margin, last + 1 + margin)
        let lead = [Int16](repeating: 0, count: max(0, -start))
        let tail = [Int16](repeating: 0, count: max(0, end - samples.count))
        samples = lead + samples[max(0, start)..<min(samples.count, end)] + tail
        events = events.map { Event(character: $0.character, frame: min(max(0, $0.frame - start), samples.count)) }
    }

    /// The greatest sample that counts as silence: -54 dB, below what is heard beside speech.
    private static let silence: UInt16 = 64
    /// The number of frames of silence that ``trim()`` makes of it at either end: five milliseconds, so that nothing clicks.
    var margin: Int { sampleRate / 200 }

    private func synthesize(
        _ text: [UInt8], _ speed: Int, _ endsWithPause: Bool, _ hasPhonemes: Bool
    ) throws(EngineFailure) {
        outcome = .complete
        frames = 0
        guard !text.isEmpty else { return }
        espeak_SetParameter(espeakRATE, Int32(clamping: speed), 0)
        let flags =
            UInt32(espeakCHARS_UTF8) | (endsWithPause ? UInt32(espeakENDPAUSE) : 0)
            | (hasPhonemes ? UInt32(espeakPHONEMES) : 0)
        let owner = Unmanaged.passUnretained(self).toOpaque()
        // The library reads a little beyond the end of some texts.
        let padded = text + [UInt8](repeating: 0, count: 16)
        _ = padded.withUnsafeBytes { bytes in
            espeak_Synth(bytes.baseAddress, bytes.count, 0, POS_CHARACTER, 0, flags, nil, owner)
        }
        if isInterrupted() { throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "speaking was interrupted") }
    }

    /// Handles the library's callback.
    ///
    /// A nonzero result ends the synthesis.
    private func take(
        _ sound: UnsafeMutablePointer<Int16>?, _ count: Int, _ list: UnsafeMutablePointer<espeak_EVENT>
    ) -> Int32 {
        frames += count
        if isKeeping { keep(sound, count, list) }
        if frames >= Self.longest {
            outcome = .cut
            return 1
        }
        return isInterrupted() ? 1 : 0
    }

    private func keep(
        _ sound: UnsafeMutablePointer<Int16>?, _ count: Int, _ list: UnsafeMutablePointer<espeak_EVENT>
    ) {
        var event = list
        while event.pointee.type != espeakEVENT_LIST_TERMINATED {
            // A word without length marks the end of a clause.
            if event.pointee.type == espeakEVENT_WORD && event.pointee.length > 0 {
                events.append(
                    Event(character: Int(event.pointee.text_position) - 1, frame: Int(event.pointee.sample)))
            }
            event += 1
        }
        if let sound, count > 0 { samples.append(contentsOf: UnsafeBufferPointer(start: sound, count: count)) }
    }
}
