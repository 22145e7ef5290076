// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

extension ClipInfo {
    /// The words for a clip that was made: `Clip 7qk2m9xd: 0:52–1:12.`.
    public var kept: String {
        startMs == nil || durationMs == nil ? "Clip \(id) is kept." : "Clip \(id) is kept: \(place)."
    }

    /// The words of a text in one line; empty for a recording.
    var quoteLine: String {
        (quote ?? "").split(whereSeparator: \.isWhitespace).prefix(64).joined(separator: " ")
    }

    /// The bounds in the book, such as `0:52–1:12`, or the length alone.
    var place: String {
        guard let startMs, let durationMs else { return durationMs.map { "\(clockText($0)) long" } ?? "" }
        return "\(clockText(startMs))–\(clockText(startMs &+ durationMs))"
    }
}
