// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder with the peaks of all tracks, of bounded size.
///
/// Nothing in the folder is trusted: what is damaged, cut short or of another version is made anew. The peaks of the
/// track that was used longest ago are removed first.
public struct PeakCache: Sendable {
    let folder: String
    private let limit: Int64

    /// Creates a cache without touching the folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created when the first peaks are kept.
    ///   - limit: The total size of all files, in bytes. An hour at 44.1 kHz takes 2.2 MB.
    public init(folder: String, limit: Int64 = 1 << 30) {
        self.folder = folder
        self.limit = limit
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
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PeakFileError("create", path) }
        }
    }

    /// Removes the peaks that were used longest ago until the rest is within the limit.
    ///
    /// - Parameter kept: the key of peaks that are in use.
    func makeRoom(keeping kept: String) {
        struct Group {
            var names: [String] = []
            var used = timespec()
            var size: Int64 = 0
        }
        var groups: [Substring: Group] = [:]
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name.first != ".", lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            var group = groups[name.prefix { $0 != "." }] ?? Group()
            group.names.append(name)
            // What a file of holes takes is not its length.
            group.size += Int64(status.st_blocks) * 512
            if (group.used.tv_sec, group.used.tv_nsec) < (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) {
                group.used = status.st_mtim
            }
            groups[name.prefix { $0 != "." }] = group
        }
        var total = groups.values.reduce(0) { $0 + $1.size }
        let oldest = groups.sorted {
            ($0.value.used.tv_sec, $0.value.used.tv_nsec) < ($1.value.used.tv_sec, $1.value.used.tv_nsec)
        }
        for (key, group) in oldest where total > limit && key != kept {
            for name in group.names { unlink("\(folder)/\(name)") }
            total -= group.size
        }
    }
}
