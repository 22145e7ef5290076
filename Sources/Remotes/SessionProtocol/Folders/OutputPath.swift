// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The path of a file that is to be written, with every symbolic link at its end followed.
///
/// A file that is complete beside it can take this name: a link stays a link, and leads to the new file.
public struct OutputPath: Sendable, Hashable {
    /// The number of links that the kernel follows as well.
    private static let mostLinks = 40

    public let path: String

    /// Checks what has the path.
    ///
    /// - Parameter replaces: `true` if a file may be replaced; what is neither a file nor a link to one never is.
    public init(_ given: String, replaces: Bool) throws(SessionError) {
        guard !given.isEmpty else { throw SessionError(.usage, "an empty name for a file; give a path") }
        var path = given
        for _ in 0...Self.mostLinks {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                let cause = errno
                guard cause == ENOENT else {
                    throw SessionError(.cannotCreate, "cannot write \(given): \(String(cString: strerror(cause)))")
                }
                self.path = path
                return
            }
            let kind = status.st_mode & S_IFMT
            guard [S_IFREG, S_IFLNK].contains(kind) else {
                let what = kind == S_IFDIR ? "a folder" : "a pipe, a socket or a device"
                throw SessionError(.cannotCreate, "\(given) is \(what); give the name of a file")
            }
            guard replaces else {
                throw SessionError(.cannotCreate, "\(given) exists; give another name, or --force")
            }
            guard kind == S_IFLNK else {
                self.path = path
                return
            }
            guard let target = Self.target(of: path) else {
                throw SessionError(.cannotCreate, "cannot write \(given): \(String(cString: strerror(errno)))")
            }
            path = target.hasPrefix("/") ? target : Self.folder(of: path) + "/" + target
        }
        throw SessionError(.cannotCreate, "cannot write \(given): \(String(cString: strerror(ELOOP)))")
    }

    /// The folder in which the file is to be written.
    public var folder: String { Self.folder(of: path) }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
