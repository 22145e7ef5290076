// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Clocks
import Glibc
import SessionProtocol

/// The desktop's clipboard, which programs of the desktop read.
struct Clipboard {
    /// The text that was copied last.
    struct Content: Equatable {
        var isHTML: Bool
        var bytes: [UInt8]
    }

    static let mostBytes = 16 << 20
    /// The ms that the program which copied has, as it may be busy or stopped.
    private static let limit: Int64 = 5000
    private static let memory: UInt64 = 1 << 30
    private static let seconds: UInt32 = 5

    /// A program, with the arguments for each thing that is asked of it.
    private struct Reader {
        var types: [String]?
        var html: [String]
        var text: [String]
    }

    private static let wayland = Reader(
        types: ["wl-paste", "--list-types"], html: ["wl-paste", "--no-newline", "--type", "text/html"],
        text: ["wl-paste", "--no-newline", "--type", "text"])
    private static let xclip = Reader(
        types: ["xclip", "-selection", "clipboard", "-o", "-t", "TARGETS"],
        html: ["xclip", "-selection", "clipboard", "-o", "-t", "text/html"],
        text: ["xclip", "-selection", "clipboard", "-o"])
    private static let xsel = Reader(types: nil, html: [], text: ["xsel", "--clipboard", "--output"])

    private let deadline = MonotonicTime.milliseconds() + Self.limit

    /// Returns what was copied, in HTML if it is there in that.
    static func read() throws(SessionError) -> Content {
        let hasWayland = isSet("WAYLAND_DISPLAY")
        let hasX = isSet("DISPLAY")
        guard hasWayland || hasX else {
            throw SessionError(
                .unavailable,
                "no clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set; pipe the text into rostrum read -")
        }
        let readers = (hasWayland ? [wayland] : []) + (hasX ? [xclip, xsel] : [])
        let clipboard = Clipboard()
        for reader in readers {
            if let content = try clipboard.content(by: reader) { return content }
        }
        let wanted = hasWayland ? "wl-paste (package wl-clipboard)" : "xclip or xsel"
        throw SessionError(.unavailable, "cannot read the clipboard: there is no \(wanted); install it")
    }

    private static func isSet(_ variable: String) -> Bool { getenv(variable).map { $0.pointee != 0 } ?? false }

    /// Returns `nil` if there is no such program.
    private func content(by reader: Reader) throws(SessionError) -> Content? {
        if let arguments = reader.types {
            guard let types = try output(of: arguments) else { return nil }
            let names = types.split { $0 == 0x0A || $0 == 0x0D }.map {
                String(decoding: $0, as: UTF8.self).lowercased()
            }
            if names.contains(where: { $0 == "text/html" || $0.hasPrefix("text/html;") }),
                let bytes = try output(of: reader.html), Self.hasWords(bytes)
            {
                return Content(isHTML: true, bytes: bytes)
            }
        }
        guard let bytes = try output(of: reader.text) else { return nil }
        guard Self.hasWords(bytes) else {
            throw SessionError(.notFound, "the clipboard has no text: copy some, then try again")
        }
        return Content(isHTML: false, bytes: bytes)
    }

    private static func hasWords(_ bytes: [UInt8]) -> Bool { bytes.contains { $0 > 0x20 } }

    /// Returns what a program prints; `nil` if it is not there.
    ///
    /// One that fails has nothing to print.
    private func output(of arguments: [String]) throws(SessionError) -> [UInt8]? {
        var pipe: [Int32] = [-1, -1]
        guard ctransport_pipe(&pipe) == 0 else { throw Self.failure(errno) }
        defer { close(pipe[0]) }
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let result = gnu_spawn_limited(&words, pipe[1], Self.memory, Self.seconds, &process)
        close(pipe[1])
        guard result == 0 else { throw Self.failure(result) }
        var isOver = false
        defer {
            // A program that serves the clipboard goes on; one that reads it has nothing more to say.
            if !isOver { kill(process, SIGKILL) }
        }
        let bytes: [UInt8]
        do throws(SessionError) {
            bytes = try everything(from: pipe[0], arguments[0])
        } catch {
            kill(process, SIGKILL)
            isOver = true
            _ = Self.status(of: process)
            throw error
        }
        isOver = true
        let status = Self.status(of: process)
        if status == 127 { return nil }
        return status == 0 ? bytes : []
    }

    private func everything(from pipe: Int32, _ program: String) throws(SessionError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let left = deadline - MonotonicTime.milliseconds()
            guard left > 0, gnu_poll_on(&wait, 1, Int32(clamping: left)) > 0 else {
                throw SessionError(
                    .io,
                    "the clipboard does not answer: \(program) took longer than \(Self.limit / 1000) s; copy the text again"
                )
            }
            let count = Glibc.read(pipe, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.mostBytes else {
                throw SessionError(
                    .badContent, "too much in the clipboard: more than \(Self.mostBytes >> 20) MiB; save it to a file")
            }
        }
    }

    /// Returns the exit status; a program that was killed has that of a failure.
    private static func status(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 1 } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 1
    }

    private static func failure(_ code: Int32) -> SessionError {
        SessionError(.io, "cannot read the clipboard: \(String(cString: strerror(code))); check `ulimit -a`")
    }
}

extension Clipboard.Content {
    /// Returns a descriptor of a file in memory that has it; the process has it to its end.
    func descriptor() throws(SessionError) -> Int32 {
        let file = ctransport_memory_descriptor("rostrum-clipboard")
        guard file >= 0 else { throw failure }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            rest = rest.dropFirst(count)
        }
        lseek(file, 0, SEEK_SET)
        return file
    }

    private var failure: SessionError {
        SessionError(.io, "no room for the clipboard: \(String(cString: strerror(errno))); close some programs")
    }

    /// The name, which says the format.
    var name: String { isHTML ? "clipboard.html" : "clipboard.txt" }
}
