// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// A count of what was spoken so far, for the log.
struct NarrationTally {
    private var passages = 0
    private var kept = 0
    /// The sound that was made, in frames, and the seconds that this took.
    private var made = 0
    private var seconds = 0.0
    var heard = 0
    /// The calls that gave silence because a sound was late.
    var late = 0

    /// Counts a passage, and returns its line.
    mutating func count(_ passage: Passage, _ sound: Sound, _ seconds: Double, sampleRate: Int) -> String {
        passages += 1
        let length = Double(sound.samples.count) / Double(sampleRate)
        let what = "at=\(passage.units.lowerBound) symbols=\(passage.symbols.count) sound=\(Self.short(length))s"
        guard seconds > 0 else {
            kept += 1
            return "phase=generate result=kept \(what)"
        }
        made += sound.samples.count
        self.seconds += seconds
        return
            "phase=generate result=success \(what) took=\(Self.short(seconds))s speed=\(Self.short(length / seconds))x"
    }

    /// Returns the line about all of it, or `nil` if nothing was spoken.
    func line(result: String, sampleRate: Int) -> String? {
        guard passages > 0 else { return nil }
        let length = Double(made) / Double(sampleRate)
        let speed = seconds > 0 ? " speed=\(Self.short(length / seconds))x" : ""
        return "phase=complete result=\(result) passages=\(passages) kept=\(kept) late=\(late) "
            + "heard=\(Self.short(Double(heard) / Double(sampleRate)))s made=\(Self.short(length))s "
            + "took=\(Self.short(seconds))s\(speed)"
    }

    /// Returns a number with two decimals.
    static func short(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e9 else { return "?" }
        let hundredths = Int((abs(number) * 100).rounded())
        let decimals = hundredths % 100
        return "\(number < 0 ? "-" : "")\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
    }
}

/// A warning for text in a language that the voice does not speak; each language is named once.
final class LanguageWarning {
    private let voice: InstalledVoice
    private let host: Host
    private var met: Set<String> = []

    init(_ voice: InstalledVoice, _ host: Host) {
        self.voice = voice
        self.host = host
    }

    func meet(_ language: String) {
        guard met.count < 100, met.insert(language).inserted, !VoiceChoice.speaks(voice, language) else { return }
        host.log(
            .warning,
            "the voice \(voice.name) reads text in the language \(language.prefix(20)), which it does not speak")
    }
}
