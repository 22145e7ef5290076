// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol
import SettingsFile

/// The examination of the user's folders, the room on their disks, and the settings.
struct FolderCheck {
    /// The room in bytes below which saves and covers may fail.
    private static let fewest: UInt64 = 16 << 20

    private let folders: UserFolders

    init(_ folders: UserFolders) { self.folders = folders }

    func findings() -> [Finding] {
        var findings: [Finding] = []
        for (path, purpose) in [
            (folders.runtime, "the control socket"), (folders.data, "the library and its places"),
            (folders.state, "the transition log"), (folders.config, "settings"), (folders.cache, "indexes of tracks"),
        ] {
            findings += faults(of: path, for: purpose)
        }
        if findings.isEmpty { findings.append(.ok("folders", "usable, and safe from other users")) }
        findings.append(room())
        findings.append(settings())
        return findings
    }

    private func faults(of path: String, for purpose: String) -> [Finding] {
        var found = stat()
        guard stat(path, &found) == 0 else {
            let parent = Self.nearest(above: path)
            guard access(parent, W_OK | X_OK) != 0 else { return [] }
            return [
                .fault(
                    "folders", "\(path) for \(purpose) cannot be created: \(parent) is not writable",
                    do: "make it writable, or create the folder as yourself")
            ]
        }
        if found.st_mode & S_IFMT != S_IFDIR {
            return [.fault("folders", "\(path) for \(purpose) is not a folder", do: "move the file away")]
        }
        if found.st_uid != getuid() || found.st_mode & 0o022 != 0 {
            return [
                .fault(
                    "folders", "\(path) for \(purpose) belongs to another user, or others may write to it",
                    do: "remove it, or run `chmod go-w`")
            ]
        }
        if access(path, W_OK | X_OK) != 0 {
            return [
                .fault(
                    "folders", "\(path) for \(purpose) is not writable: \(String(cString: strerror(errno)))",
                    do: "run `chmod u+rwx`, or mount its disk for writing")
            ]
        }
        return []
    }

    private static func nearest(above path: String) -> String {
        var path = path[...]
        while let end = path.lastIndex(of: "/"), end > path.startIndex {
            path = path[..<end]
            if access(String(path), F_OK) == 0 { return String(path) }
        }
        return "/"
    }

    private func room() -> Finding {
        var found = statvfs()
        let path = access(folders.data, F_OK) == 0 ? folders.data : Self.nearest(above: folders.data)
        guard statvfs(path, &found) == 0 else {
            return .fault("disk", "\(path): \(String(cString: strerror(errno)))", do: "check the disk")
        }
        let free = UInt64(found.f_bavail) * UInt64(found.f_frsize)
        let words = "\(free >> 20) MB are free at \(path)"
        return free < Self.fewest ? .fault("disk", words, do: "free some: places may not be saved") : .ok("disk", words)
    }

    private func settings() -> Finding {
        let path = folders.config + "/settings.json"
        if let complaint = SettingsFile(path).read().complaint {
            return .fault("settings", complaint, do: "see `rostrum settings list`")
        }
        return .ok("settings", access(path, F_OK) == 0 ? path : "all have their defaults")
    }
}
