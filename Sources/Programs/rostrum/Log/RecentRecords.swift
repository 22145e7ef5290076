// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import SessionProtocol

/// The newest records of the transition log, as text.
enum RecentRecords {
    private static let bytes = 262_144
    private static let most = 500

    /// Returns the lines, the oldest first; none if there is no log.
    static func lines(of path: String) -> [String] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var found = stat()
        guard fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return [] }
        let start = max(0, Int(found.st_size) - bytes)
        var buffer = [UInt8](repeating: 0, count: bytes)
        let count = pread(file, &buffer, bytes, off_t(start))
        guard count > 0 else { return [] }
        var records = buffer[..<count].split(separator: JSONLine.newline)
        if start > 0, !records.isEmpty { records.removeFirst() }
        var printer = TransitionPrinter()
        let text = records.compactMap { TransitionRecord(Array($0)) }.filter { !isDetail($0) }.suffix(most)
            .map { printer.lines($0) }.joined()
        return text.split(separator: "\n").suffix(most).map(String.init)
    }

    /// `true` for the lines that an engine logs for its author.
    private static func isDetail(_ record: TransitionRecord) -> Bool {
        record["kind"]?.string == "engine" && record["action"]?.string == "log" && record["level"]?.string == "debug"
    }
}
