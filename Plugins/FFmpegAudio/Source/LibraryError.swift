// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The meaning of an AVERROR code, in FFmpeg's words.
enum LibraryError {
    static func text(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        av_strerror(code, &text, text.count)
        let end = text.firstIndex(of: 0) ?? text.endIndex
        return String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
