// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc

/// A line in the terminal that says how much of a download is there; without a terminal, none.
final class DownloadProgress {
    private static let interval: Int64 = 100

    private let title: String
    private let size: Int64
    private let isShown = isatty(STDERR_FILENO) == 1
    /// The time of the last line, in milliseconds.
    private var drawn: Int64?

    init(_ title: String, size: Int64) {
        self.title = title
        self.size = size
    }

    /// Notes how many bytes are there.
    func take(_ bytes: Int64) {
        guard isShown else { return }
        let now = MonotonicTime.milliseconds()
        guard bytes >= size || drawn.map({ now - $0 >= Self.interval }) ?? true else { return }
        drawn = now
        let percent = min(100, bytes * 100 / max(1, size))
        VoicesProgram.write(STDERR_FILENO, "\r\(title): \(percent)% of \(size / 1_000_000) MB ")
    }

    /// Ends the line.
    func end() {
        if drawn != nil { VoicesProgram.write(STDERR_FILENO, "\n") }
    }
}
