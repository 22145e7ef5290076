// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol
import TerminalPlayer

/// The display of downloads that are awaited: a bar for each in a terminal, or a line when one is over.
final class DownloadWatch {
    /// The time between two looks, in milliseconds.
    private static let pause: Int32 = 400

    let hasTerminal: Bool
    private let items: [String]
    private let json: Bool
    private var drawn = 0
    private var told: Set<String> = []

    init(items: [String], json: Bool) {
        self.items = items
        self.json = json
        hasTerminal = !json && isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        if hasTerminal { gnu_use_unicode_characters() }
    }

    /// Returns when every item is downloaded or in error; throws if one is in error.
    func run() throws(SessionError) {
        var signals = Signals()
        let connection = try Session.runningOrStarted()
        while true {
            let result = try connection.call(.command(.downloads(DownloadsAction(.list))), seconds: 60)
            let page = try decoded(result, as: DownloadPage.self)
            let ours = page.downloads.filter { items.contains($0.id) }
            try show(ours)
            if ours.allSatisfy({ $0.state == .downloaded || $0.state == .error }) { return try finish(ours) }
            var waits: [pollfd] = []
            for signal in signals.wait(&waits, timeoutMs: Self.pause) where signal != SIGWINCH && signal != SIGCONT {
                if Signals.ending.contains(signal) {
                    StandardError.write(SessionError(.busy, "goes on downloading; see `rostrum download list`"))
                }
                signals.passOn(signal)
                drawn = 0
            }
        }
    }

    private func finish(_ downloads: [DownloadInfo]) throws(SessionError) {
        let faulty = downloads.filter { $0.state == .error }
        guard let first = faulty.first else {
            guard downloads.count == items.count else { throw SessionError(.busy, "a download was cancelled") }
            return
        }
        throw SessionError(.io, first.reason ?? "\(first.title): not downloaded")
    }

    private func show(_ downloads: [DownloadInfo]) throws(SessionError) {
        guard hasTerminal else {
            for download in downloads where download.state == .downloaded || download.state == .error {
                guard told.insert(download.id).inserted else { continue }
                try DownloadPage(downloads: [download], bytes: 0).show(json: json)
            }
            return
        }
        let columns = Self.columns()
        var text = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        for download in downloads { text += "\r\u{1B}[K" + DownloadBar(download, columns: columns).text + "\n" }
        drawn = downloads.count
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func columns() -> Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// One download in one line of a terminal.
struct DownloadBar {
    let text: String

    init(_ download: DownloadInfo, columns: Int) {
        let width = max(10, min(30, columns / 3))
        let part = download.state == .downloaded ? 100 : download.percent
        let done = width * part / 100
        let bar = "[" + String(repeating: "=", count: done) + String(repeating: " ", count: width - done) + "]"
        let size =
            download.totalBytes.map { "\(DownloadSize.text(download.bytes)) / \(DownloadSize.text($0))" }
            ?? DownloadSize.text(download.bytes)
        let state =
            switch download.state {
            case .downloading: ""
            case .queued: "  queued"
            case .downloaded: "  downloaded"
            case .error: "  error"
            }
        let reason = download.reason.map { "  \($0)" } ?? ""
        text = "\(bar)  \(size)  \(download.title)\(state)\(reason)".printable.fitted(to: max(1, columns - 1))
    }
}
