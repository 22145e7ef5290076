// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc
import MediaPlayback

/// Opens the library's file in whatever state it is.
///
/// All calls block, and are made on the store's queue only.
struct LibraryFile {
    let path: String
    /// The wall clock in milliseconds since 1970, for the names of files that are set aside.
    let now: @Sendable () -> Int64
    /// The path of the transition log, which has places that a damaged library may have lost, or `nil` if there is
    /// none.
    var log: String?
    /// Prepares each connection; for tests.
    var prepare: (@Sendable (Database) throws -> Void)?

    struct Opened {
        var database: DatabaseQueue
        var identity: Identity?
        /// The reason why the library is read-only, or `nil` if it is writable.
        var readOnly: PlaceStoreError?
        var warnings: [String] = []
    }

    /// The identity of a file, independent of its name.
    struct Identity: Equatable {
        var device: UInt64
        var inode: UInt64
    }

    /// The identity of the file that is at `path` now, or `nil` if there is none.
    var identity: Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) : nil
    }

    /// Returns `true` if the file does not exist, as opposed to being out of reach.
    ///
    /// The folder is created if possible. The file is missing if its folder exists, or can never be created.
    func isMissing() -> Bool {
        makeFolder()
        var status = stat()
        guard stat(path, &status) != 0, errno == ENOENT, let end = path.lastIndex(of: "/") else { return false }
        return access(String(path[..<end]), R_OK | W_OK | X_OK) == 0 || canNeverBeMade()
    }

    /// Returns `true` if the nearest existing folder belongs to the user and lies on a read-only file system.
    ///
    /// A folder of somebody else may be the mount point of the user's file system, which is not mounted yet.
    private func canNeverBeMade() -> Bool {
        var folder = path[...]
        var status = stat()
        repeat {
            guard let end = folder.lastIndex(of: "/"), end > folder.startIndex else { return false }
            folder = folder[..<end]
            if stat(String(folder), &status) == 0 { break }
        } while errno == ENOENT
        var system = statvfs()
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
            && statvfs(String(folder), &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Opens the library, and replaces it if it is damaged or belongs to another program.
    ///
    /// - Parameter isDamaged: `true` if damage was found in a place that opening the file does not reveal.
    func open(isDamaged: Bool = false) throws(PlaceStoreError) -> Opened {
        makeFolder()
        if isDamaged { return try startAnew(because: "is damaged") }
        do {
            return try openWhatIsThere()
        } catch {
            if Self.isDamage(error) { return try startAnew(because: "is damaged") }
            if error is ForeignFile { return try startAnew(because: "belongs to another program") }
            if let opened = openForReading(after: error) { return opened }
            throw PlaceStoreError(error, doing: "open", path)
        }
    }

    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    private struct ForeignFile: Error {}

    private func openWhatIsThere() throws -> Opened {
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let finding = try database.writeWithoutTransaction(LibrarySchema.inspect)
        switch finding {
        case .foreign: throw ForeignFile()
        case .newer:
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
            let error = PlaceStoreError(
                .newerSchema, "\(path) was made by a newer rostrum; nothing is saved until that version runs again")
            return Opened(database: database, identity: identity, readOnly: error, warnings: [error.message])
        case .ours, .empty:
            // The journal mode is stored in the file, so it is changed only once the file is known to be a library.
            try database.writeWithoutTransaction { db in
                if try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal" {
                    try db.execute(sql: "PRAGMA journal_mode = WAL")
                }
            }
            if try !database.writeWithoutTransaction(LibrarySchema.migrator.hasCompletedMigrations) {
                try LibrarySchema.migrator.migrate(database)
            }
            return Opened(database: database, identity: identity)
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "rostrum.library"
        configuration.busyMode = .timeout(1)
        let prepare = prepare
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA cache_size = -512;
                    PRAGMA mmap_size = 0;
                    PRAGMA wal_autocheckpoint = 256;
                    PRAGMA journal_size_limit = 1048576;
                    PRAGMA synchronous = NORMAL;
                    """)
            try prepare?(db)
        }
        return configuration
    }

    /// Opens a file that cannot be written for reading, unless a write-ahead log holds newer places.
    private func openForReading(after failure: any Error) -> Opened? {
        guard access(path, R_OK) == 0, Self.size(of: path) > 0, Self.size(of: path + "-wal") == 0 else { return nil }
        var configuration = configuration
        configuration.readonly = true
        guard
            let database = try? DatabaseQueue(
                path: "file://\(Self.percentEncoded(path))?immutable=1", configuration: configuration),
            case .ours? = try? database.read(LibrarySchema.inspect)
        else { return nil }
        let error = PlaceStoreError(failure, doing: "write", path)
        return Opened(database: database, identity: identity, readOnly: error, warnings: [error.message])
    }

    /// Sets the file aside, creates a new one, and copies what can still be read.
    private func startAnew(because reason: String) throws(PlaceStoreError) -> Opened {
        let aside = try setAside(because: reason)
        do {
            var opened = try openWhatIsThere()
            var warning = "\(path) \(reason): kept as \(aside), a new one was made"
            let (rows, wasLibrary) = Salvage(from: aside).copy(into: opened.database)
            if rows > 0 { warning += ", with \(rows) of its rows" }
            let places = log.map { LoggedPlaces(path: $0).copy(into: opened.database) } ?? 0
            if places > 0 { warning += ", \(places) of its places from the log" }
            if wasLibrary { warning += "; `rostrum library rescan` looks for books that may be missing" }
            opened.warnings.append(warning)
            return opened
        } catch {
            throw PlaceStoreError(error, doing: "make", path)
        }
    }

    private func setAside(because reason: String) throws(PlaceStoreError) -> String {
        var aside = "\(path).damaged-\(Self.timestamp(milliseconds: now()))"
        var attempt = 1
        while access(aside, F_OK) == 0 {
            attempt += 1
            aside = "\(path).damaged-\(Self.timestamp(milliseconds: now()))-\(attempt)"
        }
        guard rename(path, aside) == 0 else {
            throw PlaceStoreError(.unavailable, "\(path) \(reason) and cannot be set aside; move it away")
        }
        // The write-ahead log belongs to this file. SQLite would take it for the log of the new file.
        if rename(path + "-wal", aside + "-wal") != 0 && errno != ENOENT {
            rename(aside, path)
            throw PlaceStoreError(.unavailable, "\(path)-wal cannot be set aside; move it away with \(path)")
        }
        unlink(path + "-shm")
        return aside
    }

    private func makeFolder() {
        for (index, byte) in zip(path.utf8.indices, path.utf8) where byte == UInt8(ascii: "/") {
            let folder = String(path[..<index])
            if !folder.isEmpty { mkdir(folder, 0o700) }
        }
    }

    /// Percent-encodes a path for a file URI.
    private static func percentEncoded(_ path: String) -> String {
        var encoded = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += (digits.count < 2 ? "%0" : "%") + digits
            }
        }
        return encoded
    }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func timestamp(milliseconds: Int64) -> String {
        var time = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = buffer.withUnsafeMutableBytes { bytes in
            strftime(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "%Y%m%dT%H%M%SZ", &parts)
        }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
