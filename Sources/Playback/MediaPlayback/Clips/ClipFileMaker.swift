// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// Makes the files that belong to clips, one after the other, and sets those aside that belong to none.
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

    /// Removes the file of a clip that is deleted or has another one, unless a clip is made of that file.
    ///
    /// No row names the file, so this need not wait for those that are being made.
    public func drop(_ name: String) async {
        // If the library cannot say, the file stays: a sweep sets it aside.
        guard let all = try? await allClips(), !all.contains(where: { $0.isMade(of: name) }) else { return }
        await files.remove(name)
    }

    /// Brings back the files that clips have and that were set aside, and returns the clips without a file of their
    /// present bounds.
    ///
    /// - Parameter setsAside: `true` to set the files aside that no clip has. It is for a listener who asks for it, and
    ///   it removes nothing: a library that was restored does not know its latest clips.
    /// - Returns: The clips, and the number of files that were set aside.
    public func sweep(setsAside: Bool) async throws(PlaybackError) -> (incomplete: [Clip], aside: Int) {
        try await inTurn { maker throws(PlaybackError) in
            do throws(PlaceStoreError) {
                return try await maker.sweepNow(setsAside: setsAside)
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
            guard case .found(let now) = try await clips.clip(id: clip.id), now.id == clip.id, now.quote == nil else {
                return
            }
            // What is at the place of a file that is gone is another recording.
            guard now.isSourceThere else {
                throw PlaceStoreError(.refused, "the book of clip \(now.id) is gone; put it back, and try again")
            }
            // Another request has made it meanwhile.
            if now.isFileCurrent, let name = now.file?.name, await files.has(name) { return }
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
            // If the library cannot say, both files stay: a sweep sets the one aside that no clip has.
            let change = try await clips.setFile(file, of: now)
            if let dropped = change.dropped { await drop(dropped) }
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }

    private func sweepNow(setsAside: Bool) async throws(PlaceStoreError) -> (incomplete: [Clip], aside: Int) {
        var there = try await files.names()
        let all = try await allClips()
        let known = try await clips.clipFiles()
        for name in known.subtracting(there) {
            if await files.bringBack(name) { there.insert(name) }
        }
        // A library without clips has lost them, or never had one.
        let orphans = setsAside && !all.isEmpty ? there.subtracting(known).filter(Clip.isFileName) : []
        var aside = 0
        for name in orphans.sorted() where !all.contains(where: { $0.isMade(of: name) }) {
            if try await files.setAside(name) { aside += 1 }
        }
        let incomplete = all.filter {
            $0.quote == nil && (!$0.isFileCurrent || !there.contains($0.file?.name ?? ""))
        }
        return (incomplete, aside)
    }

    private func allClips() async throws(PlaceStoreError) -> [Clip] {
        var all: [Clip] = []
        var query = ClipQuery()
        query.order = .made
        while true {
            // A page may be short, because a row that cannot be read is left out.
            let page = try await clips.clips(query)
            guard !page.isEmpty else { return all }
            all += page
            query.offset += query.limit
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

    /// Returns `true` if the source is the file of this name, which another clip has or had.
    func isMade(of name: String) -> Bool { items.contains { $0.hasSuffix("/\(name)") } }

    /// The request that opens the source.
    public var sourceRequest: ItemRequest {
        ItemRequest(items: items, asText: quote != nil, extensions: KnownExtensions(audio: []))
    }

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
