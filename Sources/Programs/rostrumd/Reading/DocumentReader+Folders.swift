// SPDX-License-Identifier: Apache-2.0

import DocumentBridge
import DocumentOrders
import SessionProtocol
import SettingsFile

extension DocumentReader {
    /// The name of the file with the listener's pronunciations, in the folder of settings.
    static let dictionary = "pronunciations.txt"

    /// A reader that keeps what it reads in the user's cache, and follows the user's settings from one document to the next.
    init(_ folders: UserFolders, namesPronunciations: Bool = false) {
        let settings = folders.config + "/settings.json"
        self.init(
            program: ProgramFolder.beside("rostrum-document-reader"), folder: folders.cache + "/documents",
            dictionary: folders.config + "/" + Self.dictionary
        ) { name in
            let reading = SettingsFile(settings).read().settings.reading
            return DocumentOrder(
                name: name, skipped: reading.skipped, saysEmoji: reading.saysEmoji,
                namesPronunciations: namesPronunciations)
        }
    }
}
