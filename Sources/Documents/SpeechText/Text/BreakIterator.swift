// SPDX-License-Identifier: Apache-2.0

import CICUBreaks

/// ICU's boundaries between words or sentences.
final class BreakIterator {
    enum Kind {
        case grapheme, word, sentence
    }

    private let iterator: OpaquePointer?
    private var boundaries: [Int32] = []
    private var areWords: [UInt8] = []

    init(_ kind: Kind, locale: String) {
        let code =
            switch kind {
            case .grapheme: ICU_BREAKS_GRAPHEME
            case .word: ICU_BREAKS_WORD
            case .sentence: ICU_BREAKS_SENTENCE
            }
        iterator = icu_breaks_open(CInt(code), locale)
    }

    deinit { icu_breaks_close(iterator) }

    /// Calls a closure for each boundary behind the start, with whether the piece before it is a word.
    ///
    /// Without ICU's data there is one boundary, the end.
    func boundaries(in bytes: ArraySlice<UInt8>, each: (_ offset: Int, _ isWord: Bool) -> Void) {
        let size = bytes.count
        guard size > 0 else { return }
        if boundaries.count < size {
            boundaries = [Int32](repeating: 0, count: size)
            areWords = [UInt8](repeating: 0, count: size)
        }
        var count: Int32 = -1
        if let iterator, size <= Int(Int32.max) {
            count = bytes.withUnsafeBufferPointer { text in
                text.withMemoryRebound(to: CChar.self) { text in
                    guard let start = text.baseAddress else { return -1 }
                    return icu_breaks_find(iterator, start, Int32(size), &boundaries, &areWords, Int32(size))
                }
            }
        }
        guard count > 0 else { return each(size, true) }
        for index in 0..<Int(count) { each(Int(boundaries[index]), areWords[index] != 0) }
    }
}
