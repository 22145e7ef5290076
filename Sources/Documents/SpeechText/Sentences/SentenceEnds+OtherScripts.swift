// SPDX-License-Identifier: Apache-2.0

extension SentenceEnds {
    /// Mends a boundary of ICU's: an opening mark belongs to what follows, and a quotation can go on within its
    /// sentence.
    func endInOtherScript(_ candidate: Int) -> Int? {
        var boundary = candidate
        while let (scalar, size) = text.scalar(endingAt: boundary, notBefore: start), opensInOtherScript(scalar) {
            boundary -= size
        }
        guard boundary > start, endsInOtherScript(boundary) else { return nil }
        // 「…。」と言った
        if boundary < end, let (last, _) = text.scalar(endingAt: boundary, notBefore: start), last == "」" || last == "』"
        {
            let next = text.scalar(at: boundary, before: end).scalar
            if next == "と" || next == "っ" { return nil }
        }
        return boundary
    }

    private func opensInOtherScript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "「", "『", "（", "〈", "《", "【", "〔", "〖": true
        case "“", "‘": language == "zh" || language == "ja"
        default: false
        }
    }

    /// Returns `true` if ICU's boundary is behind a mark of its own, such as a danda or an ideographic full stop.
    private func endsInOtherScript(_ boundary: Int) -> Bool {
        var place = boundary
        var steps = 0
        while steps < 16, let (scalar, size) = text.scalar(endingAt: place, notBefore: start) {
            guard scalar.isSpace || scalar.isCloser || scalar.isInvisible else {
                return scalar.value > 0x2FF && scalar != "…" && !scalar.isSpoken && !scalar.isMark
                    && !(scalar.value >= 0x203C && scalar.value <= 0x2049)
            }
            place -= size
            steps += 1
        }
        return false
    }
}
