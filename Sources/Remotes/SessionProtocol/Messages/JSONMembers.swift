// SPDX-License-Identifier: Apache-2.0

/// The positions of the members of one JSON object in its text.
///
/// With it, a client passes on a `result` unchanged, including anything that a newer session added. It expects text
/// that a JSON decoder has accepted. For other text the result is undefined, but it never traps.
public struct JSONMembers: Sendable {
    private let text: [UInt8]
    private var values: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

    public init(_ text: some Sequence<UInt8>) {
        self.text = Array(text)
        scan()
    }

    /// Returns the raw text of a member; `name` must not contain a character that JSON escapes.
    public subscript(name: String) -> ArraySlice<UInt8>? {
        values.last { $0.key.elementsEqual(name.utf8) }?.value
    }

    private mutating func scan() {
        var depth = 0
        var key: ArraySlice<UInt8>?
        var start = 0
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                let end = endOfString(index)
                if depth == 1 && key == nil { key = text[min(index + 1, end)..<end] }
                index = end
            case UInt8(ascii: ":") where depth == 1:
                start = index + 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { close(&key, start, index) }
            case UInt8(ascii: ",") where depth == 1:
                close(&key, start, index)
            default: break
            }
            index += 1
        }
    }

    private mutating func close(_ key: inout ArraySlice<UInt8>?, _ start: Int, _ end: Int) {
        guard let name = key, start <= end else { return }
        let isSpace: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) }
        var value = text[start..<end].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        values.append((name, value))
        key = nil
    }

    /// Returns the index of the closing quote, or the end of the text.
    private func endOfString(_ start: Int) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, text.count)
    }
}
