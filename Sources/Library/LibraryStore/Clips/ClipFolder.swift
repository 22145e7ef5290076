// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Glibc
public import MediaPlayback

/// The folder of the clips' own files, one for each clip.
///
/// A file is written as a draft, brought to the disk and then renamed. A name is never used twice for different audio,
/// so that whoever plays the former file of a clip plays it to its end.
public final class ClipFolder: ClipFileStore {
    private static let deadline = Duration.seconds(30)
    private static let draftPrefix = ".draft-"

    private let path: String
    /// The mark of this session's drafts.
    private let session = UInt64.random(in: .min ... .max)
    /// Separate from the library's queue, so that a slow disk does not delay the save of a place.
    private let queue = BlockingQueue(label: "rostrum.clips")

    /// Names a folder, which is created with the first file (mode 0700).
    public init(path: String) { self.path = path }

    public func path(of name: String) -> String { "\(path)/\(name)" }

    public func begin() async throws(PlaceStoreError) -> FileDraft {
        try await run { [path, session] () throws(PlaceStoreError) in
            try Self.makeFolder(path)
            return try Self.open(inFolder: path, session)
        }
    }

    public func finish(
        _ draft: FileDraft, of id: String, extension suffix: String
    ) async throws(PlaceStoreError) -> String {
        try await run { [path] () throws(PlaceStoreError) in
            try Self.sync(draft)
            var number = 1
            while true {
                let name = "\(id)-\(number).\(suffix)"
                if Self.move(draft.path, "\(path)/\(name)", replaces: false) {
                    Self.sync(folder: path)
                    return name
                }
                guard errno == EEXIST, number < 100_000 else { throw Self.failure(errno, "\(path)/\(name)") }
                number += 1
            }
        }
    }

    public func names() async throws(PlaceStoreError) -> Set<String> {
        try await run { [path, session] () throws(PlaceStoreError) in
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
                if Self.isDraft(name, ofOtherThan: session) {
                    unlink("\(path)/\(name)")
                } else if !name.hasPrefix(".") {
                    names.insert(name)
                }
            }
            return names
        }
    }

    public func remove(_ name: String) async {
        guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return }
        _ = await queue.run(within: Self.deadline) { [path] in unlink("\(path)/\(name)") }
    }

    public func begin(beside path: String) async throws(PlaceStoreError) -> FileDraft {
        try await run { [session] () throws(PlaceStoreError) in
            // What is exported is as readable as any other new file.
            try Self.open(inFolder: Self.folder(of: path), session, mode: 0o666)
        }
    }

    public func finish(
        _ draft: FileDraft, as path: String, replaces: Bool
    ) async throws(PlaceStoreError) -> String {
        try await run { () throws(PlaceStoreError) in
            try Self.sync(draft)
            var number = 1
            while true {
                let name = number == 1 ? path : Self.numbered(path, number)
                if Self.move(draft.path, name, replaces: replaces) {
                    Self.sync(folder: Self.folder(of: path))
                    return name
                }
                guard errno == EEXIST, number < 10_000 else { throw Self.failure(errno, name) }
                number += 1
            }
        }
    }

    public func discard(_ draft: FileDraft) async {
        _ = await queue.run(within: Self.deadline) { unlink(draft.path) }
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

    /// Returns `true` for the draft of another session, which is gone: a library belongs to one session at a time.
    private static func isDraft(_ name: String, ofOtherThan session: UInt64) -> Bool {
        name.hasPrefix(draftPrefix) && !name.hasPrefix("\(draftPrefix)\(session)-")
    }

    private static func open(inFolder folder: String, _ session: UInt64, mode: mode_t = 0o600) throws(PlaceStoreError)
        -> FileDraft
    {
        for _ in 0..<100 {
            let path = "\(folder)/\(draftPrefix)\(session)-\(UInt32.random(in: .min ... .max))"
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if descriptor >= 0 { return FileDraft(path: path, descriptor: SharedDescriptor(owning: descriptor)) }
            guard errno == EEXIST || errno == EINTR else { break }
        }
        throw failure(errno, folder)
    }

    private static func sync(_ draft: FileDraft) throws(PlaceStoreError) {
        guard fsync(draft.descriptor.rawValue) == 0 else { throw failure(errno, draft.path) }
    }

    private static func sync(folder: String) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Renames a file; without `replaces`, never over another one.
    private static func move(_ from: String, _ to: String, replaces: Bool) -> Bool {
        if replaces { return rename(from, to) == 0 }
        // A link fails if the name is taken, on every file system that has links; others know no exclusive rename either.
        if link(from, to) == 0 {
            unlink(from)
            return true
        }
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { return false }
        guard access(to, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return rename(from, to) == 0
    }

    /// Returns the path with a number before its extension: `a (2).mp3`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path) (\(number))" }
        return "\(path[..<dot]) (\(number))\(path[dot...])"
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
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
