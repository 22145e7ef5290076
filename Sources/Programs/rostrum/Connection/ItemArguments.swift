// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol

/// The items of a command line in a form that the session understands.
///
/// They are absolute paths, URLs, and file descriptors for what only this process can open.
struct ItemArguments {
    static let descriptorLimit = 8
    /// The timeout in seconds for a pipe without a writer, equal to the default of the session's `loadLimit`.
    private static let writerLimit: UInt32 = 10

    private(set) var items: [String] = []
    private(set) var names: [String] = []
    private(set) var descriptors: [Int32] = []
    /// `true` if what is no file may name a document of the reading list.
    private var mayBeListed = false

    /// - Parameters:
    ///   - isPlayed: Whether the items are played; if not, they must be paths on this machine.
    ///   - isRead: Whether they are texts, which may be named as the reading list names them.
    init(_ arguments: [String], isPlayed: Bool = true, isRead: Bool = false) throws(SessionError) {
        mayBeListed = isRead
        for argument in arguments {
            if isPlayed, argument.isBookID {
                // Only the session knows whether such a book exists, or a text whose title has that word.
                let prefix = isRead ? ReadingName.prefix : "library:"
                items.append(argument.hasPrefix("library:") ? argument : prefix + argument)
            } else {
                try add(argument, isPlayed: isPlayed)
            }
        }
    }

    /// Takes what was copied last in place of a file.
    init(_ clipboard: Clipboard.Content) throws(SessionError) {
        try pass(try clipboard.descriptor(), name: clipboard.name)
    }

    /// Takes words that a pipe holds.
    init(_ words: SpokenWordsInput) throws(SessionError) {
        try pass(try words.pipe(), name: SpokenWordsInput.name)
    }

    private mutating func add(_ argument: String, isPlayed: Bool) throws(SessionError) {
        if mayBeListed, argument.hasPrefix(ReadingName.prefix) { return items.append(argument) }
        if isPlayed, argument.hasPrefix(PodcastName.prefix) { return items.append(argument) }
        if isPlayed, argument == "-" { return try pass(STDIN_FILENO, name: "standard input") }
        let path: String
        switch argument.scheme {
        case "http" where isPlayed, "https" where isPlayed: return items.append(argument)
        case "file": path = try Self.path(ofFileURL: argument)
        case let scheme? where access(argument, F_OK) != 0:
            throw SessionError(.badContent, "unsupported address: \(scheme)://…; give a file or an http(s) URL")
        default: path = argument
        }

        var found = stat()
        guard stat(path, &found) == 0 else {
            if errno == EACCES { throw Self.unreadable(path) }
            // Only the session knows the episodes that there are.
            if isPlayed, path == argument, PodcastName.isPossible(argument) {
                return items.append(PodcastName.prefix + argument)
            }
            // Only the session knows the documents that are kept.
            if mayBeListed, path == argument, ReadingName.isPossible(argument) {
                return items.append(ReadingName.prefix + argument)
            }
            throw SessionError(.notFound, "no such file: \(path.isEmpty ? "empty name" : path); check the name")
        }
        let isFolder = found.st_mode & S_IFMT == S_IFDIR
        if isPlayed, found.st_mode & S_IFMT == S_IFIFO || Self.isDescriptorPath(path) {
            return try pass(try Self.openPipe(path), name: path)
        }
        guard access(path, isFolder ? R_OK | X_OK : R_OK) == 0 else { throw Self.unreadable(path) }
        items.append(Self.absolute(path))
    }

    private mutating func pass(_ descriptor: Int32, name: String) throws(SessionError) {
        guard descriptors.count < Self.descriptorLimit else {
            throw SessionError(.usage, "too many pipes: more than \(Self.descriptorLimit); give files")
        }
        items.append("descriptor:\(descriptors.count)")
        names.append(name)
        descriptors.append(descriptor)
    }

    /// Opens a pipe once a program has opened it for writing.
    ///
    /// `open` blocks until then, and an alarm interrupts it. If it were opened without blocking, a pipe that nothing
    /// has been
    /// written into yet could not be told from one that is at its end.
    private static func openPipe(_ path: String) throws(SessionError) -> Int32 {
        var (action, before) = (sigaction(), sigaction())
        // `signal` is not used, because the system call would be restarted.
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGALRM, &action, &before)
        alarm(writerLimit)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let cause = errno
        alarm(0)
        sigaction(SIGALRM, &before, nil)
        guard descriptor < 0 else { return descriptor }
        errno = cause
        guard cause == EINTR else { throw unreadable(path) }
        throw SessionError(
            .io, "nobody writes into the pipe: \(path), for \(writerLimit) s; start what writes, then try again")
    }

    private static func unreadable(_ path: String) -> SessionError {
        SessionError(.badContent, "unreadable: \(path): \(String(cString: strerror(errno))); check its permissions")
    }

    private static func isDescriptorPath(_ path: String) -> Bool {
        path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
    }

    static func path(ofFileURL text: String) throws(SessionError) -> String {
        guard let url = URL(string: text), url.isFileURL, !url.path.isEmpty else {
            throw SessionError(.notFound, "no such file: \(text); check the address")
        }
        return url.path
    }

    /// Returns an absolute path whose folder is resolved.
    ///
    /// The file's own name is kept, because a link has a name that the user chose.
    static func absolute(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let isNamed = !name.isEmpty && name != "." && name != ".." && !path.hasSuffix("/")
        guard isNamed else { return resolved(path) ?? path }
        let folder = path.dropLast(name.utf8.count == 0 ? 0 : name.count)
        guard let base = resolved(folder.isEmpty ? "." : String(folder)) else { return path }
        return base == "/" ? base + name : base + "/" + name
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

extension String {
    /// `true` for `library:ID`, and for eight digits and letters that do not name a file here.
    var isBookID: Bool {
        if hasPrefix("library:") { return true }
        let isID = utf8.count == 8 && utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
        return isID && access(self, F_OK) != 0
    }

    /// The lower-case scheme, such as `http` of `http://…`; `nil` for a path.
    fileprivate var scheme: String? {
        guard let end = utf8.firstRange(of: "://")?.lowerBound else { return nil }
        let scheme = self[..<end]
        let isScheme = scheme.utf8.allSatisfy {
            (97...122).contains($0 | 0x20) || (48...57).contains($0) || "+-.".utf8.contains($0)
        }
        return isScheme && !scheme.isEmpty ? scheme.lowercased() : nil
    }
}

extension String.UTF8View {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].starts(with: text.utf8) { return start..<index(start, offsetBy: text.utf8.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
