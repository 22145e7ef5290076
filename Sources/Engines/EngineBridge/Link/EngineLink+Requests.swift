// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineABI
import EngineTransport
import MediaPlayback
import PlaybackCore

/// Sends requests, each of which is answered, or fails at its deadline or at the end of the engine.
extension EngineLink {
    func load(_ request: LoadRequest, _ completion: @escaping Completion) {
        let content = request.content
        guard content.tracks.count <= Int(Limits.tracks) else {
            let message =
                "“\(content.title)” has \(content.tracks.count) files, more than \(Limits.tracks); play it in parts"
            return completion(.failure(EngineError(number: ROSTRUM_ERROR_FORMAT, message: message)))
        }
        guard let count = UInt32(exactly: content.tracks.count), (1...Limits.tracks).contains(count),
            let track = UInt32(exactly: request.start.track), request.start.units >= 0
        else {
            let message = "no place \(request.start.track):\(request.start.units) in \(content.tracks.count) tracks"
            return completion(.failure(EngineError(number: ROSTRUM_ERROR_ARGUMENT, message: message)))
        }
        guard track < count else {
            // It has fewer than when the place was kept.
            let message =
                "file \(track + 1) is gone: “\(content.title)” has \(count) now; use --from-start to begin at 0"
            return completion(.failure(EngineError(number: ROSTRUM_ERROR_NOT_FOUND, message: message)))
        }
        let number = ask(.load, deadlines.load, completion) { number in
            .load(
                request: number,
                HostMessage.Load(
                    generation: request.generation,
                    kind: content.kind == .text ? ROSTRUM_KIND_TEXT : ROSTRUM_KIND_AUDIO, trackCount: count,
                    startTrack: track, start: request.start.units, language: content.language, voice: request.voice,
                    rate: request.rate))
        }
        guard let number else { return }
        openings.interrupt()
        loads.begin(number, request)
        ring.noteLoad()
    }

    func seek(track: Int, units: Int64, generation: UInt32, _ completion: @escaping Completion) {
        ask(.other, deadlines.seek, completion) { number in
            .seek(request: number, generation: generation, track: UInt32(clamping: track), position: units)
        }
        openings.interrupt()
        loads.noteSeek(to: UInt32(clamping: track))
        ring.noteSeek()
    }

    func setRate(_ rate: Double, _ completion: @escaping Completion) {
        ask(.other, deadlines.rate, completion) { .setRate(request: $0, rate) }
    }

    func setRange(
        _ start: MediaPosition, _ end: MediaPosition, loops: Bool, _ completion: @escaping Completion
    ) {
        ask(.other, deadlines.rate, completion) { number in
            .setRange(
                request: number,
                HostMessage.Range(
                    startTrack: UInt32(clamping: start.track), start: start.units,
                    endTrack: UInt32(clamping: end.track), end: end.units, loops: loops))
        }
    }

    func measure(track: Int, _ completion: @escaping Completion) {
        let track = UInt32(clamping: track)
        ask(.measure, of: track, deadlines.measure, completion) { .measure(request: $0, track: track) }
    }

    func measureLater(track: Int, _ completion: @escaping Completion) {
        let track = UInt32(clamping: track)
        ask(.measureLater, of: track, deadlines.measureLater, completion) { .measureLater(request: $0, track: track) }
    }

    func describeAll(_ completion: @escaping Completion) {
        ask(.describe, deadlines.describe, completion) { .describeAll(request: $0) }
    }

    func voices(_ completion: @escaping Completion) {
        ask(.voices, deadlines.voices, completion) { .voices(request: $0) }
    }

    func unload(_ completion: @escaping Completion) {
        ask(.other, deadlines.unload, completion) { .unload(request: $0) }
    }

    @discardableResult
    func ask(
        _ kind: OutstandingRequests.Kind, of track: UInt32? = nil, _ allowance: Duration,
        _ completion: @escaping Completion, descriptors: [OwnedDescriptor] = [],
        _ message: (UInt32) -> HostMessage
    ) -> UInt32? {
        guard life.isRunning else {
            completion(.failure(life.refusal))
            return nil
        }
        let number = requests.add(kind, track: track, at: now(), allowance: allowance.nanoseconds, completion)
        if kind != .ping, let used = process?.processorTime { processor.noteRequest(at: now(), used: used) }
        send(message(number), descriptors)
        return number
    }

    func answer(_ request: UInt32, _ result: Result<Reply, EngineError>) {
        let kind = requests.kind(of: request)
        switch requests.takeAsker(of: request) {
        case .waiting(let completion):
            // A track that could not be opened to be examined is no reason for a failure of what plays.
            if let kind, [.describe, .measure, .measureLater, .cover, .cut, .peaks].contains(kind) {
                loads.forgetSourceFailure()
            }
            completion(result)
        case .gone: loads.forgetSourceFailure()
        case .nobody: end(misbehaved("answered a request that was not made"))
        }
    }

    func send(_ message: HostMessage, _ descriptors: [OwnedDescriptor] = []) {
        if !connection.send(message, descriptors) { end(misbehaved("does not read its messages")) }
    }

    /// Sends as many queued messages as the socket accepts.
    func flush() { connection.flush() }
}
