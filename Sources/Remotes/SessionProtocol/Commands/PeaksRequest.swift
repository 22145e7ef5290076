// SPDX-License-Identifier: Apache-2.0

/// A request for a part of a track, in columns: the parameters of `peaks`.
public struct PeaksRequest: Sendable, Hashable {
    /// Absolute paths, `file:` URIs, or `library:ID`.
    public var items: [String]
    /// The index of the track, from 0.
    public var track: Int
    /// The beginning of the part in the track; `nil` for its start.
    public var fromMs: Int64?
    /// The end of the part; `nil` for the end of the track.
    public var toMs: Int64?
    /// The place that is heard, around which peaks are made first.
    public var atMs: Int64?
    public var columns: Int

    public static let columns = 1...4096
    public static let defaultColumns = 1000
    /// The most that a time may be, in milliseconds: a year.
    static let mostMs: Int64 = 31_536_000_000

    public init(
        items: [String], track: Int = 0, fromMs: Int64? = nil, toMs: Int64? = nil, atMs: Int64? = nil,
        columns: Int = defaultColumns
    ) {
        self.items = items
        self.track = track
        self.fromMs = fromMs
        self.toMs = toMs
        self.atMs = atMs
        self.columns = columns
    }

    func validate() throws(SessionError) {
        guard !items.isEmpty,
            items.allSatisfy({ $0.hasPrefix("/") || $0.hasPrefix("file:///") || $0.hasPrefix("library:") })
        else {
            throw SessionError(.usage, "peaks: give absolute paths of files, or a book of the library")
        }
        guard Self.columns.contains(columns) else {
            throw SessionError(.usage, "bad columns: \(columns); give 1 to 4096")
        }
        guard (0..<65_536).contains(track) else { throw SessionError(.usage, "bad track: \(track); count from 0") }
        for time in [fromMs, toMs, atMs] {
            guard let time else { continue }
            guard (0...Self.mostMs).contains(time) else { throw SessionError(.usage, "bad time: \(time) ms") }
        }
        if let fromMs, let toMs, fromMs >= toMs {
            throw SessionError(.usage, "the part ends before it begins: \(fromMs) to \(toMs) ms")
        }
    }
}
