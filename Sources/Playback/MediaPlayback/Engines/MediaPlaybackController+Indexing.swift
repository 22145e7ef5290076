// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Background measurement: what is not known exactly about a book is found out while it plays, for now and for later.
extension MediaPlaybackController {
    /// Starts the measurement; called when something is audible, because until then nothing may delay the sound.
    func indexInTime(_ id: EngineID) {
        guard let live = desk.pool[id], let content = live.loaded, content.kind == .audio, content.clip == nil,
            desk.isUnmeasured(content.uri, serial: live.serial)
        else { return }
        desk.stopMeasuring()
        let first = machine.state.current?.position.track ?? 0
        let engine = live.engine
        let serial = live.serial
        let task = Task {
            // The order is from the current track on, and then the tracks before it.
            let order = Array(first..<max(first, content.tracks.count)) + Array(0..<min(first, content.tracks.count))
            for track in order where content.tracks[track].isLocal {
                guard !Task.isCancelled, desk.pool[id]?.serial == serial, desk.pool[id]?.loaded == content else {
                    return
                }
                guard desk[open: id]?.description.tracks[safe: track]?.timeline.confidence != .exact else { continue }
                do throws(EngineError) {
                    // The exact length arrives as an event. An engine that cannot measure this file cannot measure
                    // another one either.
                    guard try await engine.measureLater(track: track) != nil else { return }
                } catch {
                    // The engine has another item, or is gone; a file that cannot be read is reported when it is
                    // played.
                    if error.isOfTheProcess { return }
                }
            }
        }
        desk.measure(content.uri, serial: serial, by: task)
    }
}

extension TrackSource {
    /// `true` if the file can be read through without requesting all of it from a server.
    fileprivate var isLocal: Bool {
        switch self {
        case .url, .served: false
        case .file, .descriptor: true
        }
    }
}
