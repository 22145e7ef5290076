// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Folders that belong to one user and to which nobody else can write.
public enum PrivateFolder {
    enum State: Hashable {
        case missing
        /// A folder of the user that nobody else can write to.
        case ours
        case foreign
    }

    /// Creates the folder and missing parents with mode 0700.
    ///
    /// Throws if the folder exists and another user owns it or may write to it.
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
        // A user may replace the folder by a symbolic link. Then the link's owner and the target are checked.
        if found.st_mode & S_IFMT == S_IFLNK {
            guard found.st_uid == user, stat(path, &found) == 0 else { return .foreign }
        }
        let isSafe = found.st_mode & S_IFMT == S_IFDIR && found.st_uid == user && found.st_mode & 0o022 == 0
        return isSafe ? .ours : .foreign
    }
}
