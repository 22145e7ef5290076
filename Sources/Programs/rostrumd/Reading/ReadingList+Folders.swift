// SPDX-License-Identifier: Apache-2.0

import Clocks
import DocumentBridge
import MediaPlayback
import ReadingList
import SessionProtocol
import SettingsFile

extension ReadingList {
    /// The list in the user's data, whose documents a process of its own fetches.
    init(_ folders: UserFolders) {
        let settings = folders.config + "/settings.json"
        let fetcher = DocumentFetcher(program: ProgramFolder.beside("rostrum-document-fetcher")) {
            SettingsFile(settings).read().settings.trust
        }
        self.init(folder: folders.data + "/reading", now: { WallClock.milliseconds() }) { url, headers, allowsPrivate in
            do throws(ItemError) {
                let document = try await fetcher.fetch(url, headers: headers, allowsPrivate: allowsPrivate)
                let page = ReceivedPage(
                    descriptor: document.file.rawValue, contentType: document.contentType, charset: document.charset)
                return .success((page, document.file))
            } catch {
                return .failure(error)
            }
        }
    }
}
