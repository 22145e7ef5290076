// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder of bounded size, from which what was used longest ago is removed first.
public struct CacheFolder: Sendable {
    public let path: String
    /// The total size of all files, in bytes.
    public var limit: Int64
    /// Returns the name of the group to which a file belongs; a group is kept or removed as a whole.
    private let group: @Sendable (String) -> String

    /// Creates the value without touching the folder.
    ///
    /// - Parameter group: Returns the group of a file; by default, the files whose names are the same up to the first dot are one.
    public init(
        path: String, limit: Int64,
        group: @escaping @Sendable (String) -> String = { String($0.prefix { $0 != "." }) }
    ) {
        self.path = path
        self.limit = limit
        self.group = group
    }

    /// Creates the folder with those above it; returns the first that cannot be, with `errno`, and `nil` if all are there.
    public func make() -> String? {
        var path = ""
        for part in self.path.split(separator: "/") {
            path += "/" + part
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return path }
        }
        return nil
    }

    /// Removes what was used longest ago until the rest is within the limit.
    ///
    /// - Parameter kept: The group that is in use.
    public func makeRoom(keeping kept: String? = nil) {
        struct Group {
            var names: [String] = []
            var used = timespec()
            var size: Int64 = 0
        }
        var groups: [String: Group] = [:]
        guard let entries = opendir(path) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name.first != ".", lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            var found = groups[group(name)] ?? Group()
            found.names.append(name)
            // What a file of holes takes is not its length.
            found.size += min(Int64(status.st_blocks) * 512, Int64(status.st_size))
            if (found.used.tv_sec, found.used.tv_nsec) < (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) {
                found.used = status.st_mtim
            }
            groups[group(name)] = found
        }
        var total = groups.values.reduce(0) { $0 + $1.size }
        let oldest = groups.sorted {
            ($0.value.used.tv_sec, $0.value.used.tv_nsec) < ($1.value.used.tv_sec, $1.value.used.tv_nsec)
        }
        for (key, group) in oldest where total > limit && key != kept {
            for name in group.names { unlink("\(path)/\(name)") }
            total -= group.size
        }
    }
}
