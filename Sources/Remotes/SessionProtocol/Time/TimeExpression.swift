// SPDX-License-Identifier: Apache-2.0

/// A time as users write it.
///
/// `90`, `90s`, `1:02:03.250`, `1h2m3s`, `50%`, `ch:12`, `track:2` and `track:2+1:30` are positions, and so are
/// `byte:1234`, `page:xii`, `sentence:12` and `paragraph:3` in a text; `+30` and `-30` are relative moves, and so are
/// `sentence:+1` and `paragraph:-1` in a text.
public enum TimeExpression: Sendable, Hashable {
    case absolute(ms: Int64)
    /// A share of the whole book, from 0 to 100.
    case percent(Double)
    /// A chapter number, from 1.
    case chapter(Int)
    /// A file of the book, from 1, and the offset in it; `nil` for its beginning.
    case track(Int, ms: Int64?)
    /// A move relative to the current position.
    case relative(ms: Int64)
    /// A move by sentences of a text.
    case sentences(Int)
    /// A move by paragraphs of a text.
    case paragraphs(Int)
    /// A sentence of a text, from 1.
    case sentence(Int)
    /// A paragraph of a text, from 1.
    case paragraph(Int)
    /// A place in a text, in bytes of UTF-8.
    case byte(Int64)
    /// A page of a text, by its number as it is printed.
    case page(String)

    /// `true` if the time counts from another one.
    public var isRelative: Bool {
        switch self {
        case .relative, .sentences, .paragraphs: true
        case .absolute, .percent, .chapter, .track, .sentence, .paragraph, .byte, .page: false
        }
    }

    /// Parses a time exactly: milliseconds are digits, never a rounded fraction, and finer digits are cut off.
    public init(_ text: String, relativeAllowed: Bool = false) throws(SessionError) {
        let usage = SessionError(
            .usage,
            "bad time: \(text.isEmpty ? "empty" : text); give for example 90, 1:02:03.250, 1h2m3s, 50%"
                + (relativeAllowed
                    ? ", ch:12, track:2, track:2+1:30, +30, -30 or sentence:+1" : ", ch:12, track:2 or track:2+1:30"))
        guard let parsed = Self.parse(Substring(text).utf8, relativeAllowed: relativeAllowed) else { throw usage }
        self = parsed
    }

    private static func parse(_ text: Substring.UTF8View, relativeAllowed: Bool) -> TimeExpression? {
        guard let first = text.first, let last = text.last else { return nil }
        if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            guard relativeAllowed, let ms = milliseconds(text.dropFirst()) else { return nil }
            return .relative(ms: first == UInt8(ascii: "-") ? -ms : ms)
        }
        if last == UInt8(ascii: "%") {
            guard let thousandths = decimal(text.dropLast(), places: 3), thousandths <= 100_000 else { return nil }
            return .percent(Double(thousandths) / 1000)
        }
        if text.starts(with: "ch:".utf8) {
            guard let number = whole(text.dropFirst(3)), number >= 1, let chapter = Int(exactly: number) else {
                return nil
            }
            return .chapter(chapter)
        }
        if text.starts(with: "sentence:".utf8) {
            if let number = unit(text.dropFirst(9)) { return .sentence(number) }
            return relativeAllowed ? steps(text.dropFirst(9)).map { .sentences($0) } : nil
        }
        if text.starts(with: "paragraph:".utf8) {
            if let number = unit(text.dropFirst(10)) { return .paragraph(number) }
            return relativeAllowed ? steps(text.dropFirst(10)).map { .paragraphs($0) } : nil
        }
        if text.starts(with: "byte:".utf8) {
            return whole(text.dropFirst(5)).flatMap { $0 <= mostBytes ? .byte($0) : nil }
        }
        if text.starts(with: "page:".utf8) { return page(text.dropFirst(5)) }
        if text.starts(with: "track:".utf8) { return track(text.dropFirst(6)) }
        return milliseconds(text).map { .absolute(ms: $0) }
    }

    /// The longest number of a page that a document states, in bytes.
    private static let longestPage = 32

    private static func page(_ text: Substring.UTF8View) -> TimeExpression? {
        guard (1...longestPage).contains(text.count), case let label = String(Substring(text)), label.first != " ",
            label.last != " ",
            label.unicodeScalars.allSatisfy({ $0.value > 31 && !(127...159).contains($0.value) })
        else { return nil }
        return .page(label)
    }

    /// More bytes than any text has.
    private static let mostBytes: Int64 = 1 << 50

    /// The most sentences or paragraphs of one move.
    private static let mostSteps: Int64 = 1_000_000

    /// More sentences than any text has.
    private static let mostUnits: Int64 = 1_000_000_000

    /// Parses the number of a sentence or paragraph.
    private static func unit(_ text: Substring.UTF8View) -> Int? {
        whole(text).flatMap { (1...mostUnits).contains($0) ? Int($0) : nil }
    }

    /// Parses `+1` or `-1`.
    private static func steps(_ text: Substring.UTF8View) -> Int? {
        guard let sign = text.first, let count = whole(text.dropFirst()), (1...mostSteps).contains(count) else {
            return nil
        }
        switch sign {
        case UInt8(ascii: "+"): return Int(count)
        case UInt8(ascii: "-"): return -Int(count)
        default: return nil
        }
    }

    /// Parses `2` or `2+1:30`.
    private static func track(_ text: Substring.UTF8View) -> TimeExpression? {
        let parts = text.split(separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let number = whole(first), number >= 1, let track = Int(exactly: number) else {
            return nil
        }
        guard parts.count == 2 else { return .track(track, ms: nil) }
        return milliseconds(parts[1]).map { .track(track, ms: $0) }
    }

    private static func milliseconds(_ text: Substring.UTF8View) -> Int64? {
        if text.contains(UInt8(ascii: ":")) { return clock(text) }
        if let last = text.last, "hms".utf8.contains(last) { return units(text) }
        return decimal(text, places: 3)
    }

    /// Parses `m:ss` or `h:mm:ss` with an optional fraction; only the first part may exceed 59.
    private static func clock(_ text: Substring.UTF8View) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        guard let seconds = decimal(last, places: 3), seconds < 60_000 else { return nil }
        var minutes: Int64 = 0
        for (index, part) in parts.dropLast().enumerated() {
            guard let value = whole(part), index == 0 || value < 60 else { return nil }
            guard let sum = sum(minutes, times: 60, plus: value) else { return nil }
            minutes = sum
        }
        return sum(minutes, times: 60_000, plus: seconds)
    }

    /// Parses `1h2m3.5s`: each unit at most once, in this order, and only the first may exceed 59.
    private static func units(_ text: Substring.UTF8View) -> Int64? {
        var rest = text
        var total: Int64 = 0
        var isFirst = true
        for (unit, scale) in [(UInt8(ascii: "h"), Int64(3600)), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1)] {
            guard let end = rest.firstIndex(of: unit) else { continue }
            let number = rest[..<end]
            rest = rest[rest.index(after: end)...]
            // Only seconds may have a fraction.
            guard
                let ms = scale == 1
                    ? decimal(number, places: 3) : whole(number).flatMap({ sum($0, times: 1000, plus: 0) }),
                isFirst || ms < 60_000, let scaled = sum(ms, times: scale, plus: 0)
            else { return nil }
            guard let added = sum(total, times: 1, plus: scaled) else { return nil }
            total = added
            isFirst = false
        }
        return rest.isEmpty ? total : nil
    }

    /// Parses digits with an optional fraction, in units of 10^-places.
    private static func decimal(_ text: Substring.UTF8View, places: Int) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let units = whole(first) else { return nil }
        var fraction: Int64 = 0
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].allSatisfy(isDigit) else { return nil }
            let padded = Array(parts[1].prefix(places)) + Array(repeating: UInt8(ascii: "0"), count: places)
            fraction = whole(padded.prefix(places)) ?? 0
        }
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        return sum(units, times: scale, plus: fraction)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func whole(_ text: some Collection<UInt8>) -> Int64? {
        guard !text.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard isDigit(byte), let next = sum(value, times: 10, plus: Int64(byte - UInt8(ascii: "0"))) else {
                return nil
            }
            value = next
        }
        return value
    }

    private static func sum(_ value: Int64, times scale: Int64, plus addend: Int64) -> Int64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: scale)
        let (sum, overflowToo) = product.addingReportingOverflow(addend)
        return overflow || overflowToo ? nil : sum
    }
}

/// `next`, `previous`, or a chapter number from 1.
public enum ChapterExpression: Sendable, Hashable {
    case next
    case previous
    case number(Int)

    public init(_ text: String) throws(SessionError) {
        switch text {
        case "next": self = .next
        case "previous": self = .previous
        default:
            guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text), number >= 1 else {
                throw SessionError(
                    .usage, "bad chapter: \(text.isEmpty ? "empty" : text); give next, previous or a number from 1")
            }
            self = .number(number)
        }
    }
}
