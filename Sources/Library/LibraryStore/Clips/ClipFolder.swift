// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Glibc
public import MediaPlayback

/// The folder of the clips' own files, one for each clip.
///
/// A file is written as a draft, brought to the disk and then named. A name is never used twice for different audio,
/// so that whoever plays the former file of a clip plays it to its end.
public final class ClipFolder: ClipFileStore {
    private static let deadline = Duration.seconds(30)

    private let path: String
    private let drafts: ClipDrafts
    /// Separate from the library's queue, so that a slow disk does not delay the save of a place.
    private let queue = BlockingQueue(label: "rostrum.clips")

    /// Names a folder, which is created with the first file (mode 0700).
    public convenience init(path: String) { self.init(path: path, hasNamelessFiles: true) }

    /// - Parameter hasNamelessFiles: `false` to write as on a file system where each file has a name.
    init(path: String, hasNamelessFiles: Bool) {
        self.path = path
        drafts = ClipDrafts(folder: path, hasNameless: hasNamelessFiles)
    }

    public func path(of name: String) -> String { "\(path)/\(name)" }
    public var lost: String { "\(path)/lost" }

    public func begin() async throws(PlaceStoreError) -> FileDraft {
        try await run { [path, drafts] () throws(PlaceStoreError) in
            try Self.makeFolder(path)
            guard let draft = drafts.open(in: path, mode: 0o600) else { throw Self.failure(errno, path) }
            return draft
        }
    }

    public func finish(
        _ draft: FileDraft, of id: String, extension suffix: String
    ) async throws(PlaceStoreError) -> String {
        try await run { [path, lost, drafts] () throws(PlaceStoreError) in
            try Self.sync(draft, path)
            var number = 1
            while true {
                let name = "\(id)-\(number).\(suffix)"
                if access("\(lost)/\(name)", F_OK) == 0 {
                    errno = EEXIST
                } else if drafts.finish(draft, as: "\(path)/\(name)", replaces: false) {
                    Self.sync(folder: path)
                    return name
                }
                guard errno == EEXIST, number < 100_000 else { throw Self.failure(errno, "\(path)/\(name)") }
                number += 1
            }
        }
    }

    public func names() async throws(PlaceStoreError) -> Set<String> {
        try await run { [path, drafts] () throws(PlaceStoreError) in
            guard let folder = opendir(path) else {
                if errno == ENOENT { return [] }
                throw Self.failure(errno, path)
            }
            defer { closedir(folder) }
            var names: Set<String> = []
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if !drafts.clear(name), !name.hasPrefix("."), name != "lost" { names.insert(name) }
            }
            return names
        }
    }

    public func has(_ name: String) async -> Bool {
        await queue.run(within: Self.deadline) { [path] in access("\(path)/\(name)", F_OK) == 0 } ?? false
    }

    public func setAside(_ name: String) async throws(PlaceStoreError) -> Bool {
        try await run { [path, lost] () throws(PlaceStoreError) in
            guard Self.isName(name) else { return false }
            try Self.makeFolder(lost)
            var number = 1
            while true {
                let aside = number == 1 ? "\(lost)/\(name)" : Self.numbered("\(lost)/\(name)", number)
                if ClipDrafts.move("\(path)/\(name)", aside, replaces: false) {
                    Self.sync(folder: lost)
                    return true
                }
                let cause = errno
                if cause == ENOENT, access("\(path)/\(name)", F_OK) != 0 { return false }
                errno = cause
                guard errno == EEXIST, number < 10_000 else { throw Self.failure(errno, aside) }
                number += 1
            }
        }
    }

    public func bringBack(_ name: String) async -> Bool {
        await queue.run(within: Self.deadline) { [path, lost] in
            guard Self.isName(name), ClipDrafts.move("\(lost)/\(name)", "\(path)/\(name)", replaces: false) else {
                return false
            }
            Self.sync(folder: path)
            return true
        } ?? false
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.contains("/") && name != "." && name != ".."
    }

    public func remove(_ name: String) async {
        guard Self.isName(name) else { return }
        _ = await queue.run(within: Self.deadline) { [path] in unlink("\(path)/\(name)") }
    }

    public func begin(beside path: String) async throws(PlaceStoreError) -> FileDraft {
        try await run { [drafts] () throws(PlaceStoreError) in
            // What is exported is as readable as any other new file.
            let folder = ClipDrafts.folder(of: path)
            guard let draft = drafts.open(in: folder, mode: 0o666) else { throw Self.failure(errno, folder) }
            return draft
        }
    }

    public func finish(
        _ draft: FileDraft, as path: String, replaces: Bool
    ) async throws(PlaceStoreError) -> String {
        try await run { [drafts] () throws(PlaceStoreError) in
            try Self.sync(draft, path)
            var number = 1
            while true {
                let name = number == 1 ? path : Self.numbered(path, number)
                if drafts.finish(draft, as: name, replaces: replaces) {
                    Self.sync(folder: ClipDrafts.folder(of: path))
                    return name
                }
                guard errno == EEXIST, number < 10_000 else { throw Self.failure(errno, name) }
                number += 1
            }
        }
    }

    public func discard(_ draft: FileDraft) async {
        _ = await queue.run(within: Self.deadline) { [drafts] in drafts.discard(draft) }
    }

    public func discardAll() async {
        _ = await queue.run(within: Self.deadline) { [drafts] in drafts.discardAll() }
    }

    // MARK: Blocking calls

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PlaceStoreError) -> Value
    ) async throws(PlaceStoreError) -> Value {
        let outcome = await queue.run(within: Self.deadline) { () -> Result<Value, PlaceStoreError> in
            do throws(PlaceStoreError) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else {
            throw PlaceStoreError(.timedOut, "\(path) did not answer in time; check its disk")
        }
        return try outcome.get()
    }

    private static func sync(_ draft: FileDraft, _ path: String) throws(PlaceStoreError) {
        guard fsync(draft.descriptor.rawValue) == 0 else { throw failure(errno, path) }
    }

    private static func sync(folder: String) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Returns the path with a number before its extension: `a (2).mp3`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path) (\(number))" }
        return "\(path[..<dot]) (\(number))\(path[dot...])"
    }

    private static func makeFolder(_ path: String) throws(PlaceStoreError) {
        var folder = ""
        for part in path.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(errno, path) }
        }
    }

    private static func failure(_ code: Int32, _ path: String) -> PlaceStoreError {
        let isFull = code == ENOSPC || code == EDQUOT
        let why = isFull ? "the disk is full; make room" : String(cString: strerror(code))
        return PlaceStoreError(isFull ? .diskFull : .unavailable, "cannot write \(path): \(why)")
    }
}
