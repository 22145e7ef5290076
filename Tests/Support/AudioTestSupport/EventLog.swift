// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Synchronization

/// Collects an output's events as short lines, and waits for one.
public final class EventLog: Sendable {
    private struct State {
        var lines: [String] = []
        var waiting: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []
        var isOver = false
    }

    private let state = Mutex(State())

    public init(_ output: any AudioOutput) {
        Task { [events = output.events, weak self] in
            for await event in events { self?.add(Self.line(event)) }
            self?.finish()
        }
    }

    public var lines: [String] { state.withLock { $0.lines } }

    /// Returns as soon as this line was logged (or the events are over).
    public func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.isOver || state.lines.contains(line) { return true }
                state.waiting.append((line, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func add(_ line: String) {
        let due = state.withLock { state in
            state.lines.append(line)
            let due = state.waiting.filter { $0.line == line }
            state.waiting.removeAll { $0.line == line }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }

    private func finish() {
        let due = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in due { waiter.continuation.resume() }
    }

    private static func line(_ event: OutputEvent) -> String {
        switch event {
        case .started(let generation): "started \(generation)"
        case .ended(let generation, let atLimit): "ended \(generation)\(atLimit ? " at the limit" : "")"
        case .starved(let generation): "starved \(generation)"
        case .routeChanged(let route, let reason): "route \(route.device ?? "-") (\(reason?.rawValue ?? "-"))"
        case .routeLost(let route, let reason): "route lost, now \(route.device ?? "-") (\(reason?.rawValue ?? "-"))"
        case .routeReturned: "route returned"
        case .interruption(began: true, let other, _):
            "interruption began for \(other?.role ?? "-") of \(other?.program ?? "-")"
        case .interruption(began: false, _, _): "interruption ended"
        case .failed(let error, let heard): "failed \(error.code.rawValue) at \(heard.map { "\($0.units)" } ?? "-")"
        }
    }
}

extension StreamRequest {
    /// A book of one generation.
    public static func test(
        _ source: any PCMSource, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2),
        encoding: SampleEncoding = .int16, generation: UInt32 = 1, rate: Double = 1, volume: Double = 1,
        isPaused: Bool = false
    ) -> StreamRequest {
        StreamRequest(
            format: format, encoding: encoding, source: source, generation: generation, rate: rate, volume: volume,
            isPaused: isPaused, title: "Test", mode: "audiobook")
    }
}
