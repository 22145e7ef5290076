// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Glibc
import Synchronization
import Testing
import WaitTestSupport

@testable import AudioSession

/// An output one of whose calls does not return before the test allows it.
private final class StuckOutput: AudioOutput {
    let name: String
    let isRender = false
    let events: AsyncStream<OutputEvent>
    let report: AsyncStream<OutputEvent>.Continuation
    private let stuck: String?
    /// Locked for one access.
    private let state = Mutex<(waiting: [CheckedContinuation<Void, Never>], isFree: Bool)>(([], false))

    init(_ name: String, stuckIn call: String? = nil) {
        self.name = name
        stuck = call
        (events, report) = AsyncStream.makeStream()
    }

    var isStuck: Bool { state.withLock { !$0.waiting.isEmpty } }

    func free() {
        let waiting = state.withLock { state in
            state.isFree = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    private func pass(_ call: String) async {
        guard call == stuck else { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.isFree { state.waiting.append(continuation) }
                return state.isFree
            }
            if isFree { continuation.resume() }
        }
    }

    private var route: Route { Route(output: name, device: nil) }

    func connect() async throws(OutputError) -> Route {
        await pass("connect")
        return route
    }
    func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        await pass("open")
        return route
    }
    func pause() async throws(OutputError) -> HeardPosition? {
        await pass("pause")
        return nil
    }
    func resume() async throws(OutputError) { await pass("resume") }
    func reposition(to generation: UInt32) async throws(OutputError) { await pass("reposition") }
    func set(_ setting: StreamSetting) async throws(OutputError) { await pass(setting.name) }
    func heard() async -> HeardPosition? {
        await pass("heard")
        return HeardPosition(generation: 1, track: 0, units: 9)
    }
    func close() async -> HeardPosition? {
        await pass("close")
        return nil
    }
    func shutDown() async {
        // The calls run on its thread.
        if stuck != nil, stuck != "heard" { await pass(stuck ?? "") }
    }
}

/// A provider that returns one output after the other, as each is needed.
private final class InTurn: OutputProvider {
    private let left: Mutex<[StuckOutput]>

    init(_ outputs: [StuckOutput]) { left = Mutex(outputs) }

    func outputs(named name: String) -> [any AudioOutput] {
        left.withLock { left in left.isEmpty ? [] : [left.removeFirst()] }
    }
}

@Suite(.timeLimit(.minutes(2)), .disabled(if: ThreadSanitizer.isOn)) struct `An output that does not answer` {
    private let clock = ManualClock()

    private func session(_ outputs: [StuckOutput], _ actions: EventTape = EventTape()) -> AudioSessionCoordinator {
        AudioSessionCoordinator(provider: InTurn(outputs), deadlines: clock) { actions.add($0.action.rawValue) }
    }

    private final class EventTape: Sendable {
        private let state = Mutex<[String]>([])
        var lines: [String] { state.withLock(\.self) }
        func add(_ line: String) { state.withLock { $0.append(line) } }
    }

    private var request: StreamRequest { .test(FakeSource()) }

    /// Lets the deadline of the call expire in which an output is stuck.
    private func lapse(_ output: StuckOutput) async {
        await until { output.isStuck && clock.sleepers > 0 }
        clock.advance(by: .seconds(10))
    }

    private static let calls: [String] = [
        "connect", "open", "pause", "resume", "reposition", "setRate", "setVolume", "setSound", "setLimit", "close",
    ]

    private func call(_ name: String, _ session: AudioSessionCoordinator) async throws {
        switch name {
        case "pause": _ = try await session.pause()
        case "resume": try await session.resume()
        case "reposition": _ = try await session.reposition(to: 2)
        case "setRate": try await session.set(.rate(2))
        case "setVolume": try await session.set(.volume(0.5))
        case "setSound": try await session.set(.sound(SoundOptions(isMono: true)))
        case "setLimit": try await session.set(.limit(nil))
        case "close": _ = await session.deactivate()
        default: break
        }
    }

    @Test(arguments: calls) func `is abandoned for a new one, which is recorded`(_ name: String) async throws {
        let first = StuckOutput("first", stuckIn: name)
        let second = StuckOutput("second")
        let tape = EventTape()
        let session = session([first, second], tape)
        async let attempt: Void = {
            try await session.activate(self.request)
            try await self.call(name, session)
        }()
        await lapse(first)
        var failed = false
        do {
            try await attempt
        } catch {
            failed = true
        }
        #expect(failed == (name != "close"))
        #expect(tape.lines.contains("abandoned"))
        #expect(session.view.hungOutputs == 1)
        #expect(session.view.state == .inactive)

        try await session.activate(request)
        #expect(session.view.route?.output == "second" && session.view.state == .active)
        // What it reports when it returns concerns nothing that exists.
        first.report.yield(.failed(OutputError(.lost, source: "test", message: "late"), heard: nil))
        first.free()
        await until { session.view.hungOutputs == 0 }
        #expect(session.view.route?.output == "second" && session.view.state == .active)
        #expect(!tape.lines.contains("lost"))
    }

    @Test(arguments: ["reposition", "setVolume"]) func `causes an event if nobody checks the result`(_ name: String)
        async
    {
        let first = StuckOutput("first", stuckIn: name)
        let session = session([first])
        try? await session.activate(request)
        async let attempt: Void? = try? call(name, session)
        await lapse(first)
        for await event in session.events {
            if case .failed(let error, _) = event {
                #expect(error.code == .timeout)
                break
            }
        }
        _ = await attempt
        first.free()
    }

    @Test func `does not delay a question about the position`() async throws {
        let output = StuckOutput("first", stuckIn: "heard")
        let session = session([output])
        try await session.activate(request)
        async let heard = session.heard()
        await lapse(output)
        #expect(await heard == .none)
        #expect(await session.heard() == .none, "at once: no time goes by here")
        output.free()
        await until { await session.heard() != .none }
        #expect(session.view.hungOutputs == 0 && session.view.state == .active)
    }

    @Test func `is no longer replaced when eight are stuck`() async {
        let outputs = (0..<9).map { StuckOutput("\($0)", stuckIn: "connect") }
        let session = session(outputs)
        for output in outputs.prefix(8) {
            async let attempt: Void? = try? session.connect()
            await lapse(output)
            _ = await attempt
        }
        #expect(session.view.hungOutputs == 8)
        let error = await #expect(throws: OutputError.self) { try await session.connect() }
        #expect(error?.code == .timeout && !outputs[8].isStuck)
        #expect(error?.message.hasSuffix("then end this session: kill \(getpid())") == true, "\(error?.message ?? "")")
        for output in outputs { output.free() }
    }

    @Test func `reports a new route, which its later answer does not replace`() async throws {
        let output = StuckOutput("first", stuckIn: "open")
        let session = session([output])
        async let opened: Void = session.activate(request)
        await until { output.isStuck }
        output.report.yield(.routeChanged(Route(output: "first", device: "headphones"), .moved))
        await until { session.view.route?.device == "headphones" }
        output.free()
        try await opened
        #expect(session.view.route?.device == "headphones")
    }

    @Test func `finds nothing in the source that was taken back`() {
        let source = FakeSource()
        source.put(100, at: 0)
        let lent = LentSource(source)
        #expect(lent.next()?.frames == 100)
        lent.takeBack()
        lent.advance(by: 50)
        #expect(lent.next() == nil && !lent.rewind(to: 0) && !lent.arm() && lent.readiness == -1)
        #expect(source.next()?.frames == 100)
    }
}
