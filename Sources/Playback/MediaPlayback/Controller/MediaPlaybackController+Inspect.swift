// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

extension MediaPlaybackController {
    /// Opens an item in an engine process of its own and finds out all about it; durations are counted where the
    /// container only claims them.
    ///
    /// Plays nothing and remembers nothing.
    public func inspect(_ item: ItemRequest, engine: EngineID? = nil) async throws(PlaybackError) -> LoadedMedia {
        let found = try await find(item, engine: engine)
        let live: any PlaybackEngine
        do throws(EngineError) {
            live = try await engines.start(found.engine)
        } catch {
            throw PlaybackError(error)
        }
        let result = await examine(found.content, with: live)
        await live.shutDown()
        return try result.get()
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
}
