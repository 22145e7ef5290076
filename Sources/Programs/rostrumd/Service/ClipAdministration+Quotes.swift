// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore
import SessionProtocol

/// A file format for the words of a text.
enum QuoteFormat: String, Sendable {
    case txt, md
}

/// Exports clips of texts: their words, with a line that says where they come from.
extension ClipAdministration {
    func exportQuote(_ clip: Clip, to target: ExportTarget) async throws(PlaybackError) -> String {
        guard let format = target.textFormat else {
            throw PlaybackError(
                .usage,
                message:
                    "clip \(clip.id) is of a text: export it as \(ClipAction.textFormats.joined(separator: " or "))")
        }
        let base = target.base(of: clip)
        let draft = try await read { () throws(PlaceStoreError) in try await files.begin(beside: base) }
        let name = target.isFolder ? "\(base).\(format.rawValue)" : base
        do throws(PlaybackError) {
            guard QuoteFile.write(clip.citation(format), to: draft.descriptor.rawValue) else {
                throw PlaybackError(.io, message: "cannot write \(name): the disk is full or gone")
            }
            return try await read { () throws(PlaceStoreError) in
                try await files.finish(draft, as: name, replaces: target.replaces(name))
            }
        } catch {
            await files.discard(draft)
            throw error
        }
    }
}

extension Clip {
    /// The words with a line of their source, and the note below.
    func citation(_ format: QuoteFormat) -> String {
        let words = quote?.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? []
        let source = [author, title, chapter].compactMap(\.self).joined(separator: ", ")
        // What may hold a secret is no source.
        let place = ["file:", "http:", "https:"].contains(where: uri.hasPrefix) ? WebIdentity.shown(uri) : ""
        switch format {
        case .txt:
            var text = words.joined(separator: "\n") + "\n\n— \(source)\n"
            if !place.isEmpty { text += "\(place), bytes \(textRange.lowerBound)–\(textRange.upperBound)\n" }
            if !note.isEmpty { text += "\n\(note)\n" }
            return text
        case .md:
            var text = words.map { $0.isEmpty ? ">" : "> \(Self.plain($0))" }.joined(separator: "\n")
            text += "\n>\n> — \(Self.plain(source[...]))\n"
            if !place.isEmpty {
                text += "\n`\(place.filter { $0 != "`" })`, bytes \(textRange.lowerBound)–\(textRange.upperBound)\n"
            }
            if !note.isEmpty {
                text +=
                    "\n\(note.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Self.plain).joined(separator: "\n"))\n"
            }
            return text
        }
    }

    /// Escapes what Markdown would take for markup.
    private static func plain(_ text: Substring) -> String {
        text.reduce(into: "") { result, character in
            if "\\`*_{}[]<>#|".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
