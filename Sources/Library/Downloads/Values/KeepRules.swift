// SPDX-License-Identifier: Apache-2.0

/// The rules by which downloads are removed without being asked.
public struct KeepRules: Sendable, Hashable {
    /// `true` if what was heard to its end is removed.
    public var removesFinished: Bool
    /// The most episodes of one podcast, of which the newest stay; 0 for all.
    public var newestOfSeries: Int

    public init(removesFinished: Bool = false, newestOfSeries: Int = 0) {
        self.removesFinished = removesFinished
        self.newestOfSeries = newestOfSeries
    }

    /// Returns what is to go, oldest first.
    ///
    /// - Parameters:
    ///   - finished: The identities of items that were heard to their end.
    ///   - inUse: The identities of items that are loaded; they stay.
    public func surplus(_ downloads: [Download], finished: Set<String>, inUse: Set<String>) -> [Download] {
        let done = downloads.filter { $0.state == .downloaded && !inUse.contains($0.uri) }
        var surplus = removesFinished ? done.filter { finished.contains($0.uri) } : []
        if newestOfSeries > 0 {
            let left = done.filter { !surplus.contains($0) && $0.series != nil }
            for (_, episodes) in Dictionary(grouping: left, by: { "\($0.server)\n\($0.series ?? "")" }) {
                surplus += episodes.sorted { Self.age($0) > Self.age($1) }.dropFirst(newestOfSeries)
            }
        }
        return surplus.sorted { Self.age($0) < Self.age($1) }
    }

    private static func age(_ download: Download) -> (Int64, Int) {
        (download.publishedAt ?? download.addedAt, download.order)
    }
}
