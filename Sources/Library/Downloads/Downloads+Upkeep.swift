// SPDX-License-Identifier: Apache-2.0

import BlockingCalls

/// Looking after what is downloaded.
extension Downloads {
    /// Decodes the ends of the files of an item, or of all, again.
    ///
    /// - Returns: the items, as they are now.
    public func verify(_ item: String? = nil) async -> [Download] {
        await load()
        var checked: [Download] = []
        for download in entries where item.map(download.isNamed) ?? true {
            checked.append(await verified(download))
        }
        return checked
    }

    private func verified(_ download: Download) async -> Download {
        guard download.state == .downloaded else { return download }
        let folder = folder
        var loss = await disk.run(within: .seconds(30)) { folder.loss(of: download) } ?? "the disk does not answer"
        var broken: Set<String> = []
        for file in download.files where loss == nil {
            guard let path = folder.path(of: file, in: download) else { continue }
            if case .broken(let why) = await parts.check.check(path) {
                broken.insert(file.name)
                loss = why
            }
        }
        guard let place = entries.firstIndex(where: { $0.item == download.item && $0.state == .downloaded }) else {
            return download
        }
        guard let loss else { return entries[place] }
        entries[place].state = .error
        entries[place].reason = loss
        await condemn(broken, at: place)
        if let now = entries.first(where: { $0.item == download.item }) { await save(now) }
        return entries.first { $0.item == download.item } ?? download
    }

    /// Removes files that do not play: they are fetched again.
    func condemn(_ names: Set<String>, at place: Int) async {
        let (download, folder) = (entries[place], folder)
        for index in entries[place].files.indices where names.contains(entries[place].files[index].name) {
            entries[place].files[index].startOver()
        }
        _ = try? await onDisk { () throws(DownloadFault) in try folder.remove(names.sorted(), of: download) }
    }

    /// Removes what the rules do not keep.
    ///
    /// - Parameters:
    ///   - finished: The identities of items that were heard to their end.
    ///   - inUse: The identities of items that are loaded.
    /// - Returns: what was removed.
    public func tidy(_ rules: KeepRules, finished: Set<String>, inUse: Set<String>) async -> [Download] {
        await load()
        var removed: [Download] = []
        for download in rules.surplus(entries, finished: finished, inUse: inUse) {
            if let gone = try? await remove(download.item) { removed.append(gone) }
        }
        return removed
    }
}
