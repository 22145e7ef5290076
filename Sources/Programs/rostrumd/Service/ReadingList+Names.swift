// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import ReadingList

extension ReadingList {
    /// The most documents that a message lists.
    private static let mostListed = 3

    /// Returns the document that the listener names: by its ID, by its address, or by a part of its title that no other has.
    ///
    /// Titles are known of documents that were read or listed. No document is read for its title here, since this comes before
    /// everything that a command does, and what is late would overtake later commands.
    func entry(named name: String) throws(PlaybackError) -> ReadingListEntry {
        if let entry = try? entry(name) { return entry }
        let sought = name.lowercased()
        var whole: [(entry: ReadingListEntry, title: String)] = []
        var parts = whole
        for entry in entries() where !sought.isEmpty {
            // One that could not be read is known by its file.
            let title = entry.title ?? entry.name
            if title.lowercased() == sought { whole.append((entry, title)) }
            if title.lowercased().contains(sought) { parts.append((entry, title)) }
        }
        let found = whole.isEmpty ? parts : whole
        if found.count == 1, let entry = found.first?.entry { return entry }
        guard !found.isEmpty else {
            throw PlaybackError(
                .noInput, message: "no such file, nor a document of the reading list: \(name); see `rostrum reading`")
        }
        let names = found.prefix(Self.mostListed).map { "\($0.entry.id) “\($0.title)”" }.joined(separator: ", ")
        throw PlaybackError(
            .usage,
            message: "“\(name)” is in the titles of \(found.count) documents of the reading list: \(names)"
                + (found.count > Self.mostListed ? ", …" : "") + "; give the ID of one")
    }
}
