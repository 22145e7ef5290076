// SPDX-License-Identifier: Apache-2.0

import CacheFolders
import Glibc
public import MediaPlayback
public import PlaybackCore

/// A cache of track indexes: one file for each content and engine, in one folder of bounded size.
///
/// Nothing in the folder is trusted: a file that is damaged, cut short or of another version is removed, and its index
/// is made again. The least recently used files are removed first.
public struct TrackIndexes: TrackIndexStore {
    private let files: CacheFolder

    /// Creates a cache without touching the folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created when the first index is kept.
    ///   - limit: The total size of all files, in bytes.
    public init(folder: String, limit: Int64 = 64 << 20) {
        // The name of an engine may have dots.
        files = CacheFolder(path: folder, limit: limit) { $0 }
    }

    public func key(of descriptor: Int32, engine: EngineID) -> TrackIndexKey? {
        ContentKey(descriptor).map { TrackIndexKey(name: "\(engine.rawValue)-\($0.text)") }
    }

    public func open(_ key: TrackIndexKey) -> SharedDescriptor? {
        let path = path(of: key)
        let raw = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard raw >= 0 else { return nil }
        let descriptor = SharedDescriptor(owning: raw)
        guard IndexFile.isSound(raw, key: key.name), lseek(raw, off_t(IndexFile.headerSize), SEEK_SET) >= 0 else {
            unlink(path)
            return nil
        }
        // Marks the file as just used.
        futimens(raw, nil)
        return descriptor
    }

    public func keep(_ index: [UInt8], for key: TrackIndexKey) {
        let bytes = IndexFile.bytes(of: index, key: key.name)
        guard Int64(bytes.count) <= files.limit / 2, files.make() == nil else { return }
        // The process id makes the name unique: another session may write the same index.
        let draft = path(of: key) + ".\(getpid())"
        let raw = Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard raw >= 0 else { return }
        let isWritten = IndexFile.write(bytes, to: raw)
        close(raw)
        if !isWritten || rename(draft, path(of: key)) != 0 { unlink(draft) }
        files.makeRoom()
    }

    private func path(of key: TrackIndexKey) -> String { "\(files.path)/\(key.name).index" }
}
