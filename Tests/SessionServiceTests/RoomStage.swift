// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Clocks
import Synchronization
import WaitTestSupport

/// The sound in a room: which engine rendered what, and how far it is heard.
///
/// Time passes when the test says so.
final class RoomStage: Sendable {
    /// What an engine renders for a generation.
    struct Rendered: Sendable, Hashable {
        var uri: String
        var start: Int64
        var range: Range<Int64>?
        var loops: Bool
        var length: Int64
    }

    /// Sound of one engine: each has a ring of its own, and those that only cut or look at a file have one, too.
    struct Source: Sendable, Hashable {
        var engine: Int
        var generation: UInt32
    }

    struct Stream: Sendable {
        var source: Source
        var isPaused: Bool
        var rate: Double
        var feed: HeardFeed?
        /// The audible position; `nil` before the first sound.
        var position: Int64?
        var hasEnded = false
    }

    /// What is audible.
    struct Audible: Sendable, Hashable {
        var generation: UInt32
        var uri: String
        var position: Int64
        var rate: Double
        var range: Range<Int64>?
    }

    /// The number of events that the output sent.
    struct Sent: Sendable, Hashable {
        /// Reports that a call began, and that one ended.
        var began = 0
        var ended = 0
        /// Reports of ``marker``, one behind each other report.
        var markers = 0
        /// Processes of engines that ended.
        var gone = 0
    }

    /// A generation that never is: a report about it tells that those before it were taken note of.
    static let marker = UInt32.max

    private struct State {
        var rendered: [Source: Rendered] = [:]
        var stream: Stream?
        var isCalling = false
        var sent = Sent()
        var failsCut = false
        var engines = 0
        var report: AsyncStream<OutputEvent>.Continuation?
    }

    /// Locked for one access: engines and the output are called by several tasks.
    private let state = Mutex(State())
    /// The doors at which whoever comes waits.
    private let closed = Watched<Set<String>>([])
    private let waiting = Watched<[String]>([])

    var sent: Sent { state.withLock(\.sent) }
    var isCalling: Bool { state.withLock(\.isCalling) }

    var audible: Audible? {
        state.withLock { state in
            guard let stream = state.stream, !stream.isPaused, !stream.hasEnded, let position = stream.position,
                let rendered = state.rendered[stream.source]
            else { return nil }
            return Audible(
                generation: stream.source.generation, uri: rendered.uri, position: position, rate: stream.rate,
                range: rendered.range)
        }
    }

    func nextEngine() -> Int {
        state.withLock { state in
            state.engines += 1
            return state.engines
        }
    }

    // MARK: Doors

    func close(_ door: String) { closed.change { $0.insert(door) } }
    func open(_ door: String) { closed.change { $0.remove(door) } }

    /// Waits while the door is closed.
    func pass(_ door: String) async {
        waiting.change { $0.append(door) }
        _ = await closed.wait { !$0.contains(door) }
        waiting.change { $0.removeAll { $0 == door } }
    }

    /// Returns when somebody waits at the door, or the condition holds.
    func isReached(_ door: String, or isOver: Watched<Bool>) async {
        while !isOver.value, !waiting.value.contains(door) { await Task.yield() }
    }

    // MARK: The engines' side

    func render(_ source: Source, _ rendered: Rendered) {
        state.withLock { state in
            state.rendered[source] = rendered
            settle(&state)
        }
    }

    /// Ends the process of the engine that is audible; returns its number.
    func crash() -> Int? {
        state.withLock { state in
            guard let stream = state.stream, !stream.isPaused, stream.position != nil, !stream.hasEnded,
                state.rendered[stream.source] != nil
            else { return nil }
            state.sent.gone += 1
            return stream.source.engine
        }
    }

    /// Silences what the engine rendered, since all of it was heard.
    func starve(_ engine: Int) {
        state.withLock { state in
            state.rendered = state.rendered.filter { $0.key.engine != engine }
            guard let stream = state.stream, stream.source.engine == engine else { return }
            Self.send(.starved(generation: stream.source.generation), &state)
        }
    }

    func failNextCut() { state.withLock { $0.failsCut = true } }
    func takeCutFailure() -> Bool {
        state.withLock { state in
            defer { state.failsCut = false }
            return state.failsCut
        }
    }

    // MARK: The output's side

    func openStream(_ request: StreamRequest) {
        state.withLock { state in
            state.stream = Stream(
                // The source says so instead of giving a descriptor.
                source: Source(engine: Int(request.source.readiness), generation: request.generation),
                isPaused: request.isPaused, rate: request.settings.rate,
                feed: request.feed)
            if state.isCalling {
                state.sent.began += 1
                Self.send(.interruption(began: true), &state)
            }
            settle(&state)
        }
    }

    func pause() -> HeardPosition? {
        state.withLock { state in
            state.stream?.isPaused = true
            return Self.heard(state.stream)
        }
    }

    func resume() {
        state.withLock { state in
            state.stream?.isPaused = false
            settle(&state)
        }
    }

    func reposition(to generation: UInt32) {
        state.withLock { state in
            state.stream?.source.generation = generation
            state.stream?.position = nil
            state.stream?.hasEnded = false
            settle(&state)
        }
    }

    func setRate(_ rate: Double) { state.withLock { $0.stream?.rate = rate } }

    var heard: HeardPosition? { state.withLock { Self.heard($0.stream) } }

    func closeStream() -> HeardPosition? {
        state.withLock { state in
            defer { state.stream = nil }
            return Self.heard(state.stream)
        }
    }

    /// Sends events to this output from now on.
    func connect(_ report: AsyncStream<OutputEvent>.Continuation) { state.withLock { $0.report = report } }

    // MARK: The world

    /// Lets time pass.
    func advance(milliseconds: Int) {
        state.withLock { state in
            guard var stream = state.stream, !stream.isPaused, !stream.hasEnded, let position = stream.position,
                let rendered = state.rendered[stream.source]
            else { return }
            var next = position + Int64(Double(milliseconds) * stream.rate)
            let end = rendered.range?.upperBound ?? rendered.length
            if next >= end, rendered.loops, let range = rendered.range {
                next = range.lowerBound + (next - range.lowerBound) % Int64(range.count)
            } else if next >= end {
                next = end
                stream.hasEnded = true
                Self.send(.ended(generation: stream.source.generation), &state)
            }
            stream.position = next
            state.stream = stream
            Self.publish(stream)
        }
    }

    /// Begins or ends a phone call, of which the server tells the stream that is open.
    func call(_ begins: Bool) {
        state.withLock { state in
            guard state.isCalling != begins else { return }
            state.isCalling = begins
            guard state.stream != nil else { return }
            if begins { state.sent.began += 1 } else { state.sent.ended += 1 }
            Self.send(.interruption(began: begins), &state)
        }
    }

    /// Begins the sound of the stream, once it is open and its engine has rendered something.
    private func settle(_ state: inout State) {
        guard var stream = state.stream, !stream.isPaused, stream.position == nil,
            let rendered = state.rendered[stream.source]
        else { return }
        stream.position = rendered.start
        state.stream = stream
        Self.publish(stream)
        state.report?.yield(.started(generation: stream.source.generation))
    }

    private static func send(_ event: OutputEvent, _ state: inout State) {
        state.sent.markers += 1
        state.report?.yield(event)
        state.report?.yield(.starved(generation: marker))
    }

    private static func heard(_ stream: Stream?) -> HeardPosition? {
        stream.flatMap { stream in
            stream.position.map { HeardPosition(generation: stream.source.generation, track: 0, units: $0) }
        }
    }

    /// Publishes the audible position for the hours around now.
    private static func publish(_ stream: Stream) {
        guard let feed = stream.feed, let place = heard(stream) else { return }
        // A publication is not accepted while somebody reads.
        while !feed.publish(
            count: 2,
            { index in
                HeardFeed.Point(
                    time: MonotonicTime.now() + Int64(2 * index - 1) * 3600 * MonotonicTime.second, place: place)
            })
        {}
    }
}
