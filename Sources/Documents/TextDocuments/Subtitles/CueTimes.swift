// SPDX-License-Identifier: Apache-2.0

/// The line of a subtitle that says when it is shown: `00:01:02,345 --> 00:01:04,000`.
struct CueTimes: Equatable {
    /// Milliseconds.
    var start: Int
    var end: Int

    init?(_ line: ArraySlice<UInt8>) {
        let line = line.prefix(200)
        guard let arrow = Self.arrow(line), let start = Self.time(line[..<arrow]),
            let end = Self.time(line[(arrow + 3)...])
        else { return nil }
        (self.start, self.end) = (start, max(start, end))
    }

    private static func arrow(_ line: ArraySlice<UInt8>) -> Int? {
        line.indices.first { line[$0] == 0x2D && line[$0...].starts(with: "-->".utf8) }
    }

    /// Reads hours if there are any, minutes, seconds, and a fraction behind a point or a comma.
    private static func time(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = text.drop(while: { $0 <= 0x20 }).prefix(while: { $0 > 0x20 })
        var numbers: [Int] = [0]
        var fraction: Int?
        var scale = 100
        var count = 0
        for byte in digits {
            switch byte {
            case 0x30...0x39:
                let digit = Int(byte - 0x30)
                count += 1
                if let part = fraction {
                    fraction = part + digit * scale
                    scale /= 10
                } else {
                    guard count <= 6, let last = numbers.last else { return nil }
                    numbers[numbers.count - 1] = last * 10 + digit
                }
            case 0x3A where fraction == nil && count > 0 && numbers.count < 3:
                numbers.append(0)
                count = 0
            case 0x2C, 0x2E:
                guard fraction == nil else { return nil }
                fraction = 0
            default: return nil
            }
        }
        guard numbers.count >= 2, count > 0 else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 } * 1000 + (fraction ?? 0)
    }
}
