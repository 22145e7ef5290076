// SPDX-License-Identifier: Apache-2.0

/// The average speed at which a text is read, used to express positions in time.
enum ReadingSpeed {
    /// Returns the bytes a second at rate 1, estimated from the characters that a text begins with.
    ///
    /// Measured over 12 kB of each text in ../shared/media/text with the voice of its language at 175 words a minute,
    /// pauses included, in characters a second: alice.txt 16.3, genesis German 16.3, Swedish 14.7, French 20.5; udhr
    /// Greek 17.5, Russian 17.1, Hindi 15.9, Tamil 15.8, Turkish 14.2, Vietnamese 18.0, Hebrew 13.7, Korean 7.2,
    /// Mandarin 5.7; Japanese 2.2, since that voice spells each Han character.
    static func bytesPerSecond(of sample: [TextCharacter]) -> Double {
        var seconds = 0.0
        var bytes = 0
        let hasKana = sample.contains { (0x3040...0x30FF).contains($0.scalar.value) }
        for character in sample {
            bytes += character.length
            switch character.scalar.value {
            case 0xAC00...0xD7AF: seconds += 1 / 7.2
            case _ where character.kind == .ideograph: seconds += hasKana ? 1 / 2.2 : 1 / 5.7
            default: seconds += 1 / 16.3
            }
        }
        return seconds > 0 ? Double(bytes) / seconds : 16.3
    }
}
