// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// What is not known exactly of a book is found out while it plays, for this time and the next.
extension MediaPlaybackController {
    /// Called when something is audible: until then nothing may stand in its way.
    func indexInTime(_ id: EngineID) {
        guard let live = pool[id], let content = live.loaded, content.kind == .audio, content.clip == nil,
            indexing?.uri != content.uri || indexing?.serial != live.serial
        else { return }
        indexing?.task.cancel()
        let first = machine.state.current?.position.track ?? 0
        let engine = live.engine
        let serial = live.serial
        let task = Task {
            // From where the listener is, and then what lies before.
            let order = Array(first..<max(first, content.tracks.count)) + Array(0..<min(first, content.tracks.count))
            for track in order where content.tracks[track].isLocal {
                guard !Task.isCancelled, pool[id]?.serial == serial, pool[id]?.loaded == content else { return }
                guard media[id]?.description.tracks[safe: track]?.timeline.confidence != .exact else { continue }
                do throws(EngineError) {
                    // The better length comes as an event. An engine that cannot will not for another file.
                    guard try await engine.measureLater(track: track) != nil else { return }
                } catch {
                    // Another item, or the end of the engine; a file that cannot be read says so when it is played.
                    if error.isOfTheProcess { return }
                }
            }
        }
        indexing = (content.uri, serial, task)
    }
}

extension TrackSource {
    /// Can be read through without asking a server for all of it.
    fileprivate var isLocal: Bool {
        if case .url = self { false } else { true }
    }
}
