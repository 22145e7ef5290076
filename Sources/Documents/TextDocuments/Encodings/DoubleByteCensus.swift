// SPDX-License-Identifier: Apache-2.0

/// The likelihood that bytes are of an encoding of East Asia: any of them makes characters of the bytes of another one, but rare
/// ones, and the languages differ in spaces and kana.
struct DoubleByteCensus {
    private var pairs = 0
    private var common = 0
    private var kana = 0
    private var spaces = 0

    /// A share of uncommon characters up to this one is usual.
    private static let usual = 0.25

    /// Returns 0 for what is usual and for any other encoding, or more.
    static func badness(of sample: [UInt8], in encoding: String) -> Double {
        guard let leads = common[encoding] else { return 0 }
        let census = DoubleByteCensus(sample, leads, kana: kana[encoding])
        guard census.pairs >= 8 else { return 0 }
        let uncommon = 1 - Double(census.common) / Double(census.pairs)
        var badness = uncommon > usual ? uncommon : 0
        let spaces = Double(census.spaces) / Double(census.pairs)
        switch encoding {
        case "GB18030", "Big5": if spaces > 0.12 { badness += 0.5 }
        case "EUC-KR": if spaces < 0.04 { badness += 0.5 }
        default: if census.kana * 10 < census.pairs { badness += 0.5 }
        }
        return badness
    }

    /// The first bytes of punctuation and of the characters that each standard lists as the frequent ones.
    private static let common: [String: [ClosedRange<UInt8>]] = [
        "GB18030": [0xA1...0xA1, 0xA3...0xA3, 0xB0...0xD7], "Big5": [0xA1...0xA1, 0xA4...0xC6],
        "EUC-KR": [0xA1...0xA1, 0xA3...0xA3, 0xB0...0xC8], "EUC-JP": [0xA1...0xA1, 0xA4...0xA5, 0xB0...0xCF],
        "Shift_JIS": [0x81...0x83, 0x88...0x97],
    ]
    private static let kana: [String: ClosedRange<UInt8>] = ["EUC-JP": 0xA4...0xA5, "Shift_JIS": 0x82...0x83]

    private init(_ sample: [UInt8], _ leads: [ClosedRange<UInt8>], kana: ClosedRange<UInt8>?) {
        var index = 0
        while index < sample.count {
            let byte = sample[index]
            index += 1
            if byte == 0x20 { spaces += 1 }
            guard byte >= 0x81 else { continue }
            pairs += 1
            if leads.contains(where: { $0.contains(byte) }) { common += 1 }
            if kana?.contains(byte) == true { self.kana += 1 }
            index += 1
        }
    }
}
