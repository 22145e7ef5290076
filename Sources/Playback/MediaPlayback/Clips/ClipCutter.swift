// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// Cuts passages out of items in engine processes of its own; plays nothing and remembers nothing.
struct ClipCutter: Sendable {
    /// The engine that cuts.
    private static let engine = EngineID("clip")

    let finder: ItemFinder
    /// The command that this is part of, for the log.
    let command: String?

    func cut(_ cut: ClipCut, of item: ItemRequest) async throws(PlaybackError) -> CutResult {
        let found = try await finder.find(item, engine: Self.engine, command: command)
        guard found.content.kind == .audio else {
            throw PlaybackError(.badContent, message: "“\(found.item.title)” is a text; clips are of recordings")
        }
        do throws(EngineError) {
            let live = try await finder.engines.start(Self.engine)
            let result = await withTaskCancellationHandler {
                await Self.cut(cut, of: found.content, with: live)
            } onCancel: {
                // It ends the call of the engine.
                Task { await live.unload() }
            }
            await live.shutDown()
            return try result.get()
        } catch {
            throw PlaybackError(error)
        }
    }

    private static func cut(
        _ cut: ClipCut, of content: Content, with live: any PlaybackEngine
    ) async -> Result<CutResult, EngineError> {
        do throws(EngineError) {
            guard let cutter = live as? any ClipCutting else {
                throw EngineError(.unavailable, message: "the engine \(live.id) cannot cut; install another one")
            }
            _ = try await live.load(
                LoadRequest(content: content, start: cut.start, generation: 1, rate: 1, voice: nil))
            guard !Task.isCancelled else { throw EngineError(.failed, message: "the cut was given up") }
            return .success(try await cutter.cut(cut))
        } catch {
            return .failure(error)
        }
    }
}

extension MediaPlaybackController {
    /// Writes a passage of an item into a file, in an engine process of its own.
    ///
    /// What plays is not affected. Returns when the file is complete; it is not synced to the disk. A task that is
    /// cancelled ends the cut.
    public func cut(_ cut: ClipCut, of item: ItemRequest) async throws(PlaybackError) -> CutResult {
        try await cutter.cut(cut, of: item)
    }
}
