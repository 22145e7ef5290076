// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// A cue sheet that lies beside an audio file and was not named: `book.cue` or `book.flac.cue` beside `book.flac`.
///
/// Blocks.
struct SidecarSheet {
    /// The entries in the time of the file, or an empty array if there is no sheet for it.
    private(set) var entries: [CueEntry] = []
    /// The reasons why an existing sheet is not used.
    private(set) var notes: [String] = []

    /// Looks for the sheet of a file and reads it.
    ///
    /// - Parameter track: The number of the file among the content's tracks.
    init(beside path: String, track: Int) {
        let name = FileName.last(path)
        let folder = FileName.folder(of: path)
        for base in [name, FileName.stem(ofFile: name)] {
            for ending in ["cue", "CUE"] {
                let sheet = "\(folder)/\(base).\(ending)"
                guard case .file(size: 1...)? = try? FileProbe.look(at: Array(sheet.utf8)) else { continue }
                read(sheet, for: name, track: track)
                return
            }
        }
    }

    private mutating func read(_ path: String, for name: String, track: Int) {
        do throws(CueSheet.Failure) {
            guard let bytes = try? FileProbe.read(Array(path.utf8), atMost: FileProbe.longestList),
                bytes.count < FileProbe.longestList
            else { return notes.append("left out \(path): it cannot be read") }
            let sheet = try CueSheet(bytes)
            let own = sheet.files.indices.filter { Self.isSame(sheet.files[$0], name) }
            let isOnly = sheet.files.count <= 1
            entries = sheet.tracks
                .filter { $0.isAudio && (isOnly || $0.file.map(own.contains) == true) }
                .map { CueEntry(track: track, start: $0.start, title: $0.title, isBeside: true) }
        } catch {
            notes.append("left out \(path), line \(error.line): \(error.message)")
        }
    }

    /// Returns `true` if both names are equal up to their extension, because `book.wav` is often converted to
    /// `book.flac`.
    private static func isSame(_ listed: String, _ name: String) -> Bool {
        let listed = FileName.last(listed.split(separator: "\\").last ?? listed[...])
        return listed == name || FileName.stem(ofFile: listed) == FileName.stem(ofFile: name)
    }
}
