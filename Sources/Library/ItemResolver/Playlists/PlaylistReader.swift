// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PlaybackCore

/// Turns a playlist or cue sheet into tracks.
///
/// All calls block.
struct PlaylistReader {
    let path: String
    let extensions: KnownExtensions
    private(set) var notes: [String] = []
    /// The tracks of the folders that were named so far: a list may name the same folder many times.
    private var walked: [FileProbe.FileIdentity: [TrackSource]] = [:]

    private static let lists: Set<String> = ["m3u", "m3u8", "pls", "xspf", "cue", "wpl", "asx"]

    init(_ path: String, _ extensions: KnownExtensions) {
        self.path = path
        self.extensions = extensions
    }

    mutating func playlist() throws(ItemError) -> ItemPart {
        let list = M3UPlaylist(try bytes())
        if list.isLiveStream {
            throw ItemError(.unsupported, "\(path): a stream's list of segments; play the stream by its URL")
        }
        var tracks: [TrackSource] = []
        // An entry of two characters may stand for a folder of thousands of files, and a list may name it a million
        // times.
        for entry in list.entries.prefix(FolderWalk.mostFiles + 1) {
            tracks += try self.tracks(of: entry)
            if tracks.count > FolderWalk.mostFiles { break }
        }
        guard max(tracks.count, list.entries.count) <= FolderWalk.mostFiles else {
            throw ItemError(.unsupported, "\(path): more than \(FolderWalk.mostFiles) files; make several lists of it")
        }
        if tracks.isEmpty {
            throw ItemError(.empty, "\(path): nothing in it can be played; \(notes.first ?? "it has no entries")")
        }
        let only = list.entries.count == 1 ? list.entries.first?.title : nil
        return part(tracks, title: list.title ?? only)
    }

    mutating func cueSheet() throws(ItemError) -> ItemPart {
        let bytes = try bytes()
        let sheet: CueSheet
        do throws(CueSheet.Failure) {
            sheet = try CueSheet(bytes)
        } catch {
            throw ItemError(
                .unsupported, "\(path), line \(error.line): \(error.message); correct the sheet or play its audio file")
        }
        var tracks: [TrackSource] = []
        var trackOfFile: [Int?] = []
        // A sheet that names no file belongs to the audio file beside it. A file without an audio track is not played.
        let named = sheet.tracks.filter(\.isAudio).compactMap { track in track.file.map { sheet.files[$0] } }
        let played = BookQueue.files(chapters: named, own: FileName.last(path))
        let names = sheet.files.isEmpty ? played : sheet.files
        for name in names {
            guard played.contains(name) else {
                trackOfFile.append(nil)
                continue
            }
            guard let found = audioFile(named: name, isOnly: played.count == 1) else {
                notes.append("left out \(name): no such file beside \(path)")
                trackOfFile.append(nil)
                continue
            }
            let source = TrackSource.file(path: found)
            if let index = tracks.firstIndex(of: source) {
                trackOfFile.append(index)
            } else {
                trackOfFile.append(tracks.count)
                tracks.append(source)
            }
        }
        if tracks.isEmpty {
            throw ItemError(.missing, "\(path): its file \(played[0]) is missing; put it beside the sheet")
        }
        var part = part(tracks, title: sheet.title)
        for track in sheet.tracks where track.isAudio {
            let file = track.file ?? 0
            if trackOfFile.indices.contains(file), let index = trackOfFile[file] {
                part.cue.append(CueEntry(track: index, start: track.start, title: track.title))
            }
        }
        return part
    }

    private func part(_ tracks: [TrackSource], title: String?) -> ItemPart {
        ItemPart(
            uri: ItemReader.fileURI(Array(path.utf8)), kind: .audio, tracks: tracks,
            title: title ?? FileName.title(ofFile: path), item: path)
    }

    private func bytes() throws(ItemError) -> [UInt8] {
        let bytes = try FileProbe.read(Array(path.utf8), atMost: FileProbe.longestList)
        if bytes.count == FileProbe.longestList
            || bytes.contains(0) && !bytes.starts(with: [0xFF, 0xFE])
                && !bytes.starts(with: [0xFE, 0xFF])
        {
            throw ItemError(.unsupported, "\(path): not a list of files; check what it is")
        }
        return bytes
    }

    private mutating func tracks(of entry: M3UPlaylist.Entry) throws(ItemError) -> [TrackSource] {
        if WebAddress.looksLikeOne(entry.location) {
            guard let address = WebAddress(entry.location) else {
                notes.append("left out a URL that cannot be opened")
                return []
            }
            // The request's headers are meant for the hosts that the user named, not for these.
            return [.url(address.location, headers: address.authorization.map { [$0] } ?? [])]
        }
        let name = entry.location
        guard let found = existing(candidates(name)) else {
            notes.append("left out \(name): no such file")
            return []
        }
        let ending = FileName.fileExtension(found.path)
        switch found.finding {
        case .folder(let identity):
            if let known = walked[identity] { return known }
            walked[identity] = []
            do throws(ItemError) {
                let walk = try FolderWalk(Array(found.path.utf8), identity: identity, extensions: extensions.audio)
                notes += walk.notes
                let files = try walk.files.map { file throws(ItemError) in try TrackSource(file) }
                walked[identity] = files
                return files
            } catch {
                notes.append("left out \(error.message)")
                return []
            }
        case .other(let what): notes.append("left out \(name): it is \(what)")
        case .file(size: 0): notes.append("left out \(name): it is empty (0 bytes)")
        case .file where ending.map(Self.lists.contains) == true:
            notes.append("left out \(name): a list within a list")
        case .file where ending.map(extensions.audio.contains) == true: return [.file(path: found.path)]
        case .file:
            let sniffed = try? FileProbe.sniff(Array(found.path.utf8))
            if ending.map(extensions.text.contains) != true, let sniffed, !TextSniffer.isText(sniffed) {
                return [.file(path: found.path)]
            }
            notes.append("left out \(name): it is not audio")
        }
        return []
    }

    /// Returns the paths that an entry may mean: as it is, with Windows backslashes as slashes, and percent-decoded.
    private func candidates(_ name: String) -> [String] {
        if name.lowercased().hasPrefix("file:") { return ItemReader.path(ofFileURI: name).map { [$0] } ?? [] }
        var names = [name]
        if name.contains("\\") { names.append(String(name.map { $0 == "\\" ? "/" : $0 })) }
        if name.contains("%"), let decoded = PercentEncoding.decode(name) { names.append(decoded) }
        return names.map(absolute)
    }

    private func absolute(_ name: String) -> String {
        name.hasPrefix("/") ? name : FileName.folder(of: path) + "/" + name
    }

    private func existing(_ candidates: [String]) -> (path: String, finding: FileProbe.Finding)? {
        for candidate in candidates where !candidate.utf8.contains(0) {
            if let path = try? ItemReader.withoutParents(FileName.normalized(candidate)),
                let finding = try? FileProbe.look(at: Array(path.utf8))
            {
                return (path, finding)
            }
        }
        return nil
    }

    /// Returns the path of the audio file that a sheet names, or `nil` if there is none.
    ///
    /// A file of the same name with another extension is accepted, because `book.wav` is often converted to
    /// `book.flac`. For a sheet of one file, so is a file that is named like the sheet.
    private func audioFile(named name: String, isOnly: Bool) -> String? {
        let named = candidates(name)
        if FileName.fileExtension(name) != "cue", let found = existing(named), case .file(let size) = found.finding,
            size > 0
        {
            return found.path
        }
        let stems = (named + (isOnly ? [path] : [])).map { candidate in
            FileName.folder(of: candidate) + "/" + FileName.stem(ofFile: candidate)
        }
        for stem in stems {
            for ending in extensions.audio.sorted() {
                if let found = existing([stem + "." + ending, stem + "." + ending.uppercased()]),
                    case .file(let size) = found.finding, size > 0
                {
                    return found.path
                }
            }
        }
        return nil
    }
}
