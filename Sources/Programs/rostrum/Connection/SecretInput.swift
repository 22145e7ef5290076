// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol
import TerminalPlayer

/// Texts that are not shown while they are typed.
enum SecretInput {
    private static let longest = 8192

    /// Reads the first line of standard input.
    static func line(_ what: String) throws(SessionError) -> String {
        guard let text = try line(of: STDIN_FILENO) else { throw SessionError(.usage, "no \(what) on standard input") }
        return text
    }

    /// Asks on the terminal, whatever standard input and output are.
    static func ask(_ question: String, echoes: Bool = false) throws(SessionError) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw SessionError(.usage, "there is no terminal to ask on; give --user and --password-stdin")
        }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else {
            throw SessionError(.io, "the terminal cannot be asked: \(String(cString: strerror(errno)))")
        }
        var settings = before
        // Ctrl-C and Ctrl-Z come as characters: nothing may end the program while the terminal shows no input.
        if !echoes { settings.c_lflag &= ~tcflag_t(ECHO | ISIG | ICANON) }
        tcsetattr(terminal, TCSAFLUSH, &settings)
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        _ = write(terminal, question, question.utf8.count)
        let answer = echoes ? try line(of: terminal) : typed(on: terminal)
        if !echoes { _ = write(terminal, "\n", 1) }
        guard let answer, !answer.isEmpty else { throw SessionError(.usage, "nothing was typed") }
        return answer
    }

    /// Returns what is typed up to Enter, or `nil` if it is given up.
    private static func typed(on terminal: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < longest {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case 0x0A, 0x0D: return String(decoding: bytes, as: UTF8.self)
            // Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\.
            case 0x03, 0x04, 0x1A, 0x1C: return nil
            case 0x15: bytes = []
            case 0x08, 0x7F:
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private static func line(of descriptor: Int32) throws(SessionError) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw SessionError(.io, "standard input: \(String(cString: strerror(errno)))")
            }
            if count == 0 || byte == 0x0A { break }
            bytes.append(byte)
            guard bytes.count <= longest else { throw SessionError(.usage, "more than \(longest) bytes in one line") }
        }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
