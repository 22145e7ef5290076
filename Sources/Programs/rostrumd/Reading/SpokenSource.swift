// SPDX-License-Identifier: Apache-2.0

import DocumentBridge
import Glibc
import MediaPlayback
import PlaybackCore
import ReadingList
import SessionProtocol

/// The document that `rostrum text` is given: a file, a pipe, an address, or what names a document of the reading list.
struct SpokenSource {
    /// The name, as messages have it, and as it hints at the format.
    let name: String
    private let track: TrackSource
    private let charset: String?

    /// - Parameter given: The name of the text, in place of that of its file.
    init(
        _ argument: String, named given: String? = nil, _ folders: UserFolders, _ reader: DocumentReader
    ) async throws(PlaybackError) {
        let lower = argument.prefix(8).lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            do throws(ItemError) {
                let kept = try await ReadingList(folders).document(at: argument, headers: [])
                (name, track, charset) = (kept.name, .file(path: kept.path), kept.charset)
            } catch {
                throw PlaybackError(error)
            }
            return
        }
        let listed = argument.hasPrefix(ReadingName.prefix) ? argument.dropFirst(ReadingName.prefix.count) : nil
        // A pipe with a name is waited for, as any program of a shell does.
        let file =
            listed != nil ? -1 : argument == "-" ? dup(STDIN_FILENO) : open(argument, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        let code = listed == nil ? errno : ENOENT
        if file >= 0 {
            track = .descriptor(SharedDescriptor(owning: file), name: argument)
            name = given ?? (argument == "-" ? "standard input" : String(argument.split(separator: "/").last ?? ""))
            charset = nil
            return
        }
        guard code == ENOENT, listed != nil || ReadingName.isPossible(argument) else {
            throw PlaybackError(
                code == ENOENT || code == ENOTDIR ? .noInput : .badContent,
                message: "\(argument): \(String(cString: strerror(code)))")
        }
        let list = ReadingList(folders)
        let entry = try await list.entry(named: String(listed ?? argument[...]))
        (name, track, charset) = (entry.name, .file(path: list.path(of: entry)), entry.charset)
    }

    func document(_ reader: DocumentReader, _ wishes: ReadingWishes) async throws(PlaybackError) -> TextDocument {
        do throws(ItemError) {
            return try await reader.read(track, name: name, charset: charset, wishes: wishes)
        } catch {
            throw PlaybackError(error)
        }
    }
}
