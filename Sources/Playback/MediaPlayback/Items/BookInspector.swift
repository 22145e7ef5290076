// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Examines items in engine processes of its own; plays nothing and remembers nothing.
struct BookInspector: Sendable {
    let finder: ItemFinder
    /// The seconds between the chapters of a long file that has none; 0 if there are none.
    let syntheticChapters: Double
    /// The command that this is part of, for the log.
    let command: String?

    /// Opens an item in an engine process of its own and finds out everything about it.
    ///
    /// Counts durations that the container only claims. Plays nothing and remembers nothing.
    func inspect(_ item: ItemRequest, engine: EngineID? = nil) async throws(PlaybackError) -> LoadedMedia {
        try await inspect(item, engine: engine, wantsPicture: false).media
    }

    /// Inspects a book for the library in the same way; also returns the picture in its files if that is wanted.
    func inspect(
        _ item: ItemRequest, engine: EngineID? = nil, wantsPicture: Bool
    ) async throws(PlaybackError) -> BookInspection {
        let (content, live) = try await open(item, engine)
        let result = await examine(content, with: live)
        var picture = EmbeddedPicture.notAsked
        if wantsPicture, case .success = result { picture = await self.picture(in: content, with: live) }
        await live.shutDown()
        return BookInspection(media: try result.get(), picture: picture)
    }

    /// Returns the picture embedded in an item's files; they are opened, but not read through.
    func picture(in item: ItemRequest) async throws(PlaybackError) -> EmbeddedPicture {
        let (content, live) = try await open(item, nil)
        let result: Result<EmbeddedPicture, PlaybackError>
        do throws(EngineError) {
            _ = try await live.load(
                LoadRequest(content: content, start: .start, generation: 1, rate: 1, voice: nil))
            result = .success(await picture(in: content, with: live))
        } catch {
            result = .failure(PlaybackError(error))
        }
        await live.shutDown()
        return try result.get()
    }

    private func open(
        _ item: ItemRequest, _ engine: EngineID?
    ) async throws(PlaybackError) -> (Content, any PlaybackEngine) {
        let found = try await finder.find(item, engine: engine, command: command)
        do throws(EngineError) {
            return (found.content, try await finder.engines.start(found.engine))
        } catch {
            throw PlaybackError(error)
        }
    }

    private func examine(
        _ content: Content, with engine: any PlaybackEngine
    ) async -> Result<LoadedMedia, PlaybackError> {
        do throws(EngineError) {
            _ = try await engine.load(
                LoadRequest(content: content, start: .start, generation: 1, rate: 1, voice: nil))
            var description = try await engine.describeAll()
            for index in description.tracks.indices where content.kind == .audio {
                guard description.tracks[index].timeline.confidence != .exact,
                    let counted = try await engine.measure(track: index)
                else { continue }
                description.tracks[index].timeline = TimelineTrack(
                    unitsPerSecond: description.tracks[index].timeline.unitsPerSecond, duration: counted,
                    confidence: .exact)
            }
            return .success(
                LoadedMedia(content: content, description: description, syntheticChapters: syntheticChapters))
        } catch {
            return .failure(PlaybackError(error))
        }
    }

    private func picture(in content: Content, with engine: any PlaybackEngine) async -> EmbeddedPicture {
        guard content.kind == .audio else { return .absent }
        var known = EmbeddedPicture.absent
        for track in content.tracks.indices {
            if Task.isCancelled { return .notAsked }
            do throws(EngineError) {
                if let picture = try await engine.cover(track: track) { return .found(picture) }
            } catch {
                known = known.or(.unknown(error.message))
                if error.isOfTheProcess { break }
            }
        }
        return known
    }
}
