// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The place and the format of an export.
///
/// A file keeps the name that the listener gave it; a folder gets files with names of their own.
struct ExportTarget: Sendable {
    let path: String
    let isFolder: Bool
    /// The format; `nil` to keep each clip's encoding where that is possible, in a folder.
    let format: CutFormat?
    /// The format for the words of a text; `nil` if another one was asked for.
    let textFormat: QuoteFormat?
    private let replaces: Bool

    /// Checks the place, so that what cannot be written is refused before anything is encoded.
    init(_ action: ClipAction) throws(PlaybackError) {
        let given = action.path ?? ""
        replaces = action.force == true
        isFolder = Self.kind(given, follows: true) == S_IFDIR
        namesTextFormat = action.format.map { QuoteFormat(rawValue: $0) != nil } ?? false
        do throws(SessionError) {
            if isFolder {
                path = String(given.reversed().drop { $0 == "/" }.reversed())
                format = action.format.flatMap(CutFormat.init(rawValue:))
                textFormat = action.format.map { QuoteFormat(rawValue: $0) } ?? .txt
            } else {
                guard action.ids.count == 1 else {
                    throw SessionError(.usage, "\(given) is no folder; several clips need one")
                }
                guard !given.hasSuffix("/") else {
                    throw SessionError(.cannotCreate, "no such folder: \(given); create it first")
                }
                let name = try ClipAction.format(action.format, ofFile: given)
                format = CutFormat(rawValue: name)
                textFormat = QuoteFormat(rawValue: name)
                path = try OutputPath(given, replaces: replaces).path
            }
        } catch {
            throw PlaybackError(error)
        }
    }

    /// `true` if a format for words was asked for.
    let namesTextFormat: Bool

    /// Returns the path of a clip's file, without an extension in a folder.
    func base(of clip: Clip) -> String { isFolder ? "\(path)/\(clip.fileName)" : path }

    /// Returns `true` if the file of this name may be replaced; in a folder, only a file is.
    func replaces(_ name: String) -> Bool {
        replaces && (!isFolder || Self.kind(name, follows: false) == S_IFREG)
    }

    /// Returns the kind of what has the path; `nil` if nothing has it.
    private static func kind(_ path: String, follows: Bool) -> mode_t? {
        var status = stat()
        guard (follows ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }
}
