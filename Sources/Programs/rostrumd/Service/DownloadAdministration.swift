// SPDX-License-Identifier: Apache-2.0

import Downloads
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The downloads: carries out `downloads`.
struct DownloadAdministration: Sendable {
    let downloads: Downloads
    private let root: String
    private let places: any PlaceStore

    init(_ downloads: Downloads, root: String, places: any PlaceStore) {
        self.downloads = downloads
        self.root = root
        self.places = places
    }

    func perform(_ action: DownloadsAction) async throws(PlaybackError) -> DownloadPage {
        do throws(DownloadFault) {
            switch action.verb {
            case .list: return await page(await downloads.list().filter { action.id.isEmpty || $0.isNamed(action.id) })
            case .add: return await page([try await downloads.add(action.id)])
            case .verify:
                let found = await downloads.verify(action.id.isEmpty ? nil : action.id)
                guard !found.isEmpty || action.id.isEmpty else { throw Self.unknown(action.id) }
                return await page(found)
            case .cancel:
                guard let known = await downloads.list().first(where: { $0.isNamed(action.id) }) else {
                    throw Self.unknown(action.id)
                }
                guard known.state != .downloaded else {
                    throw DownloadFault(
                        .unsupported, "\(known.title) is downloaded; remove it with `rostrum download remove`")
                }
                _ = try await downloads.remove(known.item)
                return await page([known])
            case .remove:
                guard let removed = try await downloads.remove(action.id) else { throw Self.unknown(action.id) }
                return await page([removed])
            }
        } catch {
            throw PlaybackError(error)
        }
    }

    /// Removes what the rules do not keep; what is loaded stays.
    func tidy(_ rules: KeepRules, inUse: Set<String>) async {
        var finished: Set<String> = []
        if rules.removesFinished {
            for download in await downloads.list() where download.state == .downloaded {
                guard case .progress(let place) = await places.place(of: download.uri, owner: .main), place.finished
                else { continue }
                finished.insert(download.uri)
            }
        }
        _ = await downloads.tidy(rules, finished: finished, inUse: inUse)
    }

    /// Stops what is under way; the next session goes on with it.
    func end() async { await downloads.end() }

    private static func unknown(_ item: String) -> DownloadFault {
        DownloadFault(.gone, "\(WebIdentity.shown(item)): no such download; see `rostrum download list`")
    }

    private func page(_ found: [Download]) async -> DownloadPage {
        DownloadPage(downloads: found.map { DownloadInfo($0, root: root) }, bytes: await downloads.bytes)
    }
}

extension DownloadInfo {
    init(_ download: Download, root: String) {
        // The item as it was asked for may have a token in its query.
        self.init(
            id: download.uri, uri: download.uri, title: download.title, author: download.author,
            state: State(download.state), bytes: download.bytes, totalBytes: download.totalBytes,
            files: download.files.count, reason: download.reason, path: download.folder.map { "\(root)/\($0)" },
            addedAt: download.addedAt)
    }
}

extension DownloadInfo.State {
    fileprivate init(_ state: Download.State) {
        self =
            switch state {
            case .queued, .removing: .queued
            case .downloading: .downloading
            case .downloaded: .downloaded
            case .error: .error
            }
    }
}

extension PlaybackError {
    init(_ fault: DownloadFault) {
        switch fault.reason {
        case .gone: self.init(.noInput, message: fault.message)
        case .unsupported: self.init(.usage, message: fault.message)
        case .length, .unplayable: self.init(.badContent, message: fault.message)
        case .refused: self.init(.notPermitted, message: fault.message)
        case .away, .full, .disk, .cancelled: self.init(.unavailable, message: fault.message)
        }
    }
}
