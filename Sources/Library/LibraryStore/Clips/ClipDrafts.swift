// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import MediaPlayback
import Synchronization

/// The files that a session is writing.
///
/// They have no name where the file system can do that, so a killed session leaves nothing. Elsewhere they have one that
/// tells whose they are, and one beside an export is noted in the folder of clips by a symbolic link of that name: the
/// next session removes both. All calls block.
final class ClipDrafts: Sendable {
    private static let prefix = ".draft-"

    /// The folder of clips.
    private let folder: String
    private let hasNameless: Bool
    /// The mark of this session's drafts.
    private let session = UInt64.random(in: .min ... .max)
    // The lock is needed because a session that ends removes what others write; it is held for one access.
    private let named = Mutex<Set<String>>([])

    init(folder: String, hasNameless: Bool) {
        self.folder = folder
        self.hasNameless = hasNameless
    }

    /// Opens an empty draft; `nil` and `errno` if there can be none.
    func open(in place: String, mode: mode_t) -> FileDraft? {
        if hasNameless {
            let descriptor = gnu_open_nameless(place, mode)
            if descriptor >= 0 { return FileDraft(path: nil, descriptor: SharedDescriptor(owning: descriptor)) }
        }
        for _ in 0..<100 {
            let path = newName(in: place)
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if descriptor >= 0 { return FileDraft(path: path, descriptor: SharedDescriptor(owning: descriptor)) }
            let cause = errno
            forget(path)
            errno = cause
            guard cause == EEXIST || cause == EINTR else { break }
        }
        return nil
    }

    /// Gives a draft its name; without `replaces`, never that of another file.
    ///
    /// - Returns: `false`, with `errno`, if it cannot have the name.
    func finish(_ draft: FileDraft, as name: String, replaces: Bool) -> Bool {
        if let path = draft.path {
            guard Self.move(path, name, replaces: replaces) else { return false }
            forget(path)
            return true
        }
        if gnu_link_nameless(draft.descriptor.rawValue, name) == 0 { return true }
        guard replaces, errno == EEXIST else { return false }
        // Only a file that has a name can replace another one.
        let path = newName(in: Self.folder(of: name))
        let isDone = gnu_link_nameless(draft.descriptor.rawValue, path) == 0 && rename(path, name) == 0
        let cause = errno
        if !isDone { unlink(path) }
        forget(path)
        errno = cause
        return isDone
    }

    func discard(_ draft: FileDraft) {
        guard let path = draft.path else { return }
        unlink(path)
        forget(path)
    }

    /// Removes all drafts of this session.
    func discardAll() {
        for path in named.withLock(\.self) {
            unlink(path)
            forget(path)
        }
    }

    /// Removes a draft of another session by its name in the folder of clips; a library belongs to one session at a time.
    ///
    /// - Returns: `true` if the name is that of a draft.
    func clear(_ name: String) -> Bool {
        guard name.hasPrefix(Self.prefix) else { return false }
        let path = "\(folder)/\(name)"
        guard !name.hasPrefix("\(Self.prefix)\(session)-") else { return true }
        if let noted = Self.target(of: path), Self.name(of: noted) == name {
            // A disk that is not there now may come back with it.
            guard unlink(noted) == 0 || (errno == ENOENT && access(Self.folder(of: noted), F_OK) == 0) else {
                return true
            }
        }
        unlink(path)
        return true
    }

    // MARK: Names

    /// Returns a path for a draft, which is noted before there is a file.
    private func newName(in place: String) -> String {
        let name = "\(Self.prefix)\(session)-\(UInt32.random(in: .min ... .max))"
        let path = "\(place)/\(name)"
        named.withLock { _ = $0.insert(path) }
        // Without a note, a kill leaves the file; that is no reason to refuse it.
        if place != folder, access(place, W_OK) == 0, mkdir(folder, 0o700) == 0 || errno == EEXIST {
            symlink(path, "\(folder)/\(name)")
        }
        return path
    }

    private func forget(_ path: String) {
        named.withLock { _ = $0.remove(path) }
        let (place, name) = (Self.folder(of: path), Self.name(of: path))
        if place != folder { unlink("\(folder)/\(name)") }
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Returns the absolute path to which a symbolic link leads.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.hasPrefix("/") ? target : nil
    }

    /// Renames a file; without `replaces`, never over another one.
    static func move(_ from: String, _ to: String, replaces: Bool) -> Bool {
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
}
