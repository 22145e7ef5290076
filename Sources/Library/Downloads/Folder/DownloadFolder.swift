// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The folder of all downloads: `AUTHOR/TITLE/NN NAME.EXT`, with a manifest beside the files of each.
///
/// A file has its name once all of it is on the disk; until then it is a hidden draft. A manifest is written under another
/// name and brought to the disk before it is named, so that a kill leaves the old one or the new one. Nothing but what a
/// manifest names is ever removed. All calls block.
struct DownloadFolder: Sendable {
    static let manifest = ".rostrum-download.json"
    private static let largestManifest = 16 << 20
    /// The depth to which a folder that was moved by hand is looked for.
    private static let deepest = 4
    private static let mostFolders = 100_000

    let root: String

    func path(of download: Download) -> String? { download.folder.map { "\(root)/\($0)" } }

    func path(of file: DownloadedFile, in download: Download) -> String? {
        path(of: download).map { "\($0)/\(file.name)" }
    }

    func draft(of file: DownloadedFile, in download: Download) -> String? {
        path(of: download).map { "\($0)/.\(file.name).part" }
    }

    // MARK: Manifests

    /// Returns every download that has a manifest, wherever below the root it is now.
    func load() -> [Download] {
        var found: [Download] = []
        var folders: [(path: String, depth: Int)] = [("", 0)]
        var seen = 0
        while let folder = folders.popLast(), seen < Self.mostFolders {
            seen += 1
            let path = folder.path.isEmpty ? root : "\(root)/\(folder.path)"
            if var download = read("\(path)/\(Self.manifest)"), !folder.path.isEmpty {
                download.folder = folder.path
                found.append(download)
                continue
            }
            guard folder.depth < Self.deepest else { continue }
            for name in Self.folders(in: path) {
                folders.append((folder.path.isEmpty ? name : "\(folder.path)/\(name)", folder.depth + 1))
            }
        }
        return found.sorted { ($0.order, $0.item) < ($1.order, $1.item) }
    }

    private func read(_ path: String) -> Download? {
        guard let bytes = DiskFile.read(path, limit: Self.largestManifest),
            let download = try? JSONDecoder().decode(Download.self, from: Data(bytes)),
            // Names lead to no other folder, whoever wrote the manifest.
            download.files.allSatisfy({ Self.isName($0.name) }), download.cover.map(Self.isName) ?? true
        else { return nil }
        return download
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.first != "." && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
    }

    private static func folders(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let isFolder = [UInt8(DT_DIR), UInt8(DT_UNKNOWN)].contains(entry.pointee.d_type)
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isFolder, name.first != "." { names.append(name) }
        }
        return names.sorted()
    }

    func save(_ download: Download) throws(DownloadFault) {
        guard let folder = path(of: download), let data = try? JSONEncoder().encode(download) else { return }
        try DiskFile.replace("\(folder)/\(Self.manifest)", with: Array(data))
    }

    // MARK: Folders

    /// Gives a download a folder of its own and writes its manifest there.
    func claim(_ download: inout Download) throws(DownloadFault) {
        let upper = SafeName(download.series ?? download.author ?? "", fallback: "Unknown author").text
        let author = Self.folders(in: root).first { $0.lowercased() == upper.lowercased() } ?? upper
        try DiskFile.makeFolder("\(root)/\(author)")
        let title = SafeName(download.title, fallback: "Untitled")
        var taken: Set<String> = []
        while taken.count < 10_000 {
            let name = title.free(among: taken)
            let folder = "\(author)/\(name)"
            // Only who makes the folder has it: what is in one that was there belongs to somebody else.
            if mkdir("\(root)/\(folder)", 0o755) == 0 || Self.retakes("\(root)/\(folder)") {
                download.folder = folder
                return try save(download)
            }
            guard errno == EEXIST else { throw DiskFile.fault("\(root)/\(folder)") }
            taken.insert(name)
        }
        throw DownloadFault(.disk, "\(root)/\(author): there are too many folders of this name")
    }

    /// Makes a folder anew in which a session that was killed has not got as far as the manifest.
    ///
    /// - Returns: `false` if anything else is there.
    private static func retakes(_ folder: String) -> Bool {
        guard errno == EEXIST else { return false }
        if let names = try? FileManager.default.contentsOfDirectory(atPath: folder),
            names.allSatisfy(leftovers.contains)
        {
            for name in names { unlink("\(folder)/\(name)") }
            if rmdir(folder) == 0, mkdir(folder, 0o755) == 0 { return true }
        }
        errno = EEXIST
        return false
    }

    /// Removes a download's files, its manifest and the folders that are empty then.
    ///
    /// What else somebody put there stays.
    func remove(_ download: Download) throws(DownloadFault) {
        guard let folder = path(of: download) else { return }
        for file in download.files {
            for path in [path(of: file, in: download), draft(of: file, in: download)].compactMap(\.self) {
                try DiskFile.remove(path)
            }
        }
        if let cover = download.cover { try DiskFile.remove("\(folder)/\(cover)") }
        for name in Self.leftovers { try DiskFile.remove("\(folder)/\(name)") }
        try DiskFile.remove("\(folder)/\(Self.manifest)")
        rmdir(folder)
        var parent = folder
        while let slash = parent.lastIndex(of: "/") {
            parent = String(parent[..<slash])
            guard parent.utf8.count > root.utf8.count, rmdir(parent) == 0 else { break }
        }
    }

    private static let leftovers = [DiskFile.draftName(manifest), ".cover.part"]

    /// Removes files that are not wanted any more.
    func remove(_ names: [String], of download: Download) throws(DownloadFault) {
        for name in names {
            let file = DownloadedFile(relPath: "", name: name, size: nil)
            for path in [path(of: file, in: download), draft(of: file, in: download)].compactMap(\.self) {
                try DiskFile.remove(path)
            }
        }
    }

    // MARK: What is there

    /// Compares a download with what is on the disk, which is right.
    func reconcile(_ download: inout Download, boot: String?) {
        for index in download.files.indices {
            var file = download.files[index]
            guard let path = path(of: file, in: download), let draft = draft(of: file, in: download) else { continue }
            if let size = DiskFile.size(path), file.size == nil || file.size == size || file.isComplete {
                // It got its name when it was complete; a kill may have kept the manifest from saying so.
                let isWhole = file.size == nil || file.size == size
                file.isPlayable = file.isPlayable && isWhole && file.isComplete
                (file.isComplete, file.bytes) = (isWhole, size)
                if isWhole { _ = try? DiskFile.remove(draft) }
            } else {
                (file.isComplete, file.isPlayable) = (false, false)
                let size = DiskFile.size(draft) ?? 0
                // After the machine went down, only what was synced is there for sure.
                file.bytes = boot != nil && file.boot == boot ? size : min(size, file.synced)
                if file.tag == nil { file.bytes = 0 }
                file.synced = min(file.synced, file.bytes)
            }
            download.files[index] = file
        }
    }

    /// Returns why a download that was complete is not any more; `nil` if all of it is there.
    func loss(of download: Download) -> String? {
        guard let folder = path(of: download), access(folder, F_OK) == 0 else {
            return "its folder is gone: \(path(of: download) ?? root); put it back, or download it again"
        }
        for file in download.files {
            let path = "\(folder)/\(file.name)"
            guard let size = DiskFile.size(path) else { return "\(path) is gone; download it again" }
            guard file.size == nil || file.size == size else { return "\(path) was changed; download it again" }
        }
        return nil
    }

    /// Returns the bytes that can still be written; `nil` if the file system does not say.
    func room() -> Int64? {
        var status = statvfs()
        var path = root
        while statvfs(path, &status) != 0 {
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
            path = String(path[..<slash])
        }
        let (bytes, overflows) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return overflows ? .max : bytes
    }
}
