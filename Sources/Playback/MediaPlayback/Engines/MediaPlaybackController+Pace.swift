// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
import PlaybackCore
import TaskChains

/// Learning how fast a text is spoken, so that its times and its length become right.
extension MediaPlaybackController {
    /// The change of a pace, as a share, from which on times follow it: they would never stand still otherwise.
    private static let leastChange = 0.02

    /// Reads, once, what earlier sessions learned.
    func restorePaces() async {
        guard !desk.paces.isRead else { return }
        do throws(PlaceStoreError) {
            desk.paces.restore(try await ports.store.setting(.paces))
        } catch {
            // It is read with the next text, and nothing is stored in its place until then.
            return
        }
    }

    /// Returns the bytes a second of a text, as far as that was learned; `nil` for a recording.
    func pace(of content: Content, _ description: MediaDescription, voice: String?, by engine: EngineID) -> Double? {
        guard content.kind == .text, let track = description.tracks.first, track.timeline.confidence == .estimated
        else {
            return nil
        }
        let key = SpeechPaces.Key(engine: engine, voice: voice, language: content.document?.language)
        return desk.paces.bytesPerSecond(key, estimate: track.timeline.unitsPerSecond)
    }

    /// Learns from a place that is audible, a moment after another one.
    func learnPace(at heard: MediaPosition, _ generation: UInt32) {
        let state = machine.state
        guard generation == state.generation, state.stream == .sounding, let current = state.current,
            current.item.kind == .text, sound.silence == nil, let open = desk[open: current.engine],
            open.content.uri == current.item.uri, let track = open.description.tracks.first
        else { return desk.paces.pause() }
        let voice = items[opening: current.item.uri].voice(for: current.engine)
        let key = SpeechPaces.Key(engine: current.engine, voice: voice, language: open.content.document?.language)
        let isNew = desk.paces.note(
            heard.units, at: MonotonicTime.now(), generation: generation, rate: state.rate, of: key,
            estimate: track.timeline.unitsPerSecond)
        guard isNew, let pace = pace(of: open.content, open.description, voice: voice, by: current.engine) else {
            return
        }
        guard abs(pace / (open.pace ?? track.timeline.unitsPerSecond) - 1) > Self.leastChange else { return }
        desk.set(pace: pace, of: current.engine)
        publish(.state)
    }

    /// Stores what was learned.
    func keepPaces() {
        guard desk.paces.isUnsaved, desk.paces.isRead else { return }
        let text = desk.paces.stored()
        keeping.saves.append(on: self) { controller in
            // What is lost is learned again.
            try? await controller.ports.store.set(.paces, to: text)
        }
    }
}
