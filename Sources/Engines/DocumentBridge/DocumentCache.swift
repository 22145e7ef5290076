// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import CacheFolders
import DocumentOrders
import Glibc
import MediaPlayback
import SpeechScript

/// The folder with what was made of documents, of bounded size.
///
/// A draft has no name until it is complete, so a kill leaves nothing. Nothing in the folder is trusted: a script file that is
/// damaged is refused by its reader, and made anew. What was used longest ago is removed first.
struct DocumentCache: Sendable {
    /// The reading text and the script of a document.
    struct Files {
        var text: SharedDescriptor
        var script: SharedDescriptor

        /// The size of the text in bytes; `nil` if its disk does not tell it.
        var textSize: Int? {
            var status = stat()
            return fstat(text.rawValue, &status) == 0 ? Int(status.st_size) : nil
        }

        /// `true` if the script is the whole one of this text.
        var areComplete: Bool {
            guard let textSize, let reader = try? ScriptFileReader(descriptor: script.rawValue) else { return false }
            return reader.isComplete(ofTextOf: textSize)
        }
    }

    private let files: CacheFolder
    private var folder: String { files.path }

    /// - Parameter limit: The total size of all files, in bytes.
    init(folder: String, limit: Int64 = 512 << 20) { files = CacheFolder(path: folder, limit: limit) }

    /// Returns the key of a document with what it is made with; `nil` for a pipe.
    ///
    /// A file is known by its inode and the time of its last change, which no program can set back.
    static func key(of descriptor: Int32, _ order: DocumentOrder, _ dictionary: Int32?) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var words = [UInt64(DocumentOrder.version)] + identity(status)
        if let dictionary {
            var other = stat()
            guard fstat(dictionary, &other) == 0 else { return nil }
            words += identity(other)
        }
        // FNV-1a of the order: the name decides the format of some files.
        words.append(order.encoded.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        return words.map { String($0, radix: 36) }.joined(separator: "-")
    }

    private static func identity(_ status: stat) -> [UInt64] {
        [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(clamping: status.st_size),
            UInt64(bitPattern: Int64(status.st_ctim.tv_sec)), UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ]
    }

    private static let longestFault = 4096

    /// Returns the line that says why a document cannot be read, as a program found out before.
    ///
    /// - Parameter program: The program that reads documents: another version of it may be able to.
    func fault(_ key: String, of program: String) -> String? {
        guard let name = faultName(key, program) else { return nil }
        let raw = Glibc.open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard raw >= 0 else { return nil }
        defer { close(raw) }
        futimens(raw, nil)
        var bytes = [UInt8](repeating: 0, count: Self.longestFault)
        let count = read(raw, &bytes, bytes.count)
        guard count > 0, let line = String(validating: bytes.prefix(count), as: UTF8.self),
            line.last == "\n", !line.dropLast().contains(where: \.isNewline)
        else { return nil }
        return String(line.dropLast())
    }

    /// Keeps the reason why a document cannot be read.
    func keep(fault: String, of key: String, _ program: String) {
        let line = Array((fault.map { $0.isNewline ? " " : $0 } + "\n").utf8)
        guard line.count <= Self.longestFault, let name = faultName(key, program) else { return }
        let raw = gnu_open_nameless(folder, 0o600)
        guard raw >= 0 else { return }
        defer { close(raw) }
        guard write(raw, line, line.count) == line.count else { return }
        let path = "\(folder)/\(name)"
        unlink(path)
        _ = gnu_link_nameless(raw, path)
        files.makeRoom(keeping: key)
    }

    private func faultName(_ key: String, _ program: String) -> String? {
        var status = stat()
        guard stat(program, &status) == 0 else { return nil }
        return key + "." + Self.identity(status).map { String($0, radix: 36) }.joined(separator: "-") + ".fault"
    }

    func open(_ key: String) -> Files? {
        let opened = ["text", "script"].compactMap { ending -> SharedDescriptor? in
            let raw = Glibc.open("\(folder)/\(key).\(ending)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard raw >= 0 else { return nil }
            let descriptor = SharedDescriptor(owning: raw)
            var status = stat()
            guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            // Marks the file as just used.
            futimens(raw, nil)
            return descriptor
        }
        guard opened.count == 2 else { return nil }
        let files = Files(text: opened[0], script: opened[1])
        return files.areComplete ? files : nil
    }

    /// Returns two empty files without a name.
    func begin(_ name: String) throws(ItemError) -> Files {
        _ = files.make()
        return Files(text: try draft(name), script: try draft(name))
    }

    private func draft(_ name: String) throws(ItemError) -> SharedDescriptor {
        var raw = gnu_open_nameless(folder, 0o600)
        // A disk that is full or read-only keeps nothing; memory does.
        if raw < 0 { raw = ctransport_memory_descriptor("rostrum-document") }
        guard raw >= 0 else {
            throw ItemError(.unreadable, "\(name): no room for what is read: \(String(cString: strerror(errno)))")
        }
        return SharedDescriptor(owning: raw)
    }

    /// Keeps a complete draft, if the disk does; returns files that cannot be written to any more where that is possible.
    func keep(_ draft: Files, as key: String) -> Files {
        for (file, ending) in [(draft.text, "text"), (draft.script, "script")] {
            let path = "\(folder)/\(key).\(ending)"
            unlink(path)
            // A name must not survive a power cut that the content does not.
            fdatasync(file.rawValue)
            guard gnu_link_nameless(file.rawValue, path) == 0 else { return draft }
        }
        files.makeRoom(keeping: key)
        return open(key) ?? draft
    }
}
