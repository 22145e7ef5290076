// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

extension MediaPlaybackController {
    /// Opens an item in an engine process of its own and finds out all about it; durations are counted where the
    /// container only claims them.
    ///
    /// Plays nothing and remembers nothing.
    public func inspect(_ item: ItemRequest, engine: EngineID? = nil) async throws(PlaybackError) -> LoadedMedia {
        try await inspect(item, engine: engine, wantsPicture: false).media
    }

    /// The same for a book that comes into the library, and the picture inside of its files, if that is wanted.
    public func inspect(
        _ item: ItemRequest, engine: EngineID? = nil, wantsPicture: Bool
    ) async throws(PlaybackError) -> BookInspection {
        let found = try await find(item, engine: engine)
        let live: any PlaybackEngine
        do throws(EngineError) {
            live = try await engines.start(found.engine)
        } catch {
            throw PlaybackError(error)
        }
        let result = await examine(found.content, with: live)
        var picture = EmbeddedPicture.notAsked
        if wantsPicture, case .success = result { picture = await self.picture(in: found.content, with: live) }
        await live.shutDown()
        return BookInspection(media: try result.get(), picture: picture)
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
            return .success(loaded(content, description))
        } catch {
            return .failure(PlaybackError(error))
        }
    }

    private func picture(in content: Content, with engine: any PlaybackEngine) async -> EmbeddedPicture {
        guard content.kind == .audio else { return .absent }
        var known = EmbeddedPicture.absent
        for track in content.tracks.indices where !Task.isCancelled {
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
