// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Glibc
import TerminalPlayer

/// A run of `chafa`, which turns a picture into characters.
///
/// Pictures come from foreign files, so they are decoded in a process of their own, with limits and a deadline, which does
/// not outlive this one.
final class PictureProcess {
    /// The ms after which it is given up.
    private static let limit: Int64 = 5000
    /// The limits of its memory in bytes and of its processor time in seconds.
    private static let memory: UInt64 = 768 << 20
    private static let seconds: UInt32 = 5
    private static let mostBytes = 1 << 20

    let descriptor: Int32
    /// The monotonic time in ms at which it is given up.
    let deadline: Int64
    private let process: pid_t
    private let path: String
    private let columns: Int
    private let rows: Int
    private var bytes: [UInt8] = []

    /// Starts it; `nil` if the system has no room.
    ///
    /// Without `chafa`, the picture turns out to be empty.
    init?(path: String, columns: Int, rows: Int, colours: Int, isUnicode: Bool, now: Int64) {
        self.path = path
        self.columns = columns
        self.rows = rows
        deadline = now + Self.limit
        var pipe: [Int32] = [-1, -1]
        guard path.hasPrefix("/"), ctransport_pipe(&pipe) == 0 else { return nil }
        let palette = colours >= 256 ? "256" : colours >= 16 ? "16" : colours >= 8 ? "8" : "none"
        let arguments: [String] = [
            "chafa", "--format", "symbols", "--animate", "off", "--polite", "on", "--symbols",
            isUnicode ? "vhalf+space" : "ascii", "--colors", palette, "--size", "\(columns)x\(rows)", path,
        ]
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let result = gnu_spawn_limited(&words, pipe[1], Self.memory, Self.seconds, &process)
        close(pipe[1])
        guard result == 0 else {
            close(pipe[0])
            return nil
        }
        descriptor = pipe[0]
        self.process = process
    }

    deinit {
        close(descriptor)
        // ``PlayerSession/reap()`` takes its status; nobody waits for it.
        kill(process, SIGKILL)
    }

    /// Reads what has come; returns the picture at its end, or if the process has been given up.
    func read(now: Int64) -> Picture? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while now < deadline, bytes.count < Self.mostBytes {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return nil }
            guard count > 0 else {
                return Picture(
                    path: path, columns: columns, rows: rows,
                    cells: PictureParser.cells(of: bytes, columns: columns, rows: rows))
            }
            bytes += buffer[..<count]
        }
        return Picture(path: path, columns: columns, rows: rows, cells: [])
    }
}
