// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A copy operation for a folder of plain files, whose modes let no other user write to the copy.
///
/// It refuses everything that is neither file nor folder, set-id bits, and whatever others could be changing meanwhile.
struct EngineCopy {
    typealias Failure = EngineInstaller.Failure

    /// `true` if the source was unpacked from an archive by this program.
    ///
    /// The modes are then those of the author's machine, and the owners have no meaning.
    var isUnpacked: Bool
    private var entries = 0
    private var bytes: Int64 = 0

    static let mostEntries = 4096
    static let mostBytes: Int64 = 2 << 30
    private static let deepest = 16

    init(isUnpacked: Bool) { self.isUnpacked = isUnpacked }

    mutating func copy(_ source: String, to target: String, depth: Int = 0) throws(Failure) {
        var status = stat()
        guard lstat(source, &status) == 0 else { throw EngineInstaller.failure(.notFound, "cannot read \(source)") }
        try check(status, source)
        entries += 1
        guard entries <= Self.mostEntries, depth <= Self.deepest else {
            throw Failure(
                .badContent, "\(source): an engine has at most \(Self.mostEntries) files, \(Self.deepest) deep")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return try copyFile(source, to: target, status) }
        guard mkdir(target, 0o755) == 0, chmod(target, 0o755) == 0 else {
            throw EngineInstaller.failure(.cannotCreate, "cannot create \(target)")
        }
        for name in FileStatus.names(in: source) where name != "." && name != ".." {
            try copy("\(source)/\(name)", to: "\(target)/\(name)", depth: depth + 1)
        }
    }

    private func check(_ status: stat, _ path: String) throws(Failure) {
        switch status.st_mode & S_IFMT {
        case S_IFDIR, S_IFREG: break
        case S_IFLNK:
            throw Failure(.notPermitted, "\(path) is a link; an engine is installed with the files themselves")
        default: throw Failure(.notPermitted, "\(path) is neither a file nor a folder")
        }
        guard status.st_mode & 0o6000 == 0 else {
            throw Failure(.notPermitted, "\(path) has a set-id bit: chmod u-s,g-s")
        }
        guard status.st_mode & (isUnpacked ? 0o002 : 0o022) == 0 else {
            throw Failure(.notPermitted, "\(path) may be written by others: chmod go-w")
        }
        guard isUnpacked || status.st_uid == 0 || status.st_uid == getuid() else {
            throw Failure(.notPermitted, "\(path) belongs to another user")
        }
        guard status.st_mode & S_IFMT == S_IFDIR || status.st_nlink == 1 || !isUnpacked else {
            throw Failure(.notPermitted, "\(path) is a hard link")
        }
    }

    private mutating func copyFile(_ source: String, to target: String, _ status: stat) throws(Failure) {
        bytes += Int64(status.st_size)
        guard bytes <= Self.mostBytes else {
            throw Failure(.badContent, "\(source): an engine has at most \(Self.mostBytes >> 20) MiB")
        }
        let from = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard from >= 0 else { throw EngineInstaller.failure(.notPermitted, "cannot read \(source)") }
        defer { close(from) }
        let mode: mode_t = status.st_mode & 0o111 == 0 ? 0o644 : 0o755
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard to >= 0 else { throw EngineInstaller.failure(.cannotCreate, "cannot create \(target)") }
        defer { close(to) }
        var left = Int64(status.st_size)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while left > 0 {
            let count = read(from, &buffer, min(buffer.count, Int(left)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw EngineInstaller.failure(.notPermitted, "cannot read \(source)") }
            guard write(to, buffer, count) == count else {
                throw EngineInstaller.failure(.cannotCreate, "cannot write \(target)")
            }
            left -= Int64(count)
        }
        guard fchmod(to, mode) == 0, fsync(to) == 0 else {
            throw EngineInstaller.failure(.cannotCreate, "cannot write \(target)")
        }
    }
}
