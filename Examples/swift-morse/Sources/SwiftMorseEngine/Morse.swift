// SPDX-License-Identifier: Apache-2.0

import Glibc

/// International Morse code (ITU-R M.1677) as sound.
enum Morse {
    static let sampleRate = 16_000
    private static let pitch = 600.0
    /// The frames of a dot at 20 words a minute; a dash is three dots.
    private static let unit = 0.06
    /// The frames of a fade, without which a signal would click.
    private static let ramp = 80

    private static let codes: [Character: String] = [
        "a": ".-", "b": "-...", "c": "-.-.", "d": "-..", "e": ".", "f": "..-.", "g": "--.", "h": "....", "i": "..",
        "j": ".---", "k": "-.-", "l": ".-..", "m": "--", "n": "-.", "o": "---", "p": ".--.", "q": "--.-", "r": ".-.",
        "s": "...", "t": "-", "u": "..-", "v": "...-", "w": ".--", "x": "-..-", "y": "-.--", "z": "--..",
        "0": "-----", "1": ".----", "2": "..---", "3": "...--", "4": "....-", "5": ".....", "6": "-....", "7": "--...",
        "8": "---..", "9": "----.", ".": ".-.-.-", ",": "--..--", "?": "..--..", "/": "-..-.", "=": "-...-",
    ]

    static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

    /// Returns the signals of a character, or `nil` if Morse has none for this byte.
    static func code(of byte: UInt8) -> String? {
        byte < 0x80 ? codes[Character(Unicode.Scalar(byte | (isLetter(byte) ? 0x20 : 0)))] : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte & 0xdf) }

    /// Signals of a character are one unit of silence apart, characters 3, words 7.
    static func sound(of byte: UInt8, rate: Double) -> [Float] {
        let frames = Int(unit / rate * Double(sampleRate))
        if isSpace(byte) { return [Float](repeating: 0, count: 4 * frames) }
        guard let code = code(of: byte) else { return [] }
        var samples: [Float] = []
        for signal in code {
            samples += tone(signal == "-" ? 3 * frames : frames)
            samples += [Float](repeating: 0, count: frames)
        }
        return samples + [Float](repeating: 0, count: 2 * frames)
    }

    private static func tone(_ frames: Int) -> [Float] {
        (0..<frames).map { frame in
            let fade = min(1, Double(min(frame, frames - frame)) / Double(ramp))
            return Float(0.5 * fade * sin(2 * Double.pi * pitch * Double(frame) / Double(sampleRate)))
        }
    }
}
