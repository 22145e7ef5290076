// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// Exports clips into files for others.
extension ClipAdministration {
    /// Exports clips, each into a file of its own; one that fails does not keep the others from theirs.
    ///
    /// A task that is cancelled leaves nothing of the file that is being written.
    func export(_ action: ClipAction) async throws(PlaybackError) -> ClipExport {
        let target = try ExportTarget(action)
        var chosen: [Clip] = []
        for id in action.ids { chosen.append(try await clip(id)) }
        var result = ClipExport(files: [], failed: [])
        for clip in chosen {
            do throws(PlaybackError) {
                result.files.append(try await export(clip, to: target))
            } catch {
                if chosen.count == 1 || Task.isCancelled { throw error }
                result.failed.append(ClipExport.Failure(id: clip.id, message: error.message))
            }
        }
        return result
    }

    private func export(_ clip: Clip, to target: ExportTarget) async throws(PlaybackError) -> String {
        if clip.quote != nil { return try await exportQuote(clip, to: target) }
        // A format that is none of sound is one of texts.
        guard target.format != nil || target.textFormat == nil || target.isFolder && !target.namesTextFormat else {
            throw PlaybackError(
                .usage,
                message:
                    "clip \(clip.id) is of a recording: export it as \(ClipAction.soundFormats.joined(separator: ", "))"
            )
        }
        let base = target.base(of: clip)
        let draft = try await read { () throws(PlaceStoreError) in try await files.begin(beside: base) }
        do throws(PlaybackError) {
            let result = try await cut(clip, into: draft, as: target.format)
            guard !Task.isCancelled else {
                throw PlaybackError(.unavailable, message: "the export to \(base) was given up")
            }
            let name = target.isFolder ? "\(base).\(result.fileExtension)" : base
            return try await read { () throws(PlaceStoreError) in
                try await files.finish(draft, as: name, replaces: target.replaces(name))
            }
        } catch {
            await files.discard(draft)
            // An engine knows only the descriptor of the file.
            guard error.kind == .io, !error.message.contains(base) else { throw error }
            let why = error.message.replacing("cannot write the cut: ", with: "", maxReplacements: 1)
            throw PlaybackError(.io, message: "cannot write \(base): \(why)")
        }
    }

    /// Cuts from the book, or from the clip's own file if the book is gone.
    private func cut(
        _ clip: Clip, into draft: FileDraft, as format: CutFormat?
    ) async throws(PlaybackError) -> CutResult {
        var cut = ClipCut(
            start: clip.start.position, end: clip.end.position, format: format, tags: clip.fileTags,
            file: draft.descriptor)
        if let cover = await cover(of: clip) {
            let picture = open(cover, O_RDONLY | O_CLOEXEC)
            if picture >= 0 { cut.cover = SharedDescriptor(owning: picture) }
        }
        do throws(PlaybackError) {
            try clip.checkSource()
            return try await controller.cut(cut, of: clip.sourceRequest)
        } catch {
            guard [.noInput, .badContent, .defect].contains(error.kind), !Task.isCancelled else { throw error }
            guard let file = clip.file, await hasFile(clip) else { throw isLost(clip, error) }
            (cut.start, cut.end) = (.start, MediaPosition(track: 0, units: file.frames))
            ftruncate(draft.descriptor.rawValue, 0)
            lseek(draft.descriptor.rawValue, 0, SEEK_SET)
            return try await controller.cut(
                cut, of: ItemRequest(items: [files.path(of: file.name)], extensions: KnownExtensions(audio: [])))
        }
    }
}

extension Clip {
    /// The longest name of a file, in bytes, that leaves room for a number and an extension.
    private static let longestName = 200

    /// A name that people understand, without an extension: `Title - 1.02.03 - first words of the note`.
    var fileName: String {
        var parts = [title]
        if let startMilliseconds {
            let seconds = startMilliseconds / 1000
            let rest = [seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            parts.append("\(seconds / 3600).\(rest.joined(separator: "."))")
        }
        if let words = note.split(whereSeparator: \.isNewline).first {
            parts.append(words.split(separator: " ").prefix(8).joined(separator: " "))
        }
        let name = parts.map(Self.cleaned).filter { !$0.isEmpty }.joined(separator: " - ").prefix(
            bytes: Self.longestName)
        return name.isEmpty ? "clip \(id)" : name
    }

    /// Replaces what file systems or shells take amiss, so that the file can be copied anywhere.
    private static func cleaned(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: return " "
            default: return "/\\:*?\"<>|".unicodeScalars.contains(scalar) ? " " : Character(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").joined(separator: " ")
        // A name that begins with a dot is hidden; one that ends with it is refused elsewhere.
        return String(
            words.drop { $0 == "." || $0 == "-" || $0 == " " }.reversed().drop { $0 == "." || $0 == " " }.reversed())
    }
}

extension String {
    /// Returns as many whole characters as fit into so many bytes.
    fileprivate func prefix(bytes: Int) -> String {
        var result = ""
        var count = 0
        for character in self {
            count += character.utf8.count
            if count > bytes { break }
            result.append(character)
        }
        return result
    }
}
