// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript
import SpeechText

/// Makes the script of a text, by a dictionary; a byte of zero divides the two, and the last byte chooses the settings.
///
/// Whatever they are, utterances are in order, they cover every letter and digit unless the dictionary silences it, and a
/// script file can hold them.
@c(LLVMFuzzerTestOneInput)
public func makeScript(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.popLast() else { return 0 }
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    var dictionary = PronunciationDictionary()
    do throws(PronunciationDictionaryError) {
        if parts.count > 1 { dictionary = try PronunciationDictionary(parsing: Array(parts[1])) }
    } catch {
        guard !error.message.isEmpty, !error.message.utf8.contains(where: { $0 < 0x20 }) else {
            fatalError("more than a line: \(error.message)")
        }
    }
    let languages = [nil, "en", "de", "fr", "es", "zh", "ar", "th"]
    var settings = SpeechSettings()
    settings.skipped = choice & 0x80 == 0 ? [] : Set(SpeechSettings.Part.allCases)
    settings.saysEmoji = choice & 0x40 != 0
    settings.longestUtterance = choice & 0x20 == 0 ? 200 : 30
    settings.language = choice & 0x10 == 0 ? nil : languages[Int(choice & 7)]
    // The text is what a reader hands out: UTF-8, without the character of zero.
    let text = Array(String(decoding: parts[0], as: UTF8.self).utf8)
    let document = ReadingDocument(
        language: languages[Int(choice & 7)], text: text, blocks: TextBlocks(text).blocks)
    SpokenScript(document, coversAll: dictionary.count == 0 && settings.skipped.isEmpty).check(
        ScriptMaker(settings: settings, dictionary: dictionary))
    return 0
}
