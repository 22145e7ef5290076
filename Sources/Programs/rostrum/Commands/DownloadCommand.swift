// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

/// The commands of downloads.
struct DownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Keep books and episodes on this machine: add, list, cancel, remove and verify them.",
        discussion: "What is downloaded is played without its server. Files at the server are never touched.",
        subcommands: [
            DownloadListCommand.self, DownloadAddCommand.self, DownloadCancelCommand.self, DownloadRemoveCommand.self,
            DownloadVerifyCommand.self,
        ], defaultSubcommand: DownloadListCommand.self)
}

struct DownloadListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the downloads in the order of asking, with how far each is.")
    @Flag(help: "Print JSON Lines, one object per download.")
    var json = false

    func run() throws {
        let page = try DownloadRequest.send(DownloadsAction(.list))
        if page.downloads.isEmpty, !json {
            return try StandardOutput.write("no downloads yet; add one with `rostrum download add ITEM`\n")
        }
        try page.show(json: json)
        if !json { try StandardOutput.write("\(DownloadSize.text(page.bytes)) on this machine\n") }
    }
}

struct DownloadAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Download items, one after the other.",
        discussion: """
            An item that failed is tried again, and goes on where it was. In a terminal the progress is shown; Ctrl-C \
            ends that, and not the download.
            """)
    @Argument(help: "Books and episodes of servers, or http(s) addresses.")
    var items: [String]
    @Flag(help: "Wait until everything is downloaded, also outside of a terminal.")
    var wait = false
    @Flag(help: "Print JSON Lines, one object per download.")
    var json = false

    func run() throws {
        var added: [DownloadInfo] = []
        for item in items { added += try DownloadRequest.send(DownloadsAction(.add, id: item)).downloads }
        let watch = DownloadWatch(items: added.map(\.id), json: json)
        guard wait || watch.hasTerminal else {
            return try DownloadPage(downloads: added, bytes: 0).show(json: json)
        }
        try watch.run()
    }
}

struct DownloadCancelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stop downloading an item, and remove what there is of it.")
    @Argument(help: "The item, as it is listed.")
    var item: String

    func run() throws {
        let page = try DownloadRequest.send(DownloadsAction(.cancel, id: item))
        try StandardOutput.write(page.downloads.map { "cancelled: \($0.title.printable)\n" }.joined())
    }
}

struct DownloadRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an item from this machine; its place is kept.")
    @Argument(help: "The item, as it is listed.")
    var item: String

    func run() throws {
        let page = try DownloadRequest.send(DownloadsAction(.remove, id: item))
        try StandardOutput.write(page.downloads.map { "removed: \($0.title.printable)\n" }.joined())
    }
}

struct DownloadVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that every file is there, and that its beginning and its end play.")
    @Argument(help: "The item, as it is listed; all without one.")
    var item: String?
    @Flag(help: "Print JSON Lines, one object per download.")
    var json = false

    func run() throws {
        let page = try DownloadRequest.send(DownloadsAction(.verify, id: item ?? ""), seconds: 3600)
        try page.show(json: json)
        let faulty = page.downloads.filter { $0.state == .error }
        guard faulty.isEmpty else {
            throw SessionError(.badContent, "\(faulty.count) of \(page.downloads.count) downloads are not complete")
        }
    }
}

/// A request about downloads.
enum DownloadRequest {
    static func send(_ action: DownloadsAction, seconds: Int32 = 60) throws(SessionError) -> DownloadPage {
        let command = SessionCommand.downloads(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: seconds)
        return try decoded(result, as: DownloadPage.self)
    }
}

extension DownloadPage {
    func show(json: Bool) throws(SessionError) {
        var bytes: [UInt8] = []
        for download in downloads {
            bytes += json ? try JSONLine.encode(download) : Array((download.line.printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
    }
}

extension DownloadInfo {
    /// One line: how far it is, what it is, and why it does not go on.
    var line: String {
        let size = DownloadSize.text(totalBytes ?? bytes)
        let name = [title, author].compactMap(\.self).joined(separator: " - ")
        let progress =
            switch state {
            case .downloaded: "downloaded"
            case .downloading: "\(percent)%"
            case .queued: "queued"
            case .error: "error"
            }
        let padded = progress + String(repeating: " ", count: max(0, 10 - progress.utf8.count))
        let named = title == id ? name : "\(name)  \(id)"
        return "\(padded)  \(size)  \(named)" + (reason.map { "  (\($0))" } ?? "")
    }

    /// The share that is there, of 100; 100 only of what is downloaded.
    var percent: Int {
        guard let totalBytes, totalBytes > 0 else { return 0 }
        return min(99, max(0, Int(Double(bytes) / Double(totalBytes) * 100)))
    }
}

/// Sizes for people.
enum DownloadSize {
    static func text(_ bytes: Int64) -> String {
        let megabytes = Double(max(0, bytes)) / 1_000_000
        if megabytes >= 1000 { return rounded(megabytes / 1000) + " GB" }
        return megabytes >= 0.1 ? rounded(megabytes) + " MB" : "\(max(0, bytes) / 1000) kB"
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths >= 1000 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
