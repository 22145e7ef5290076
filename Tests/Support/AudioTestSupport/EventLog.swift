// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import Testing
import WaitTestSupport

/// A log that collects an output's events as short lines and can wait for one.
public final class EventLog: Sendable {
    private let watched = Watched<[String]>([])

    public init(_ output: any AudioOutput) {
        Task { [events = output.events, watched] in
            for await event in events { watched.change { $0.append(Self.line(event)) } }
            watched.end()
        }
    }

    public var lines: [String] { watched.value }

    /// Waits until this line was logged, or the events end.
    public func wait(for line: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait("“\(line)”", sourceLocation) { $0 == line }
    }

    /// Waits until a line with this prefix was logged, or the events end.
    public func wait(forPrefix prefix: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait("“\(prefix)”", sourceLocation) { $0.hasPrefix(prefix) }
    }

    private func wait(
        _ what: String, _ sourceLocation: SourceLocation, for test: @escaping @Sendable (String) -> Bool
    ) async {
        if await watched.wait(until: { $0.contains(where: test) }) { return }
        didNotCome(what, lines.joined(separator: "\n"), sourceLocation)
    }

    private static func line(_ event: OutputEvent) -> String {
        switch event {
        case .started(let generation): "started \(generation)"
        case .ended(let generation, let atLimit): "ended \(generation)\(atLimit ? " at the limit" : "")"
        case .starved(let generation): "starved \(generation)"
        case .routeChanged(let route, let reason): "route \(route.device ?? "-") (\(reason?.rawValue ?? "-"))"
        case .routeLost(let route, let reason): "route lost, now \(route.device ?? "-") (\(reason?.rawValue ?? "-"))"
        case .routeReturned: "route returned"
        case .woke(let milliseconds): "woke after \(milliseconds) ms"
        case .interruption(began: true, let other, let othersPlay):
            "interruption began for \(other?.role ?? "-") of \(other?.program ?? "-"), \(words(othersPlay))"
        case .interruption(began: false, _, let othersPlay): "interruption ended, \(words(othersPlay))"
        case .failed(let error, let heard): "failed \(error.code.rawValue) at \(heard.map { "\($0.units)" } ?? "-")"
        }
    }
}

/// Returns words for whether others play, as far as the server reports it.
private func words(_ othersPlay: Bool?) -> String {
    othersPlay.map { $0 ? "others play" : "nobody else plays" } ?? "whether others play is not known"
}

extension StreamRequest {
    /// Returns a request for a book of one generation.
    public static func test(
        _ source: any PCMSource, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2),
        encoding: SampleEncoding = .int16, generation: UInt32 = 1, rate: Double = 1, volume: Double = 1,
        isPaused: Bool = false
    ) -> StreamRequest {
        StreamRequest(
            format: format, encoding: encoding, source: source, generation: generation,
            settings: StreamSettings(rate: rate, volume: volume), isPaused: isPaused, title: "Test", mode: "audiobook")
    }
}
