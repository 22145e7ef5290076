// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback

/// Finds the books below a folder.
///
/// A folder is one book, with all that playing it plays, if it contains files only, or the discs of one book. A folder
/// of other folders contains books, and files beside those folders are books of their own.
///
/// All calls block.
struct BookWalk {
    private static let depth = 16

    let extensions: Set<String>
    /// Returns `true` once the walk is to stop.
    ///
    /// Called now and then. The walk ends with what it has found so far.
    let isCancelled: () -> Bool
    let found: (Int) -> Void
    private(set) var plans: [BookPlan] = []
    private(set) var notes: [String] = []
    private var visited: Set<FileProbe.FileIdentity> = []

    init(extensions: Set<String>, isCancelled: @escaping () -> Bool, found: @escaping (Int) -> Void) {
        self.extensions = extensions
        self.isCancelled = isCancelled
        self.found = found
    }

    mutating func walk(_ path: PathBytes, _ identity: FileProbe.FileIdentity) throws(ItemError) {
        guard visited.insert(identity).inserted else { return }
        try take(try look(path, level: 0), level: 0)
    }

    mutating func add(_ plan: BookPlan) {
        plans.append(plan)
        found(plans.count)
    }

    /// The audio files and subfolders of one folder.
    private struct Contents {
        var path: PathBytes
        var identity: FileProbe.FileIdentity
        var files: [PathBytes] = []
        var folders: [Contents] = []
        var holdsAudio: Bool { !files.isEmpty || folders.contains(where: \.holdsAudio) }
        var name: String { FileName.last(String(decoding: path, as: UTF8.self)) }
    }

    private mutating func look(_ path: PathBytes, level: Int) throws(ItemError) -> Contents {
        guard case .folder(let identity) = try FileProbe.look(at: path) else {
            throw ItemError(.notAFile, "\(String(decoding: path, as: UTF8.self)): no folder")
        }
        var contents = Contents(path: path, identity: identity)
        for name in try FolderWalk.names(in: path) {
            if isCancelled() { break }
            let child = FileProbe.path(of: name, in: path)
            let isAudio = FileName.fileExtension(String(decoding: name, as: UTF8.self)).map(extensions.contains) == true
            guard let found = try? FileProbe.look(at: child) else {
                if isAudio { notes.append("\(String(decoding: child, as: UTF8.self)): it cannot be reached") }
                continue
            }
            switch found {
            case .folder(let identity):
                guard level < Self.depth, visited.insert(identity).inserted else { continue }
                do throws(ItemError) {
                    contents.folders.append(try look(child, level: level + 1))
                } catch {
                    notes.append(error.message)
                }
            case .file(let size) where isAudio:
                if size > 0 {
                    contents.files.append(child)
                } else {
                    notes.append("\(String(decoding: child, as: UTF8.self)): it is empty (0 bytes)")
                }
            case .file, .other: break
            }
        }
        return contents
    }

    private mutating func take(_ contents: Contents, level: Int) throws(ItemError) {
        if isCancelled() { return }
        let folders = contents.folders.filter(\.holdsAudio)
        let discs = folders.count { Self.isDisc($0.name) && !$0.files.isEmpty }
        if folders.isEmpty ? isOneBook(contents.files) : discs * 2 >= folders.count && discs > 0 {
            do throws(ItemError) {
                add(try Self.folder(contents.path, contents.identity, extensions))
            } catch {
                notes.append(error.message)
            }
            return
        }
        for file in contents.files {
            if let plan = try? Self.file(file) { add(plan) }
        }
        for folder in folders { try take(folder, level: level + 1) }
    }

    /// Returns `true` if the files are parts of one book.
    ///
    /// Files in one folder are, unless all of them are `.m4b` files, which usually hold a whole book each. Those are
    /// parts of one book only if their names differ in nothing but digits.
    private func isOneBook(_ files: [PathBytes]) -> Bool {
        guard files.count > 1 else { return !files.isEmpty }
        let names = files.map { FileName.last(String(decoding: $0, as: UTF8.self)).lowercased() }
        guard names.allSatisfy({ $0.hasSuffix(".m4b") }) else { return true }
        return Set(names.map { $0.filter { !$0.isNumber } }).count == 1
    }

    /// Returns `true` for names such as `CD 1`, `Disc 02`, `disk3` and `CD1 - The Beginning`.
    static func isDisc(_ name: String) -> Bool {
        let name = name.lowercased()
        guard let word = ["cd", "disc", "disk", "disque"].first(where: { name.hasPrefix($0) }) else { return false }
        let rest = name.dropFirst(word.count).drop { " _-.#".contains($0) }
        return rest.first?.isASCII == true && rest.first?.isNumber == true
    }

    // MARK: One book

    static func folder(
        _ path: PathBytes, _ identity: FileProbe.FileIdentity, _ extensions: Set<String>
    ) throws(ItemError) -> BookPlan {
        let walk = try FolderWalk(path, identity: identity, extensions: extensions)
        let name = String(decoding: path, as: UTF8.self)
        let files = walk.files.compactMap(file(at:))
        guard !files.isEmpty else {
            throw walk.failure ?? ItemError(.empty, "\(name): no audio in it; name a folder with audio files")
        }
        return BookPlan(
            uri: ItemReader.fileURI(path), shape: .folder, title: FileName.title(ofFolder: name),
            cover: Cover.beside(nil, in: path), files: files)
    }

    static func file(_ path: PathBytes) throws(ItemError) -> BookPlan {
        guard let file = file(at: path) else { throw FileProbe.failure(ENOENT, path) }
        let name = String(decoding: path, as: UTF8.self)
        return BookPlan(
            uri: file.uri, shape: .file, title: FileName.title(ofFile: name),
            cover: Cover.beside(FileName.stem(ofFile: name), in: Array(FileName.folder(of: name).utf8)), files: [file])
    }

    static func file(at path: PathBytes) -> BookFile? {
        var status = stat()
        guard FileProbe.withPointer(to: path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0
        else { return nil }
        return BookFile(
            uri: ItemReader.fileURI(path), size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }
}

/// Finds a picture beside a book's files.
enum Cover {
    private static let names = ["cover", "folder", "front"]
    private static let endings = ["jpg", "jpeg", "png", "webp"]

    /// Returns the path of the picture, or `nil` if there is none.
    ///
    /// - Parameter name: The name without extension of the file that is the book, or `nil` if the folder is the book.
    static func beside(_ name: String?, in folder: PathBytes) -> String? {
        guard let folder = String(validating: folder, as: UTF8.self),
            let entries = try? FolderWalk.names(in: Array(folder.utf8))
        else { return nil }
        let files = entries.compactMap { String(validating: $0, as: UTF8.self) }
        // A picture for the folder serves each of its files, too, but a picture for a file does not serve the folder.
        for wanted in (name.map { [$0.lowercased()] } ?? []) + names {
            for ending in endings {
                if let file = files.first(where: { $0.lowercased() == "\(wanted).\(ending)" }) {
                    return folder == "/" ? folder + file : folder + "/" + file
                }
            }
        }
        return nil
    }
}
