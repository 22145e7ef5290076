// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// The sound options that the user chose while listening; `nil` means as in the settings.
public struct SoundOverrides: Sendable, Hashable {
    public var isMono: Bool?
    public var balance: Double?
    /// The loudness in LUFS; 0 plays as recorded.
    public var loudness: Double?
    /// The length, in seconds, to which longer silences are shortened; 0 leaves them as they are.
    public var silence: Double?

    public init() {}

    func applied(to settings: SoundOptions) -> SoundOptions {
        var sound = settings
        if let isMono { sound.isMono = isMono }
        if let balance { sound.balance = balance }
        if let loudness { sound.loudness = loudness == 0 ? nil : loudness }
        if let silence { sound.silence = silence == 0 ? nil : silence }
        return sound
    }

    func overridden(by newer: SoundOverrides) -> SoundOverrides {
        var overrides = self
        overrides.isMono = newer.isMono ?? isMono
        overrides.balance = newer.balance ?? balance
        overrides.loudness = newer.loudness ?? loudness
        overrides.silence = newer.silence ?? silence
        return overrides
    }

    /// The form in which the overrides are stored: `mono=1 loudness=-18.0`.
    var text: String {
        let members: [(String, Double?)] = [
            ("mono", isMono.map { $0 ? 1 : 0 }), ("balance", balance), ("loudness", loudness), ("silence", silence),
        ]
        return members.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: " ")
    }

    /// Reads the stored form; a member that is not understood or is out of range is ignored.
    init(text: String) {
        for member in text.split(separator: " ") {
            let parts = member.split(separator: "=")
            guard parts.count == 2, let value = Double(parts[1]) else { continue }
            switch parts[0] {
            case "mono": isMono = value != 0
            case "balance" where SoundOptions.balanceRange.contains(value): balance = value
            case "loudness" where value == 0 || SoundOptions.loudnessRange.contains(value): loudness = value
            case "silence" where value == 0 || SoundOptions.silenceRange.contains(value): silence = value
            default: continue
            }
        }
    }
}
