// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// Makes the files that belong to clips, one after the other, and removes those that belong to none.
///
/// A file becomes a clip's own only when it is complete and on the disk, and only then is the former one removed. So
/// whatever fails or is killed in between, the clip has the audio that it had.
public actor ClipFileMaker {
    /// Writes a passage of an item into a file, as ``MediaPlaybackController/cut(_:of:)`` does.
    public typealias Cut = @Sendable (ClipCut, ItemRequest) async throws(PlaybackError) -> CutResult

    private let clips: any ClipStore
    private let files: any ClipFileStore
    private let cut: Cut
    /// The end of the latest task; each waits for the one before it.
    private var last: Task<Void, Never>?

    public init(clips: any ClipStore, files: any ClipFileStore, cut: @escaping Cut) {
        self.clips = clips
        self.files = files
        self.cut = cut
    }

    /// Makes the file of a clip after everything that was asked for before.
    public func make(_ clip: Clip) async throws(PlaybackError) {
        try await inTurn { maker throws(PlaybackError) in try await maker.makeNow(clip) }
    }

    /// Removes a clip's file.
    public func remove(_ name: String) async {
        try? await inTurn { maker throws(PlaybackError) in await maker.files.remove(name) }
    }

    /// Returns the clips without a file of their present bounds.
    ///
    /// - Parameter removesOrphans: `true` to remove the files that no clip has. It is for a listener who asks for it: a
    ///   library that was lost or rebuilt knows no clip, and must not take their audio with it.
    /// - Returns: The clips, and the number of files that were removed.
    public func sweep(removesOrphans: Bool) async throws(PlaybackError) -> (incomplete: [Clip], removed: Int) {
        try await inTurn { maker throws(PlaybackError) in
            do throws(PlaceStoreError) {
                return try await maker.sweepNow(removesOrphans: removesOrphans)
            } catch {
                throw PlaybackError(.io, message: error.message)
            }
        }
    }

    private func inTurn<Value: Sendable>(
        _ work: @escaping @Sendable (isolated ClipFileMaker) async throws(PlaybackError) -> Value
    ) async throws(PlaybackError) -> Value {
        let before = last
        let task = Task { () -> Result<Value, PlaybackError> in
            await before?.value
            do throws(PlaybackError) {
                return .success(try await work(self))
            } catch {
                return .failure(error)
            }
        }
        last = Task { _ = await task.value }
        return try await task.value.get()
    }

    private func makeNow(_ clip: Clip) async throws(PlaybackError) {
        do throws(PlaceStoreError) {
            // It may have been changed or removed since it was queued.
            guard case .found(let now) = try await clips.clip(id: clip.id), now.id == clip.id else { return }
            // What is at the place of a file that is gone is another recording.
            guard now.isSourceThere else {
                throw PlaceStoreError(.refused, "the book of clip \(now.id) is gone; put it back, and try again")
            }
            let draft = try await files.begin()
            let result: CutResult
            do throws(PlaybackError) {
                result = try await cut(
                    ClipCut(
                        start: now.start.position, end: now.end.position, tags: now.fileTags, file: draft.descriptor),
                    now.sourceRequest)
            } catch {
                await files.discard(draft)
                throw PlaceStoreError(.unavailable, error.message)
            }
            let name: String
            do throws(PlaceStoreError) {
                name = try await files.finish(draft, of: now.id, extension: result.fileExtension)
            } catch {
                await files.discard(draft)
                throw error
            }
            let file = ClipFile(
                name: name, start: now.start.position.units, end: now.end.position.units, frames: result.frames,
                sampleRate: result.sampleRate, isEncoded: result.isEncoded)
            // If the library cannot say, both files stay: a sweep removes the one that no clip has.
            let change = try await clips.setFile(file, of: now)
            if let dropped = change.dropped { await files.remove(dropped) }
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }

    private func sweepNow(removesOrphans: Bool) async throws(PlaceStoreError) -> (incomplete: [Clip], removed: Int) {
        let there = try await files.names()
        let all = try await allClips()
        let known = try await clips.clipFiles()
        // A library without clips has lost them, or never had one.
        let orphans = removesOrphans && !all.isEmpty ? there.subtracting(known).filter(Clip.isFileName) : []
        for name in orphans { await files.remove(name) }
        return (all.filter { !$0.isFileCurrent || !there.contains($0.file?.name ?? "") }, orphans.count)
    }

    private func allClips() async throws(PlaceStoreError) -> [Clip] {
        var all: [Clip] = []
        var query = ClipQuery()
        query.order = .made
        while true {
            let page = try await clips.clips(query)
            all += page
            query.offset += page.count
            guard page.count == query.limit else { return all }
        }
    }
}

extension Clip {
    /// Returns `true` for a name that a file of a clip may have: `ID-NUMBER.EXTENSION`.
    static func isFileName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let words = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        return parts.count == 2 && words.count == 2 && words[0].utf8.count == 8 && Int(words[1]) != nil
    }

    /// The request that opens the source.
    public var sourceRequest: ItemRequest { ItemRequest(items: items, extensions: KnownExtensions(audio: [])) }

    /// The texts with which a file of this clip describes itself.
    public var fileTags: [CutTag: String] {
        var tags: [CutTag: String] = [.title: heading, .album: title]
        tags[.artist] = author
        tags[.chapter] = chapter
        if !note.isEmpty { tags[.comment] = note }
        return tags
    }

    /// The first line of the note, or else the title with the chapter.
    public var heading: String {
        if let line = note.split(whereSeparator: \.isNewline).first { return String(line.prefix(200)) }
        return chapter.map { "\(title): \($0)" } ?? title
    }
}
