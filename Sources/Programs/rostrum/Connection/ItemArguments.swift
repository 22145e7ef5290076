// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol

/// What a listener named, as the session can find it: absolute paths, URLs, and descriptors for what only this
/// process can open.
struct ItemArguments {
    static let descriptorLimit = 8
    /// Seconds; as long as a session waits for an item to open (`loadLimit`), unless its settings say otherwise.
    private static let writerLimit: UInt32 = 10

    private(set) var items: [String] = []
    private(set) var names: [String] = []
    private(set) var descriptors: [Int32] = []

    /// - Parameter isPlayed: false: to be looked at, by the paths of this machine alone.
    init(_ arguments: [String], isPlayed: Bool = true) throws(SessionError) {
        for argument in arguments {
            if isPlayed, argument.isBookID {
                // Only the session knows whether there is such a book.
                items.append(argument.hasPrefix("library:") ? argument : "library:" + argument)
            } else {
                try add(argument, isPlayed: isPlayed)
            }
        }
    }

    private mutating func add(_ argument: String, isPlayed: Bool) throws(SessionError) {
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

    /// Opens a pipe once somebody writes into it.
    ///
    /// The kernel waits for that writer, and an alarm ends the wait; opened without waiting, a pipe that nobody has
    /// written into yet could not be told from one that is at its end.
    private static func openPipe(_ path: String) throws(SessionError) -> Int32 {
        var (action, before) = (sigaction(), sigaction())
        // Not through `signal`, after which the call would begin again.
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

    private static func path(ofFileURL text: String) throws(SessionError) -> String {
        guard let url = URL(string: text), url.isFileURL, !url.path.isEmpty else {
            throw SessionError(.notFound, "no such file: \(text); check the address")
        }
        return url.path
    }

    /// The folder is resolved, the file's own name is kept: a link is a name that the listener chose.
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
    /// `library:ID`, or eight digits and letters that are no file here.
    fileprivate var isBookID: Bool {
        if hasPrefix("library:") { return true }
        let isID = utf8.count == 8 && utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
        return isID && access(self, F_OK) != 0
    }

    /// `http` of `http://…`, lowercase; nil for a path.
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
