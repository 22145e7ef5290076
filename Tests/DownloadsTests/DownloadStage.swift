// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import HTTPExchange
import Synchronization
import Testing
import WaitTestSupport

@testable import Downloads

/// A registry of downloads over a server of files, and everything else that it needs.
final class DownloadStage: DownloadSource, PlayableCheck {
    struct State: Sendable {
        var plans: [String: DownloadPlan] = [:]
        var verdicts: [String: PlayableVerdict] = [:]
        var checked: [String] = []
        var renewals = 0
        var now = Duration.seconds(1000)
        var pauses: [Duration] = []
        var downloads: [String: Download] = [:]
        var downloaded: [String] = []
    }

    let disk: TemporaryFolder
    let server = FileServer()
    let state = Watched(State())

    init() throws { disk = try TemporaryFolder() }

    var root: String { disk.path + "/Downloads" }

    /// Returns a registry as a new session has it.
    func session(reserve: Int64 = 0) async -> Downloads {
        let state = state
        var parts = Downloads.Parts(
            root: root, index: disk.path + "/state/downloads.json", sources: [self], transport: server, check: self,
            now: { 1_790_000_000_000 }, uptime: { state.read { $0.now } },
            wait: { pause in
                state.change { $0.pauses.append(pause) }
                let due = state.read { $0.now } + pause
                _ = await state.wait { $0.now >= due }
            })
        parts.reserve = reserve
        let downloads = Downloads(parts)
        await downloads.observe(
            change: { download in state.change { $0.downloads[download.item] = download } },
            downloaded: { download in state.change { $0.downloaded.append(download.item) } })
        await downloads.start()
        return downloads
    }

    /// Makes a book of files with these contents at the server.
    func book(_ item: String, _ title: String, author: String = "Ada Reader", _ files: [(String, [UInt8])]) {
        for (name, bytes) in files { server.put("\(item)-\(name)", bytes) }
        state.change { state in
            state.plans[item] = DownloadPlan(
                uri: "uri:\(item)", title: title, author: author,
                files: files.map { name, bytes in
                    DownloadPlan.File(relPath: name, address: server.url("\(item)-\(name)"), size: Int64(bytes.count))
                })
        }
    }

    func plan(_ item: String, _ change: (inout DownloadPlan) -> Void) {
        state.change { state in
            guard var plan = state.plans[item] else { return }
            change(&plan)
            state.plans[item] = plan
        }
    }

    /// Waits until an item has a state.
    func wait(_ item: String, _ wanted: Download.State, sourceLocation: SourceLocation = #_sourceLocation) async {
        if await !state.wait(until: { $0.downloads[item]?.state == wanted }) {
            didNotCome("\(item) \(wanted)", "\(state.value.downloads)", sourceLocation)
        }
    }

    func content(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))).map(Array.init)
    }

    /// Returns all files below the folder of downloads.
    var files: [String] {
        (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    // MARK: The source and the check

    func server(of item: String) async -> String? {
        let parts = item.split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : item.hasPrefix("no") ? nil : "home"
    }

    func identity(of item: String) async -> String? { item.hasPrefix("alias:") ? "uri:\(item.dropFirst(6))" : nil }

    func plan(_ item: String) async throws(DownloadFault) -> DownloadPlan {
        guard let plan = state.value.plans[item] else { throw DownloadFault(.gone, "\(item): no such item") }
        return plan
    }

    func request(
        for file: DownloadPlan.File, of item: String, refused: HTTPRequest?
    ) async throws(DownloadFault) -> HTTPRequest {
        if refused != nil { state.change { $0.renewals += 1 } }
        return HTTPRequest(.get, file.address)
    }

    func check(_ path: String) async -> PlayableVerdict {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        state.change { $0.checked.append(name) }
        return state.value.verdicts[name] ?? .plays
    }
}
