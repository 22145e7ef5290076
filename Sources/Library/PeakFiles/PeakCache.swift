// SPDX-License-Identifier: Apache-2.0

import CacheFolders
import Glibc

/// The folder with the peaks of all tracks, of bounded size.
///
/// Nothing in the folder is trusted: what is damaged, cut short or of another version is made anew. The peaks of the
/// track that was used longest ago are removed first.
public struct PeakCache: Sendable {
    private let files: CacheFolder
    var folder: String { files.path }

    /// Creates a cache without touching the folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created when the first peaks are kept.
    ///   - limit: The total size of all files, in bytes. An hour at 44.1 kHz takes 2.2 MB.
    public init(folder: String, limit: Int64 = 1 << 30) {
        files = CacheFolder(path: folder, limit: limit)
    }

    /// Returns a key that can be a part of a file's name; `nil` for what may not be one.
    static func isKey(_ key: String) -> Bool {
        (1...200).contains(key.utf8.count)
            && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    /// Opens the peaks of a track, finished or not.
    ///
    /// If the disk keeps none, the sheet says so in ``PeakSheet/fault``, and works from memory.
    ///
    /// - Parameter key: lower case letters, digits and `-`: what identifies the content and who decodes it.
    public func open(_ key: String, sampleRate: Int) -> PeakSheet {
        guard Self.isKey(key) else {
            return PeakSheet(
                sampleRate: sampleRate, cache: self, key: key, fault: PeakFileError(.io, "no key of a file: \(key)"))
        }
        do throws(PeakFileError) {
            try makeFolder()
            if let finished = PeakSet(folder: folder, key: key), finished.sampleRate == sampleRate {
                return PeakSheet(finished, cache: self, key: key)
            }
            return try PeakSheet(
                sampleRate: sampleRate, cache: self, key: key, draft: "\(folder)/\(key).part")
        } catch {
            return PeakSheet(sampleRate: sampleRate, cache: self, key: key, fault: error)
        }
    }

    /// Opens the peaks of a track if they are finished; `nil` if they are not.
    public func finished(_ key: String) -> PeakSheet? {
        guard Self.isKey(key), let finished = PeakSet(folder: folder, key: key) else { return nil }
        return PeakSheet(finished, cache: self, key: key)
    }

    /// Returns the path of the waveform file at the finest level.
    public func file(_ key: String) -> String { "\(folder)/\(key).\(PeakLevels.finest).dat" }

    private func makeFolder() throws(PeakFileError) {
        if let path = files.make() { throw PeakFileError("create", path) }
    }

    /// Removes the peaks that were used longest ago until the rest is within the limit.
    ///
    /// - Parameter kept: the key of peaks that are in use.
    func makeRoom(keeping kept: String) { files.makeRoom(keeping: kept) }
}
