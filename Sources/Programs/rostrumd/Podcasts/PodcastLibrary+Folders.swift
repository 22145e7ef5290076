// SPDX-License-Identifier: Apache-2.0

import Clocks
import DocumentBridge
import HTTPExchange
import LibraryStore
import MediaPlayback
import NetworkBridge
import PodcastFeeds
import Podcasts
import SessionProtocol
import SettingsFile

extension FeedParser: @retroactive FeedParsing {}

extension PodcastLibrary {
    /// The podcasts in the user's library; a process of its own asks servers, and another one parses what they send.
    init(_ folders: UserFolders, store: LibraryStore) {
        let settings = folders.config + "/settings.json"
        let network = NetworkBridge(program: ProgramFolder.beside("rostrum-network")) {
            SettingsFile(settings).read().settings.trust
        }
        self.init(
            store: store, transport: network,
            parser: FeedParser(program: ProgramFolder.beside("rostrum-document-reader")),
            now: { WallClock.milliseconds() }, jitter: { Double.random(in: 0...1) })
    }
}
