// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Clocks
import Synchronization
import Testing

@testable import AudioSession

/// An output whose connection succeeds or fails after a time, as the test specifies.
private final class ScriptedOutput: AudioOutput {
    let name: String
    let isRender = false
    let events: AsyncStream<OutputEvent>
    let report: AsyncStream<OutputEvent>.Continuation
    private let connecting: @Sendable () -> OutputError?
    private let opening: @Sendable () -> OutputError?
    private let opened: @Sendable () async -> Void
    private let place: HeardPosition?

    init(
        _ name: String, connecting: @escaping @Sendable () -> OutputError? = { nil },
        opening: @escaping @Sendable () -> OutputError? = { nil },
        opened: @escaping @Sendable () async -> Void = {}, place: HeardPosition? = nil
    ) {
        self.opened = opened
        self.place = place
        self.name = name
        self.connecting = connecting
        self.opening = opening
        (events, report) = AsyncStream.makeStream()
    }

    func connect() async throws(OutputError) -> Route {
        if let error = connecting() { throw error }
        return Route(output: name, device: nil)
    }

    func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        if let error = opening() { throw error }
        await opened()
        return Route(output: name, device: nil)
    }

    func pause() async throws(OutputError) -> HeardPosition? { nil }
    func resume() async throws(OutputError) {}
    func reposition(to generation: UInt32) async throws(OutputError) {}
    func set(_ setting: StreamSetting) async throws(OutputError) {}
    func heard() async -> HeardPosition? { place }
    func close() async -> HeardPosition? { HeardPosition(generation: 1, track: 0, units: 7) }
    func shutDown() async {}
}

private struct Outputs: OutputProvider {
    let all: [ScriptedOutput]

    func outputs(named name: String) -> [any AudioOutput] { name == "auto" ? all : all.filter { $0.name == name } }
}

/// The coordinator's records, one line each.
private final class Tape: Sendable {
    /// Locked for one access.
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock(\.self) }

    func add(_ record: SessionRecord) {
        let error = record.error.map { " (\($0.message))" } ?? ""
        let route = record.route.map { " on \($0.output)" } ?? ""
        state.withLock { $0.append("\(record.action): \(record.from) -> \(record.to)\(route)\(error)") }
    }
}

@Suite struct AudioSessionCoordinatorTests {
    private let tape = Tape()

    private func session(_ outputs: [ScriptedOutput], now: @escaping @Sendable () -> Int64 = { 0 })
        -> AudioSessionCoordinator
    {
        AudioSessionCoordinator(provider: Outputs(all: outputs), now: now) { [tape] record in tape.add(record) }
    }

    private var request: StreamRequest {
        StreamRequest(
            format: AudioFormat(sampleRate: 48_000, channels: 2), encoding: .int16, source: FakeSource(),
            generation: 1, title: "A book", mode: "audiobook")
    }

    @Test("every change is recorded with the state before and after it") func changes() async throws {
        let session = session([ScriptedOutput("pulse")])
        try await session.activate(request)
        _ = try await session.pause()
        try await session.resume()
        #expect(await session.deactivate()?.units == 7)
        #expect(
            tape.lines == [
                "connect: activating -> activating on pulse",
                "activate: inactive -> active on pulse",
                "pause: active -> active on pulse",
                "resume: active -> active on pulse",
                "deactivate: active -> inactive on pulse",
            ])
    }

    @Test("the next output is tried, and the failed call is recorded") func next() async throws {
        let refused = OutputError(.unavailable, source: "pa_context_connect", message: "no sound server")
        let session = session([ScriptedOutput("pulse", connecting: { refused }), ScriptedOutput("alsa")])
        try await session.activate(request)
        #expect(
            tape.lines == [
                "connect: activating -> activating (no sound server)",
                "connect: activating -> activating on alsa",
                "activate: inactive -> active on alsa",
            ])
    }

    @Test("if no output can be reached, the error names each failure") func none() async {
        let refused = OutputError(.unavailable, source: "pa_context_connect", message: "no sound server")
        let absent = OutputError(.unavailable, source: "snd_pcm_open", message: "no card")
        let session = session([
            ScriptedOutput("pulse", connecting: { refused }), ScriptedOutput("alsa", connecting: { absent }),
        ])
        let error = await #expect(throws: OutputError.self) { try await session.activate(request) }
        #expect(error?.code == .unavailable && error?.message == "no sound server; no card")
        #expect(await session.state == .inactive)
    }

    @Test("a server that went away between two streams is connected to again") func lost() async throws {
        let opened = Mutex(0)
        let lost = OutputError(.lost, source: "pa_stream_connect_playback", message: "the server is gone")
        let output = ScriptedOutput(
            "pulse",
            opening: {
                opened.withLock {
                    $0 += 1; return $0 == 1 ? lost : nil
                }
            })
        let session = session([output])
        try await session.activate(request)
        #expect(await session.state == .active)
        #expect(opened.withLock(\.self) == 2)
    }

    @Test("a mute server is waited for once per load and tried again a second later") func mute() async throws {
        let time = Mutex<Int64>(0)
        let answers = Mutex(false)
        let timeout = OutputError(.timeout, source: "pa_context_connect", message: "no answer within 5 s")
        let output = ScriptedOutput(
            "pulse",
            connecting: {
                guard !answers.withLock(\.self) else { return nil }
                time.withLock { $0 += 5 * MonotonicTime.second }
                return timeout
            })
        let session = session([output], now: { time.withLock(\.self) })
        try? await session.connect()
        for _ in 0..<2 {
            let error = await #expect(throws: OutputError.self) { try await session.activate(request) }
            #expect(error?.code == .timeout)
        }
        #expect(time.withLock(\.self) == 5 * MonotonicTime.second)

        answers.withLock { $0 = true }
        time.withLock { $0 += MonotonicTime.second }
        try await session.activate(request)
        #expect(await session.state == .active)
    }

    @Test("a server that refuses at once is tried again at once") func refusal() async throws {
        let answers = Mutex(false)
        let refused = OutputError(.unavailable, source: "pa_context_connect", message: "no sound server")
        let session = session([
            ScriptedOutput("pulse", connecting: { answers.withLock(\.self) ? nil : refused })
        ])
        await #expect(throws: OutputError.self) { try await session.connect() }
        answers.withLock { $0 = true }
        try await session.activate(request)
    }

    @Test("sound before the call that opens the stream returns has a position") func early() async throws {
        let (sounds, sound) = AsyncStream.makeStream(of: Void.self)
        let (returns, goOn) = AsyncStream.makeStream(of: Void.self)
        let place = HeardPosition(generation: 1, track: 0, units: 5)
        let session = session([
            ScriptedOutput(
                "pulse",
                opened: {
                    sound.yield()
                    for await _ in returns { return }
                }, place: place)
        ])
        #expect(await session.heard() == .place(nil))
        async let activated: Void = session.activate(request)
        for await _ in sounds { break }
        #expect(await session.heard() == .place(place))
        goOn.yield()
        try await activated
        _ = await session.deactivate()
        #expect(await session.heard() == .place(nil))
    }

    @Test("selecting another output ends the stream of the first and returns its position") func select() async throws {
        let session = session([ScriptedOutput("pulse"), ScriptedOutput("alsa")])
        try await session.activate(request)
        #expect(await session.select(output: "alsa")?.units == 7)
        #expect(await session.select(output: "alsa") == nil)
        try await session.activate(request)
        #expect(tape.lines.last == "activate: inactive -> active on alsa")
    }
}
