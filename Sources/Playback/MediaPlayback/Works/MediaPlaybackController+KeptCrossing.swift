// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import TaskChains

/// The reading of a gap that outlives the session: it is kept until the recording is heard behind it.
extension MediaPlaybackController {
    /// Notes what is read for a gap, also for the next session.
    func keep(_ crossing: GapCrossing) {
        items.gaps.cross(crossing)
        persistCrossing()
    }

    func persistCrossing() {
        let text = items.gaps.crossing?.encoded
        keeping.saves.append(on: self) { controller in
            do throws(PlaceStoreError) {
                try await controller.ports.store.set(.gap, to: text)
            } catch {
                // No place is lost with it: this session knows what it reads, and the text keeps a place of its own.
                controller.record(note: "what is read for a gap is not kept for the next session: \(error.message)")
            }
        }
    }

    /// Forgets what was read for a gap.
    func endCrossing(for generation: UInt32? = nil) {
        guard items.gaps.crossing != nil else { return }
        items.gaps.leave(for: generation)
        persistCrossing()
    }

    /// Reads, once, what an earlier session was reading.
    func readKeptCrossing() async {
        guard ports.works != nil, !items.gaps.isRestored else { return }
        let found: String?
        do throws(PlaceStoreError) {
            found = try await ports.store.setting(.gap)
        } catch {
            // The next item asks for it again.
            return
        }
        items.gaps.restore(found.flatMap(GapCrossing.init(text:)))
    }

    /// Lets a text that goes on where it was left for a gap end with that gap, as it did before.
    ///
    /// A text at a place that the listener chose is read for its own sake.
    func takeUpCrossing(_ playing: Playing) async {
        await readKeptCrossing()
        let uri = playing.item.uri
        guard let crossing = items.gaps.crossing, machine.state.owner == .main, crossing.text.uri == uri,
            items[opening: uri].limit == nil, items[opening: uri].moves.isEmpty, crossing.isWithin(playing.position)
        else { return }
        switch items[opening: uri].start {
        case nil, .rewound: items[opening: uri].limit = .position(crossing.textEnd)
        default: break
        }
    }

    /// Follows what is heard: the reading of a gap is over once anything else is.
    func followCrossing(_ generation: UInt32) {
        let state = machine.state
        guard let crossing = items.gaps.crossing, generation == state.generation, state.owner == .main,
            let uri = state.current?.item.uri
        else { return }
        if uri == crossing.text.uri, items[opening: uri].limit == .position(crossing.textEnd) { return }
        // The rest of the recording may sound while the text is looked up.
        let isRecording = uri == crossing.recording.uri
        if isRecording, !crossing.isRead, state.lookUp?.owner == .main { return }
        endCrossing(for: isRecording ? generation : nil)
    }
}
