// SPDX-License-Identifier: Apache-2.0

internal import CLibArchive
internal import Glibc
internal import ReadingText

/// The files in a zip archive.
///
/// They are unpacked into memory, some at a time, within limits.
struct BookArchive {
    enum Source {
        case bytes([UInt8])
        /// A file that can be sought in; its position changes.
        case descriptor(CInt)
    }

    /// The names, each once, in order.
    private(set) var names: [String] = []
    private(set) var warnings: [String] = []
    private var source: Source
    private var limits: ReadingLimits
    /// The members are found without the directory.
    private var isDamaged = false
    /// The places in the archive of names that are read; a later one of the same name is not.
    private var places: [String: Int] = [:]
    private var unpacked = 0

    /// Lists an archive.
    init(_ source: Source, limits: ReadingLimits) throws(DocumentError) {
        self.source = source
        self.limits = limits
        guard try !list() else { return }
        // The directory at the end is lost or wrong, as in a file that was cut: the members tell of themselves.
        var other = self
        (other.isDamaged, other.names, other.places, other.warnings) = (true, [], [:], ["the archive is damaged"])
        _ = try other.list()
        if other.names.count > names.count { self = other }
        guard !names.isEmpty else {
            throw DocumentError(.corrupt, "the archive is empty or damaged; get the file again")
        }
    }

    /// Lists the members.
    ///
    /// Returns `false` if they do not end as they should.
    private mutating func list() throws(DocumentError) -> Bool {
        var refused = 0
        var repeated = 0
        let isWhole = try visit { (index, name, entry) throws(DocumentError) in
            if archive_entry_is_encrypted(entry) != 0 {
                throw DocumentError(.encrypted, "the archive has a password; unpack it and pack it anew without one")
            }
            guard archive_entry_filetype(entry) == 0o100000 else { return true }
            guard let path = MemberPath.normal(name) else {
                refused += 1
                return true
            }
            if places.updateValue(places[path] ?? index, forKey: path) == nil {
                names.append(path)
            } else {
                repeated += 1
            }
            return true
        }
        if refused > 0 { warnings.append("\(refused) files whose names lead out of the archive are not read") }
        if repeated > 0 { warnings.append("\(repeated) files have the name of another and are not read") }
        return isWhole && !names.isEmpty
    }

    func has(_ name: String) -> Bool { places[name] != nil }

    /// Unpacks files.
    ///
    /// One that is damaged is as long as it could be read.
    mutating func read(_ wanted: Set<String>) throws(DocumentError) -> [String: [UInt8]] {
        let wanted = Dictionary(uniqueKeysWithValues: wanted.compactMap { name in places[name].map { ($0, name) } })
        var files: [String: [UInt8]] = [:]
        guard !wanted.isEmpty else { return files }
        var damaged: [String] = []
        var total = unpacked
        let limits = self.limits
        _ = try visit { (index, _, _, archive) throws(DocumentError) in
            guard let name = wanted[index] else { return true }
            let (bytes, isWhole) = try Self.unpack(archive, name, from: total, limits)
            total += bytes.count
            files[name] = bytes
            if !isWhole { damaged.append(name) }
            return files.count < wanted.count
        }
        unpacked = total
        warnings += damaged.map { "\($0) is damaged; what could be unpacked is read" }
        return files
    }

    private static func unpack(
        _ archive: OpaquePointer, _ name: String, from total: Int, _ limits: ReadingLimits
    ) throws(DocumentError) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if limits.isInterrupted() {
                throw DocumentError(.interrupted, "the reading of the archive was interrupted")
            }
            let count = archive_read_data(archive, &buffer, buffer.count)
            guard count > 0 else { return (bytes, count == 0) }
            bytes += buffer[..<count]
            guard bytes.count <= limits.memberSize, total + bytes.count <= limits.unpackedSize else {
                throw DocumentError(.tooLarge, "\(name) in the archive unpacks to more than is read; it may be a trap")
            }
        }
    }

    private func visit(
        _ body: (Int, String, OpaquePointer) throws(DocumentError) -> Bool
    ) throws(DocumentError) -> Bool {
        return try visit { (index, name, entry, _) throws(DocumentError) in try body(index, name, entry) }
    }

    /// Goes through the members until `body` returns `false`.
    ///
    /// Returns `false` if they end by damage.
    private func visit(
        _ body: (Int, String, OpaquePointer, OpaquePointer) throws(DocumentError) -> Bool
    ) throws(DocumentError) -> Bool {
        // Names in other than ASCII need a locale that has them.
        let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        let old = locale.map { uselocale($0) }
        defer {
            if let locale {
                uselocale(old ?? nil)
                freelocale(locale)
            }
        }
        guard let archive = archive_read_new() else { throw DocumentError(.tooLarge, "there is not enough memory") }
        defer { archive_read_free(archive) }
        if isDamaged {
            archive_read_support_format_zip_streamable(archive)
        } else {
            archive_read_support_format_zip(archive)
        }
        switch source {
        case .bytes(let bytes):
            return try bytes.withUnsafeBytes { bytes in
                Result { () throws(DocumentError) in
                    guard archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK else {
                        throw DocumentError(.corrupt, "the file is no zip archive; get it again")
                    }
                    return try each(archive, body)
                }
            }.get()
        case .descriptor(let descriptor):
            guard lseek(descriptor, 0, SEEK_SET) == 0, archive_read_open_fd(archive, descriptor, 1 << 16) == ARCHIVE_OK
            else {
                throw DocumentError(.corrupt, "the file is no zip archive that can be read; get it again")
            }
            return try each(archive, body)
        }
    }

    private func each(
        _ archive: OpaquePointer, _ body: (Int, String, OpaquePointer, OpaquePointer) throws(DocumentError) -> Bool
    ) throws(DocumentError) -> Bool {
        var index = 0
        while true {
            if limits.isInterrupted() {
                throw DocumentError(.interrupted, "the reading of the archive was interrupted")
            }
            var entry: OpaquePointer?
            let result = archive_read_next_header(archive, &entry)
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { return result == ARCHIVE_EOF }
            guard index < limits.members else {
                throw DocumentError(.tooLarge, "the archive has more than \(limits.members) files; it may be a trap")
            }
            let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
            let text = name.map { String(cString: $0) } ?? ""
            guard try body(index, text, entry, archive) else { return true }
            index += 1
        }
    }
}
