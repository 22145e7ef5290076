// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback

/// Collects the audio files of a folder: first its own, then those of its subfolders, each in natural order.
///
/// All calls block.
struct FolderWalk {
    /// The number of levels of subfolders, for paths such as `Author/Book/CD 1/01.mp3`.
    static let depth = 3
    static let mostFiles = 20_000

    private(set) var files: [PathBytes] = []
    private(set) var notes: [String] = []
    /// The error of the first subfolder that could not be read.
    private(set) var failure: ItemError?

    private let extensions: Set<String>
    /// The folders that were walked.
    ///
    /// A link to one of them would lead in a circle, or play it twice.
    private var visited: Set<FileProbe.FileIdentity> = []

    init(_ path: PathBytes, identity: FileProbe.FileIdentity, extensions: Set<String>) throws(ItemError) {
        self.extensions = extensions
        visited = [identity]
        try walk(path, level: 0)
    }

    private mutating func walk(_ path: PathBytes, level: Int) throws(ItemError) {
        var folders: [PathBytes] = []
        for name in try Self.names(in: path) {
            let child = FileProbe.path(of: name, in: path)
            guard let found = try? FileProbe.look(at: child) else {
                if isAudio(name) { notes.append("left out \(Self.text(child)): it cannot be reached") }
                continue
            }
            switch found {
            case .folder(let identity):
                if visited.insert(identity).inserted { folders.append(child) }
            case .file(let size) where isAudio(name):
                if size == 0 {
                    notes.append("left out \(Self.text(child)): it is empty (0 bytes)")
                } else {
                    files.append(child)
                }
            case .file, .other: break
            }
            if files.count > Self.mostFiles {
                throw ItemError(
                    .unsupported, "\(Self.text(path)): more than \(Self.mostFiles) files; choose a folder within it")
            }
        }
        for folder in folders {
            if level == Self.depth {
                notes.append("left out \(Self.text(folder)): too deep")
                continue
            }
            do throws(ItemError) {
                try walk(folder, level: level + 1)
            } catch {
                if error.reason == .unsupported { throw error }
                failure = failure ?? error
                notes.append("left out \(error.message)")
            }
        }
    }

    private func isAudio(_ name: PathBytes) -> Bool {
        FileName.fileExtension(Self.text(name)).map { extensions.contains($0) } ?? false
    }

    /// Returns the names in a folder in natural order, without hidden files, which include the `._` files of macOS.
    static func names(in path: PathBytes) throws(ItemError) -> [PathBytes] {
        guard let folder = FileProbe.withPointer(to: path, { opendir($0) }) else {
            throw FileProbe.failure(errno, path)
        }
        defer { closedir(folder) }
        var names: [(order: NaturalOrder, bytes: PathBytes)] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") { names.append((NaturalOrder(text(name)), name)) }
            errno = 0
        }
        if errno != 0 { throw FileProbe.failure(errno, path) }
        return names.sorted { $0.order < $1.order }.map(\.bytes)
    }

    private static func text(_ path: PathBytes) -> String { String(decoding: path, as: UTF8.self) }
}
