// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Folders that belong to one user.
public enum PrivateFolder {
    enum State: Hashable {
        case missing
        /// A folder of the user that nobody else can write to.
        case ours
        case foreign
    }

    /// Makes the folder (0700) and what is missing above it, and refuses one that others own or may write to.
    public static func create(_ path: String, user: uid_t = getuid()) throws(SessionError) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty, access(parent, F_OK) != 0, errno == ENOENT { try create(parent, user: user) }
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw SessionError(.cannotCreate, "cannot create a folder: \(path): \(String(cString: strerror(errno)))")
        }
        guard state(of: path, user: user) == .ours else {
            throw SessionError(
                .notPermitted, "folder not safe: \(path) belongs to another user or others may write to it; remove it")
        }
    }

    static func state(of path: String, user: uid_t) -> State {
        var found = stat()
        guard lstat(path, &found) == 0 else { return .missing }
        // A listener may keep a folder behind a link of his own; the target decides, and the link's owner.
        if found.st_mode & S_IFMT == S_IFLNK {
            guard found.st_uid == user, stat(path, &found) == 0 else { return .foreign }
        }
        let isSafe = found.st_mode & S_IFMT == S_IFDIR && found.st_uid == user && found.st_mode & 0o022 == 0
        return isSafe ? .ours : .foreign
    }
}
