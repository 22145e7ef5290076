// SPDX-License-Identifier: Apache-2.0

import Testing

/// A text and a reading that are not quite the same.
struct SpeechDifference: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: [Int]
    var read: [Int]
    /// The sentences that must be found at least.
    var least: Int

    /// `true` if something is read more than once.
    var isReadTwice: Bool { Set(read).count < read.count }

    init(_ name: String, text: [Int], read: [Int], least: Int) {
        (testDescription, self.text, self.read, self.least) = (name, text, read, least)
    }

    private static func without(each every: Int) -> [Int] { (1...40).filter { $0 % every != 0 } }

    static let all = [
        SpeechDifference("the whole text", text: Array(1...40), read: Array(1...40), least: 40),
        SpeechDifference("each 2nd line is not in the text", text: without(each: 2), read: Array(1...40), least: 12),
        SpeechDifference("each 3rd line is not in the text", text: without(each: 3), read: Array(1...40), least: 20),
        SpeechDifference("each 5th line is not in the text", text: without(each: 5), read: Array(1...40), least: 28),
        SpeechDifference("each 2nd line is not read", text: Array(1...40), read: without(each: 2), least: 12),
        SpeechDifference("each 3rd line is not read", text: Array(1...40), read: without(each: 3), least: 20),
        SpeechDifference("each 5th line is not read", text: Array(1...40), read: without(each: 5), least: 28),
        SpeechDifference(
            "lines in the text that nobody reads", text: (1...40).flatMap { $0 % 4 == 0 ? [$0, 400 + $0] : [$0] },
            read: Array(1...40), least: 36),
        SpeechDifference(
            "lines read that are not in the text", text: Array(1...40),
            read: (1...40).flatMap { $0 % 6 == 0 ? [$0, 400 + $0, 500 + $0] : [$0] }, least: 36),
        SpeechDifference("another text", text: Array(201...240), read: Array(1...40), least: 0),
        SpeechDifference(
            "a passage that is read twice", text: Array(1...40), read: Array(1...20) + Array(11...40), least: 36),
        SpeechDifference(
            "a prologue and an epilogue", text: Array(1...40),
            read: Array(300...312) + Array(1...40) + Array(320...330), least: 38),
    ]
}
