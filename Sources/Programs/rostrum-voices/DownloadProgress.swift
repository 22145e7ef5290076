// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import Synchronization

/// A line in the terminal that says how much of a download is there; without a terminal, none.
final class DownloadProgress: Sendable {
    private let title: String
    private let file: Int32
    private let size: Int64
    private let isOver = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)

    init(_ title: String, file: Int32, size: Int64) {
        self.title = title
        self.file = file
        self.size = size
    }

    func start() {
        guard isatty(STDERR_FILENO) == 1 else {
            hasEnded.store(true, ordering: .releasing)
            return
        }
        let result = ctransport_start_thread(
            { context in
                guard let context else { return nil }
                Unmanaged<DownloadProgress>.fromOpaque(context).takeRetainedValue().show()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        if result != 0 {
            Unmanaged.passUnretained(self).release()
            hasEnded.store(true, ordering: .releasing)
        }
    }

    private func show() {
        while !isOver.load(ordering: .acquiring) {
            draw()
            usleep(200_000)
        }
        draw()
        write("\n")
        hasEnded.store(true, ordering: .releasing)
    }

    private func draw() {
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        let percent = min(100, Int64(status.st_size) * 100 / max(1, size))
        write("\r\(title): \(percent)% of \(size / 1_000_000) MB ")
    }

    private func write(_ text: String) { _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) } }

    /// Returns when the last line is written.
    func end() {
        isOver.store(true, ordering: .releasing)
        while !hasEnded.load(ordering: .acquiring) { usleep(10_000) }
    }
}
