// SPDX-License-Identifier: Apache-2.0

/// The parameter of `sleep`: `30m`, `+10m`, `chapter`, `ch:12`, `book` or `off`.
///
/// A plain number is in minutes, as on a bedside clock.
public enum SleepExpression: Sendable, Hashable {
    /// Milliseconds of playback in real time, whatever the speed.
    case duration(ms: Int64)
    case extend(ms: Int64)
    /// A number from 1, or `nil` for the current chapter.
    case chapter(Int?)
    case book
    case off

    private static let longest: Int64 = 24 * 3_600_000

    public init(_ text: String) throws(SessionError) {
        switch text {
        case "chapter": self = .chapter(nil)
        case "book": self = .book
        case "off": self = .off
        default:
            if case .chapter(let number)? = try? TimeExpression(text) {
                self = .chapter(number)
                return
            }
            let isLonger = text.hasPrefix("+")
            let length = isLonger ? String(text.dropFirst()) : text
            // `1.5` is not a number of minutes, and must not be taken for seconds.
            let isPlain = !length.isEmpty && length.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
            guard case .absolute(let ms)? = try? TimeExpression(isPlain ? length + "m" : length), ms > 0,
                ms <= Self.longest
            else {
                throw SessionError(
                    .usage, "bad sleep time: \(text); give minutes, a time as 1h30m or 90s, chapter, ch:12, book or off"
                )
            }
            self = isLonger ? .extend(ms: ms) : .duration(ms: ms)
        }
    }
}
