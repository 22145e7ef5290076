// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import Clocks
import Downloads
import EngineBridge
import Foundation
import HTTPExchange
import ItemResolver
import MediaPlayback
import PlaybackCore
import SessionProtocol

extension Downloads {
    /// The downloads of the user, checked by engines that run when nobody else wants to.
    init(
        _ folders: UserFolders, root: String, network: any HTTPTransport, accounts: any CatalogAccounts,
        engines: InstalledEngines
    ) {
        let check = EnginePlayableCheck(provider: engines, resolver: ItemResolver()) { id async throws(EngineError) in
            guard let engine = try await engines.startPeakSource(id) as? any PlaybackEngine else {
                throw EngineError(.unavailable, message: "the engine \(id) cannot be started beside what plays")
            }
            return engine
        }
        self.init(
            Parts(
                root: root, index: folders.data + "/downloads.json",
                sources: [ServedDownloads(accounts), WebDownloads { ItemResolver.identity(of: $0) }],
                transport: network, check: check, now: { WallClock.milliseconds() },
                uptime: { .milliseconds(MonotonicTime.milliseconds()) },
                wait: { try? await Task.sleep(for: $0) }))
    }
}
