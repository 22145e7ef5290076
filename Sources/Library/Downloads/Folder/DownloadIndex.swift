// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The list of what was asked for: what waits and has no folder yet, and what should be there.
///
/// The manifests beside the files are the truth. This list, which is elsewhere, notices that one is missing.
struct DownloadIndex: Sendable {
    private static let largest = 64 << 20

    let path: String

    /// Returns the entries; empty if there are none, or none that can be read.
    func load() -> [Download] {
        guard let bytes = DiskFile.read(path, limit: Self.largest),
            let entries = try? JSONDecoder().decode([Download].self, from: Data(bytes))
        else { return [] }
        return entries
    }

    func save(_ downloads: [Download]) throws(DownloadFault) {
        let entries = downloads.map { download in
            var entry = download
            entry.files = []
            return entry
        }
        guard let data = try? JSONEncoder().encode(entries) else { return }
        if let slash = path.lastIndex(of: "/") { try DiskFile.makeFolder(String(path[..<slash])) }
        try DiskFile.replace(path, with: Array(data))
    }
}
