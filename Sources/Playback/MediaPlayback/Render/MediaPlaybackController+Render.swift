// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
public import PlaybackCore
import TransitionRecords

extension MediaPlaybackController {
    /// Renders an item to an output that keeps no clock, independently of what plays.
    ///
    /// The render is an owner of its own (`render-N`) with its own engine process. It disturbs no playback, reads the
    /// saved place only if asked to, and saves none. Returns when the last frame is written, or when its task is
    /// cancelled: what is written by then stays, and can be played.
    ///
    /// - Parameter began: called once, when the item is loaded and the output is open; not called if this throws
    ///   before.
    /// - Returns: a description of the text that could not be spoken and is left out; `nil` if there is none.
    @discardableResult
    public func render(
        _ request: PlayRequest, to outputName: String, began: @Sendable () -> Void = {}
    ) async throws(PlaybackError) -> String? {
        let owner = OwnerID("render-\(orders.nextRender())")
        let found = try await find(request.item, engine: request.engine)
        if request.voice != nil { try Self.refuseVoice(for: found.item.kind, found.item.title) }
        guard let output = ports.outputs.outputs(named: outputName).first, output.isRender else {
            throw PlaybackError(.usage, message: "“\(outputName)” is not a render; use wav:PATH or null:fast")
        }
        var request = try await located(request, in: found.content)
        request.voice = request.voice ?? languageVoice(for: found.content, in: found.engine)
        let note = { @Sendable [log = ports.log] (action: String, error: String?, warning: String?) in
            log.record(
                TransitionEntry(
                    .event, cause: .user, engine: found.engine, owner: owner,
                    fields: [
                        "event": "render", "action": .string(action), "item": .string(found.item.uri),
                        "errorMessage": .optional(error), "warning": .optional(warning),
                    ]))
        }
        note("began", nil, nil)
        var start = MediaPosition.start
        if case .saved = request.start,
            case .progress(let place) = await ports.store.place(of: found.item.uri, owner: .main),
            !place.finished
        {
            start = place.position
        }
        let render = Render(
            engines: ports.engines, output: session.patient(output), found: found, request: request,
            rules: settings.rules,
            syntheticChapters: settings.syntheticSeconds, clock: ports.clock
        ) { action, message in
            note(action, message, nil)
        }
        do throws(PlaybackError) {
            let unspoken = try await render.run(from: start, began: began)
            note("ended", nil, unspoken?.words)
            return unspoken?.words
        } catch {
            note("ended", error.message, nil)
            throw error
        }
    }
}
