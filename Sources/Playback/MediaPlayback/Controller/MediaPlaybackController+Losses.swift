// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// What becomes of an item whose engine is gone, or could not render on.
extension MediaPlaybackController {
    /// What is left of an engine's sound may hold none at all: an end without a frame.
    ///
    /// A stream that has not begun by then is not waited for.
    private static let patience = Duration.seconds(1)

    /// Whether what an engine rendered before it ended or failed is still to be heard; the stream tells when all of it was.
    func hearsRest(of generation: UInt32) -> Bool {
        guard generation == machine.state.generation, machine.state.stream != .starved else { return false }
        if machine.state.stream != .sounding {
            let clock = clock
            Task { [weak self] in
                try? await clock.sleep(for: Self.patience)
                await self?.endRest(of: generation)
            }
        }
        return true
    }

    private func endRest(of generation: UInt32) async {
        guard generation == machine.state.generation, let id = machine.state.current?.engine,
            machine.state.stream == .opening || machine.state.stream == .waiting
        else { return }
        await endRest(of: generation, id)
    }

    /// All that an engine had rendered was heard: now it counts that it is gone, or has failed.
    func endRest(of generation: UInt32, _ id: EngineID) async {
        guard let failure = pool[id]?.failure, failure.generation == generation else {
            return await lose(id, wasHeard: true)
        }
        pool.noteFailed(id, nil)
        await tell(failure)
    }

    func tell(_ failure: EnginePool.Failure) async {
        let heard = await heardNow()
        handle(.engineFailed(generation: failure.generation, PlaybackError(failure.error), heard: heard))
    }

    /// Lets go of an engine whose process is gone, and has the machine bring back what it played.
    ///
    /// `wasHeard`: all that it had rendered was; so what comes at this place may be what ended it.
    func lose(_ id: EngineID, wasHeard: Bool = false) async {
        guard let error = pool[id]?.fallen else { return }
        let playing = machine.state.current
        let isAtFault = playing?.engine == id && (wasHeard || machine.state.stream != .sounding)
        // First, so that nothing that comes meanwhile is asked of it.
        _ = pool.remove(id)
        let open = media[id]
        media[id] = nil
        let generation = machine.state.generation
        let heard = await heardNow()
        var beyond: MediaPosition?
        if isAtFault, let open, let playing {
            beyond = await place(beyond: heard ?? playing.position, in: open)
        }
        // Something else may play by now, or the same in a new process.
        guard machine.state.current?.engine == id, pool[id] == nil, starting[id] == nil else { return }
        let isSame = generation == machine.state.generation
        handle(
            .engineGone(
                generation: machine.state.generation, PlaybackError(error), heard: isSame ? heard : nil,
                beyond: isSame ? beyond : nil))
    }

    private static let longestRead = Duration.seconds(1)

    /// Where to go on behind a place that ends an engine: at the next sentence of a text; in a book a second on, then two,
    /// then four, over chapters and files.
    private func place(beyond place: MediaPosition, in open: LoadedMedia) async -> MediaPosition? {
        guard open.content.kind == .text else {
            let seconds = Double(1 << min(machine.state.fatal?.steps ?? 0, 9))
            return open.timeline.move(place, bySeconds: seconds)
        }
        guard let source = open.content.tracks.first else { return nil }
        let passage = await BlockingQueue(label: "rostrum.passage").run(within: Self.longestRead) {
            TextPassage(source, from: place.units)
        }
        guard let length = passage??.sentence, length > 0 else { return nil }
        return MediaPosition(track: place.track, units: place.units + Int64(length))
    }
}
