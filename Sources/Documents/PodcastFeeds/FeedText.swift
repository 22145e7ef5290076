// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns the text within a number of bytes, cut between two characters.
    public func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end])
    }

    /// Returns the text as one line without control characters; `nil` if nothing is left.
    public func line(to bytes: Int) -> String? {
        let words = unicodeScalars.split { $0.properties.isWhitespace || $0.value < 32 || $0.value == 0x7F }
        var line = ""
        for word in words {
            if !line.isEmpty { line += " " }
            line.unicodeScalars += word
            if line.utf8.count > bytes { break }
        }
        line = line.cut(to: bytes)
        if line.last == " " { line.removeLast() }
        return line.isEmpty ? nil : line
    }
}
