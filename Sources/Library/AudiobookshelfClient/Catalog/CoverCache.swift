// SPDX-License-Identifier: Apache-2.0

import CacheFolders
import Glibc
import HTTPExchange

/// The pictures of items on servers: files in a folder of bounded size, named by item and version.
///
/// A picture of a former version of an item is shown while the server cannot be reached.
public actor CoverCache {
    /// The width of a picture in pixels.
    static let width = 400
    private let folder: CacheFolder
    private var running: [String: Task<String?, Never>] = [:]
    /// The pictures that a server did not have, so that it is not asked again while the item stays as it is.
    private var missing: Set<String> = []
    private static let mostMissing = 10_000

    /// Creates the cache without touching the folder.
    public init(folder: String, limit: Int64 = 128 << 20) { self.folder = CacheFolder(path: folder, limit: limit) }

    /// Returns the file with the picture of an item, or `nil` if there is none that can be had.
    ///
    /// - Parameter server: What to ask for the picture; nothing is asked if it is `nil`.
    public func picture(
        of item: String, account: String, updatedAt: Int64, from server: (any ServerExchange)?
    ) async -> String? {
        guard ServerPath.isPart(item) else { return nil }
        let name = Self.name(item, account)
        let file = "\(folder.path)/\(name).\(updatedAt).jpg"
        if access(file, R_OK) == 0 {
            // What is used last is removed last.
            utimes(file, nil)
            return file
        }
        let key = "\(name).\(updatedAt)"
        if let server, !missing.contains(key) {
            let task =
                running[key] ?? Task { await fetch(item, file, name: name, key: key, updatedAt: updatedAt, server) }
            running[key] = task
            let found = await task.value
            running[key] = nil
            if let found { return found }
        }
        return former(name)
    }

    private func fetch(
        _ item: String, _ file: String, name: String, key: String, updatedAt: Int64, _ server: any ServerExchange
    ) async -> String? {
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await server.answer(to: .cover(of: item, width: Self.width, updatedAt: updatedAt))
        } catch {
            return nil
        }
        if answer.status == 404, missing.count < Self.mostMissing { missing.insert(key) }
        guard answer.status == 200, answer.body.starts(with: [0xFF, 0xD8, 0xFF]), folder.make() == nil,
            Self.write(answer.body, to: file)
        else { return nil }
        for old in versions(of: name) where old != file { unlink(old) }
        folder.makeRoom(keeping: name)
        return file
    }

    /// Returns the picture of another version of an item.
    private func former(_ name: String) -> String? { versions(of: name).max() }

    private func versions(of name: String) -> [String] {
        guard let entries = opendir(folder.path) else { return [] }
        defer { closedir(entries) }
        var found: [String] = []
        while let entry = readdir(entries) {
            let file = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if file.hasPrefix(name + "."), file.hasSuffix(".jpg") { found.append("\(folder.path)/\(file)") }
        }
        return found
    }

    /// Returns a name without dots, because the part before the first one is what is kept or removed as a whole.
    private static func name(_ item: String, _ account: String) -> String {
        let name = "\(account)-\(item)".map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
        return String(name)
    }

    /// Writes a file as a whole: it has all bytes, or is not there.
    private static func write(_ bytes: [UInt8], to file: String) -> Bool {
        let draft = "\(file).\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        close(descriptor)
        if written == bytes.count, rename(draft, file) == 0 { return true }
        unlink(draft)
        return false
    }
}
