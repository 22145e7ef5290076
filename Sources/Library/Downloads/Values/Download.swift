// SPDX-License-Identifier: Apache-2.0

/// An item that is, or is to be, on this machine.
///
/// This value is the manifest beside the files, too: paths in it are relative to its folder, so that the folder may move.
public struct Download: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// Waits for its turn, or for its server.
        case queued
        case downloading
        /// Every file is there and plays.
        case downloaded
        /// Failed; what there is of its files is kept for the next attempt.
        case error
        /// Is being removed: a start that finds this goes on with it.
        case removing
    }

    /// The item, as it was asked for.
    public var item: String
    /// The identity under which the item is played, once it is known.
    public var uri: String
    public var title: String
    public var author: String?
    /// The whole that the item is a part of: the podcast of an episode.
    public var series: String?
    /// The server that has it: what names one for ``DownloadSource``.
    public var server: String
    public var state: State
    /// The place in the order of asking.
    public var order: Int
    /// Milliseconds since 1970.
    public var addedAt: Int64
    public var downloadedAt: Int64?
    /// Milliseconds since 1970, when an episode was published.
    public var publishedAt: Int64?
    /// One line that says why it is in error, or what it waits for.
    public var reason: String?
    /// `true` if a rule added it, which may remove it again.
    public var isAutomatic: Bool
    /// The folder, relative to the root of all downloads; `nil` before the files are known.
    public var folder: String?
    /// The name of the picture, if there is one.
    public var cover: String?
    public var files: [DownloadedFile]

    public init(item: String, server: String, order: Int, addedAt: Int64, isAutomatic: Bool = false) {
        self.item = item
        uri = item
        title = item
        self.server = server
        state = .queued
        self.order = order
        self.addedAt = addedAt
        self.isAutomatic = isAutomatic
        files = []
    }

    /// The bytes that are on this machine.
    public var bytes: Int64 { files.reduce(0) { $0.clampingAdd($1.bytes) } }

    /// The bytes of all files; `nil` while the size of one is not known.
    public var totalBytes: Int64? {
        var total: Int64 = 0
        for file in files {
            guard let size = file.size else { return nil }
            total = total.clampingAdd(size)
        }
        return files.isEmpty ? nil : total
    }

    /// Takes up the files that the source names, and keeps what is there of those that are the same.
    ///
    /// - Returns: the names of files that are not wanted any more.
    mutating func adopt(_ plan: DownloadPlan) -> [String] {
        uri = plan.uri
        title = plan.title
        author = plan.author
        series = plan.series
        publishedAt = plan.publishedAt
        let former = Dictionary(files.map { ($0.relPath, $0) }, uniquingKeysWith: { first, _ in first })
        var kept: Set<String> = []
        let lasting = Set(plan.files.compactMap { former[$0.relPath]?.name })
        files = plan.files.enumerated().map { index, wanted in
            var name = SafeName.numbered(index, of: plan.files.count, wanted.relPath)
            // A file that is kept may have this name from an earlier order.
            if lasting.contains(name), former[wanted.relPath] == nil { name = "New \(name)" }
            var file = DownloadedFile(relPath: wanted.relPath, name: name, size: wanted.size)
            if let old = former[wanted.relPath], old.size == nil || wanted.size == nil || old.size == wanted.size {
                file = old
                file.size = wanted.size ?? old.size
            }
            kept.insert(file.name)
            return file
        }
        return former.values.map(\.name).filter { !kept.contains($0) }.sorted()
    }
}

/// A file of a download, in the order of playing.
public struct DownloadedFile: Sendable, Hashable, Codable {
    /// The path at the source, which stays when the address of the file there changes.
    public var relPath: String
    /// The name on this machine.
    public var name: String
    /// The size that the source states.
    public var size: Int64?
    /// The bytes that are on this machine, in the file or in its draft.
    public var bytes: Int64 = 0
    /// The bytes of the draft that are on the disk for sure, and under which start of the machine more may be.
    public var synced: Int64 = 0
    public var boot: String?
    /// The version of the file at the source of which the draft is.
    public var tag: String?
    /// `true` if all of it is there, under its name.
    public var isComplete = false
    /// `true` if its first and its last second were decoded.
    public var isPlayable = false

    public init(relPath: String, name: String, size: Int64?) {
        self.relPath = relPath
        self.name = name
        self.size = size
    }

    /// Forgets what is there.
    mutating func startOver() {
        (bytes, synced, boot, tag, isComplete, isPlayable) = (0, 0, nil, nil, false, false)
    }
}

extension Int64 {
    /// Adds, and stays at the greatest value instead of trapping; sizes come from servers.
    func clampingAdd(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
