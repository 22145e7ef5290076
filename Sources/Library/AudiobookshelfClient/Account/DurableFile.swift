// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Glibc

/// A small file that only its owner reads, and that is replaced whole or not at all.
struct DurableFile: Sendable {
    let path: String
    private let queue = BlockingQueue(label: "rostrum.accounts")
    private static let mostBytes = 4 << 20
    private static let patience = Duration.seconds(20)

    init(_ path: String) { self.path = path }

    /// Runs what reads and writes the file on a thread of its own, one after the other.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (DurableFile) throws(CredentialFailure) -> Value
    ) async throws(CredentialFailure) -> Value {
        let outcome = await queue.run(within: Self.patience) { () -> Result<Value, CredentialFailure> in
            do throws(CredentialFailure) {
                return .success(try work(self))
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw CredentialFailure("\(path): the disk does not answer") }
        return try outcome.get()
    }

    /// Returns the content, or `nil` if there is no file.
    func read() throws(CredentialFailure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
            guard bytes.count <= Self.mostBytes else { throw CredentialFailure("\(path): too large") }
        }
    }

    /// Replaces the content; when it returns, that is on the disk.
    func write(_ bytes: [UInt8]) throws(CredentialFailure) {
        let draft = path + ".new"
        // A draft that was left behind may have another owner's rights.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure() }
        var rest = bytes[...]
        var isWhole = fchmod(file, 0o600) == 0
        while isWhole, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isWhole = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        isWhole = isWhole && fsync(file) == 0
        let code = errno
        guard close(file) == 0, isWhole, rename(draft, path) == 0, syncFolder() else {
            let reason = CredentialFailure("\(path): \(String(cString: strerror(isWhole ? errno : code)))")
            unlink(draft)
            throw reason
        }
    }

    private func syncFolder() -> Bool {
        let folder = open(
            path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return fsync(folder) == 0
    }

    private func failure() -> CredentialFailure { CredentialFailure("\(path): \(String(cString: strerror(errno)))") }
}
