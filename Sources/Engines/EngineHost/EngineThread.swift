// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport

/// The engine's own thread: it performs commands first, then renders, then finds out about tracks, and otherwise
/// sleeps.
final class EngineThread {
    private let inbox: HostInbox
    private let socket: MessageSocket
    private let writer: RingWriter
    private let engine: EngineInstance

    private var loaded: (renderer: Renderer, undescribed: [UInt32])?
    /// The requests that wait until every track has been described.
    private var describing: [UInt32] = []
    /// The tracks to measure when there is time.
    private var measuring: [(request: UInt32, track: UInt32)] = []

    init(engine: EngineInstance, inbox: HostInbox, socket: MessageSocket, writer: RingWriter) {
        self.engine = engine
        self.inbox = inbox
        self.socket = socket
        self.writer = writer
    }

    func run() {
        while !inbox.isClosed {
            if let command = inbox.take() {
                perform(command)
            } else if !render(), !describe(), !measure() {
                sleep()
            }
        }
        if loaded != nil { engine.unload() }
        engine.destroy()
    }

    private func send(_ message: EngineMessage) {
        _ = socket.send(message.encoded(), waiting: true)
    }

    private func perform(_ command: HostCommand) {
        do throws(WireFailure) {
            switch command {
            case .load(let request, let load): try self.load(request, load)
            case .seek(_, let generation, let track, let position):
                try seek(generation, track, position)
                send(.done(request: command.request))
            case .setRate(_, let rate):
                try engine.setRate(rate)
                send(.done(request: command.request))
            case .setRange(_, let range):
                try requireTrack(range.startTrack)
                try requireTrack(range.endTrack)
                try engine.setRange(range)
                loaded?.renderer.nextLoopStart = range.loops ? (range.startTrack, range.start) : nil
                send(.done(request: command.request))
            case .measure(_, let track):
                try requireTrack(track)
                measured(command.request, track, try engine.measure(track: track))
            case .measureLater(_, let track):
                try requireTrack(track)
                measuring.append((command.request, track))
            case .cover(_, let track):
                try requireTrack(track)
                sendCover(command.request, try engine.cover(track: track))
            case .cut(_, let cut, let descriptors):
                try requireTrack(cut.startTrack)
                try requireTrack(cut.endTrack)
                send(.cut(request: command.request, try engine.cut(cut, into: descriptors)))
            case .peaks(_, let track, let framesPerPeak, let first, let count):
                try requireTrack(track)
                guard (1...Limits.peaks).contains(count) else {
                    throw WireFailure(code: ROSTRUM_ERROR_ARGUMENT, message: "a request for \(count) peaks")
                }
                // Rendering would open the file a second time, for sound that nobody takes.
                loaded?.renderer.stop()
                let peaks = try engine.peaks(track: track, framesPerPeak, from: first, count: count)
                send(.peaks(request: command.request, peaks))
            case .describeAll:
                try requireLoaded()
                describing.append(command.request)
                answerDescribed()
            case .voices:
                for batch in batches(of: try engine.listVoices(), size: \.size) {
                    send(.voices(request: command.request, Array(batch)))
                }
                send(.done(request: command.request))
            case .ping:
                send(.done(request: command.request))
            case .unload:
                unload()
                send(.done(request: command.request))
            }
        } catch {
            send(.failed(request: command.request, error))
        }
    }

    private func requireLoaded() throws(WireFailure) {
        guard loaded != nil else { throw WireFailure(code: ROSTRUM_ERROR_STATE, message: "nothing is loaded") }
    }

    private func requireTrack(_ track: UInt32) throws(WireFailure) {
        try requireLoaded()
        guard let count = loaded?.renderer.trackCount, track < count else {
            throw WireFailure(code: ROSTRUM_ERROR_ARGUMENT, message: "there is no track \(track)")
        }
    }

    // MARK: Content

    private func load(_ request: UInt32, _ load: HostMessage.Load) throws(WireFailure) {
        forget()
        guard (1...Limits.tracks).contains(load.trackCount), load.startTrack < load.trackCount, load.start >= 0 else {
            throw WireFailure(code: ROSTRUM_ERROR_ARGUMENT, message: "no place to start at")
        }
        engine.services.load = request
        try engine.load(load)
        do throws(WireFailure) {
            let media = try engine.media()
            guard media.tracks == load.trackCount, media.chapters <= Limits.chapters else {
                throw WireFailure(
                    code: EngineNumber.misbehaved,
                    message: "the engine \(engine.name) found \(media.tracks) tracks and \(media.chapters) chapters")
            }
            let start = try engine.track(load.startTrack, within: .load)
            var chapters: [WireChapter] = []
            for index in 0..<media.chapters { chapters.append(try engine.chapter(index)) }
            let size = { (chapter: WireChapter) in 40 + (chapter.title?.utf8.count ?? 0) + chapter.source.utf8.count }
            for batch in batches(of: chapters, size: size) { send(.chapters(load: request, Array(batch))) }
            send(.tracks(load: request, [start]))
            send(
                .loaded(
                    request: request, title: media.title, author: media.author, trackCount: media.tracks,
                    chapterCount: media.chapters))
            loaded = (
                Renderer(writer, load, start: start),
                (0..<load.trackCount).reversed().filter { $0 != load.startTrack }
            )
        } catch {
            engine.unload()
            throw error
        }
    }

    private func unload() {
        if loaded != nil { engine.unload() }
        forget()
    }

    /// Forgets what was loaded, without a call of `unload`: an engine drops it by itself when it loads.
    private func forget() {
        loaded = nil
        for request in describing { send(.failed(request: request, EngineInstance.interrupted)) }
        describing = []
        for waiting in measuring { send(.failed(request: waiting.request, EngineInstance.interrupted)) }
        measuring = []
    }

    private func seek(_ generation: UInt32, _ track: UInt32, _ position: Int64) throws(WireFailure) {
        try requireTrack(track)
        loaded?.renderer.stop()
        try engine.seek(track: track, position: position)
        loaded?.renderer.restart(generation: generation, track: track, position: position)
    }

    // MARK: Sound

    /// Renders, and returns `false` if there is nothing to render or no room.
    private func render() -> Bool {
        guard loaded?.renderer.wantsToRender == true, !rendersLater else { return false }
        do throws(WireFailure) {
            let progress = try loaded?.renderer.step(engine)
            for damage in loaded?.renderer.takeDamages() ?? [] {
                send(.damaged(generation: loaded?.renderer.generation ?? 0, track: damage.track, damage.range))
            }
            switch progress {
            case .noRoom, nil: return false
            case .published, .commandWaits, .over: return true
            }
        } catch {
            send(.renderFailed(generation: loaded?.renderer.generation ?? 0, error))
            return true
        }
    }

    /// Describes one more track, and returns `false` if all have been described.
    private func describe() -> Bool {
        guard loaded?.undescribed.isEmpty == false else { return false }
        // Opening a track may take long; room in the ring that appears meanwhile interrupts the call.
        if roomIsThere() { return true }
        defer { writer.endWait() }
        guard let track = loaded?.undescribed.popLast() else { return false }
        do throws(WireFailure) {
            send(.tracks(load: engine.services.load, [try engine.track(track, within: .describe)]))
        } catch {
            if error == EngineInstance.interrupted {
                loaded?.undescribed.append(track)
                return true
            }
            engine.services.log(ROSTRUM_LOG_WARNING, "track \(track): \(error.message)")
        }
        answerDescribed()
        return true
    }

    private func answerDescribed() {
        guard loaded?.undescribed.isEmpty == true else { return }
        for request in describing { send(.done(request: request)) }
        describing = []
    }

    /// Continues to measure, and returns `false` if nothing remains to be measured.
    private func measure() -> Bool {
        guard let next = measuring.first else { return false }
        // Room in the ring that appears meanwhile interrupts the call, because sound comes first.
        if roomIsThere() { return true }
        defer { writer.endWait() }
        do throws(WireFailure) {
            let duration = try engine.measure(track: next.track, within: .describe)
            measuring.removeFirst()
            measured(next.request, next.track, duration)
            // Send the description again, since measuring may have changed it.
            if duration != nil, let track = try? engine.track(next.track, within: .brief) {
                send(.tracks(load: engine.services.load, [track]))
            }
        } catch {
            if error == EngineInstance.interrupted { return true }
            measuring.removeAll { $0.request == next.request }
            send(.failed(request: next.request, error))
        }
        return true
    }

    private func measured(_ request: UInt32, _ track: UInt32, _ duration: Int64?) {
        if duration != nil, let index = engine.index(track: track) {
            for start in stride(from: 0, to: index.count, by: Limits.indexPart) {
                let part = Array(index[start..<min(start + Limits.indexPart, index.count)])
                send(.index(request: request, total: UInt32(index.count), part: part))
            }
        }
        send(.measured(request: request, duration: duration))
    }

    private func sendCover(_ request: UInt32, _ cover: (mediaType: String, bytes: [UInt8])?) {
        let bytes = cover?.bytes ?? []
        for start in stride(from: 0, to: bytes.count, by: Limits.coverPart) {
            let part = Array(bytes[start..<min(start + Limits.coverPart, bytes.count)])
            send(.coverPart(request: request, total: UInt32(bytes.count), part: part))
        }
        send(.cover(request: request, mediaType: cover?.mediaType))
    }

    private func sleep() {
        if roomIsThere() { return }
        inbox.sleep()
        writer.endWait()
    }

    /// Requests a signal for when there is room, if room is wanted; returns `true` if there already is some.
    private func roomIsThere() -> Bool {
        // Do this even if there is nothing to render. Otherwise room that appeared before the end of the content would
        // interrupt every call that finds out about tracks.
        inbox.expectRoom()
        guard let renderer = loaded?.renderer, renderer.wantsToRender else { return false }
        guard rendersLater else { return writer.prepareToWait(floats: renderer.wanted) }
        writer.beginWait()
        return !rendersLater
    }

    /// `true` while a request waits for all tracks and there is a little sound, which is enough meanwhile.
    private var rendersLater: Bool { !describing.isEmpty && writer.used > writer.capacity / 4 }
}
