// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import JSON
public import PlaybackCore

/// The decisions about engines, stored in `engines.json`.
///
/// The file is small, read as a whole, and replaced as a whole. It may be used from any thread, and by several
/// processes.
public struct EngineRegistry: Sendable, Hashable {
    public let path: String

    public init(path: String) { self.path = path }

    /// The reason why the file could not be written, in one line.
    public struct Failure: Error, Sendable, Hashable {
        public var message: String
    }

    /// The maximum number of bytes that are read.
    private static let limit = 4 << 20

    /// Returns all records; a file that is damaged or unreadable counts as empty, which grants nothing.
    public func records() -> [EngineID: EngineRecord] {
        guard case .whole(let tree) = read(), case .object(let engines)? = tree["engines"] else { return [:] }
        return Dictionary(uniqueKeysWithValues: engines.members.map { (EngineID($0.name), EngineRecord($0.value)) })
    }

    public func record(of id: EngineID) -> EngineRecord { records()[id] ?? EngineRecord() }

    /// Quarantines an engine by the content hash of its module, so that a different module is not quarantined.
    ///
    /// The session calls this.
    @discardableResult
    public func quarantine(
        _ id: EngineID, hash: String, reason: String, since: String = EngineRegistry.now()
    ) throws(Failure) -> String? {
        try update(id) { $0.quarantine = EngineRecord.Quarantine(reason: reason, module: hash, since: since) }
    }

    @discardableResult
    public func clear(_ id: EngineID) throws(Failure) -> String? {
        try update(id) { $0.quarantine = nil }
    }

    /// Changes one record, and nothing else in the file.
    ///
    /// - Returns: A line to show if the file was damaged; it was then renamed, and a new one begun.
    @discardableResult
    public func update(_ id: EngineID, _ change: (inout EngineRecord) -> Void) throws(Failure) -> String? {
        let lock = try lock()
        defer { close(lock) }
        var tree = JSONValue.object(["schema": 1])
        var complaint: String?
        switch read() {
        case .absent: break
        case .whole(let known): tree = known
        case .damaged: complaint = try setAside()
        case .unreadable: throw Failure(message: "\(path) cannot be read, and is left as it is: check its permissions")
        case .newer: throw Failure(message: "\(path) was written by a newer version, and is left as it is: use that")
        }
        var engines = tree["engines"] ?? .object(JSONObject())
        let known = engines[id.rawValue] ?? .object(JSONObject())
        var record = EngineRecord(known)
        change(&record)
        var written = known
        record.write(into: &written)
        engines[id.rawValue] = written == .object(JSONObject()) ? nil : written
        tree["engines"] = engines
        // Do not rewrite an unchanged record: the catalog would be read again for nothing.
        if complaint != nil || written != known { try write(tree) }
        return complaint
    }

    /// Renames the file if it is damaged, so that nothing in it is lost, and returns a line to show; otherwise returns
    /// `nil`.
    public func repair() -> String? {
        guard case .damaged = read(), let lock = try? lock() else { return nil }
        defer { close(lock) }
        guard case .damaged = read() else { return nil }
        do throws(Failure) {
            return try setAside()
        } catch {
            return error.message
        }
    }

    public static func now() -> String { Date().formatted(.iso8601) }

    // MARK: The file

    private enum Reading {
        case absent
        case whole(JSONValue)
        case damaged
        /// The content is unknown, because of the disk, the permissions, or too many open files.
        case unreadable
        /// The file has a schema that this version does not know.
        case newer
    }

    private func read() -> Reading {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return .absent }
        let bytes: [UInt8]
        do throws(FileStatus.Unreadable) {
            guard let read = try FileStatus.contents(of: path, limit: Self.limit) else { return .damaged }
            bytes = read.bytes
        } catch {
            return .unreadable
        }
        guard let tree = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)),
            case .int(let schema)? = tree["schema"], schema >= 1
        else { return .damaged }
        return schema == 1 ? .whole(tree) : .newer
    }

    private func setAside() throws(Failure) -> String {
        var aside = path + ".damaged"
        var number = 1
        while access(aside, F_OK) == 0 {
            number += 1
            aside = "\(path).damaged-\(number)"
        }
        guard rename(path, aside) == 0 else { throw failure("is damaged and cannot be set aside") }
        return "\(path) is damaged: it is now \(aside), and is not used; repeat the decisions about engines"
    }

    private func write(_ tree: JSONValue) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(tree) else { throw Failure(message: "\(path): cannot be encoded") }
        let new = path + ".new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("cannot be written") }
        let bytes = [UInt8](data) + [UInt8(ascii: "\n")]
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let reason = errno
        close(file)
        guard isWritten, rename(new, path) == 0 else {
            if !isWritten { errno = reason }
            let failure = failure("cannot be written")
            unlink(new)
            throw failure
        }
    }

    /// Takes the lock that protects changes to the file; closing the returned descriptor releases it.
    ///
    /// The lock is on the folder, because the file itself is replaced.
    private func lock() throws(Failure) -> Int32 {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw failure("cannot be changed") }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let failure = failure("cannot be changed")
                close(lock)
                throw failure
            }
        }
        return lock
    }

    private func failure(_ what: String) -> Failure {
        Failure(message: "\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
