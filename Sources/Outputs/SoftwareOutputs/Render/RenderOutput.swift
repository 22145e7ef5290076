// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Clocks

/// An output that takes sound as fast as it comes, with no clock and no device: into a WAV file, or to nowhere.
///
/// Every sample arrives as the engine made it, without fades. A position counts as heard when it was written.
public actor RenderOutput: AudioOutput {
    public nonisolated let name: String
    public nonisolated let isRender = true
    public nonisolated let events: AsyncStream<OutputEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread: OutputThread
    private let poll = PollWait()
    private let send: AsyncStream<OutputEvent>.Continuation
    private let sink: any RenderSink
    private let route: Route

    private var request: StreamRequest?
    private var renderer: StreamRenderer?
    private var converter: FormatConverter?
    private var buffer: SampleBuffer?
    private var isPaused = false
    private var saidStarted: UInt32?
    private var saidEnded: UInt32?

    private static let blockFrames = FormatConverter.blockFrames

    /// Creates the output `null:fast`, which only counts frames.
    public init() {
        self.init(name: "null:fast", route: Route(output: "null", device: nil), sink: CountingSink())
    }

    /// Creates the output `wav:PATH`, which replaces an existing file when a stream opens.
    public init(wavPath path: String) {
        self.init(name: "wav:\(path)", route: Route(output: "wav", device: path), sink: WAVFile(path: path))
    }

    init(name: String, route: Route, sink: any RenderSink) {
        self.name = name
        self.route = route
        self.sink = sink
        (events, send) = AsyncStream.makeStream(of: OutputEvent.self)
        thread = OutputThread(name: "render", wait: poll, isUrgent: false)
    }

    deinit {
        thread.retire()
    }

    public func connect() async throws(OutputError) -> Route { route }

    public func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        end()
        try sink.begin(request.format, request.encoding)
        self.request = request
        isPaused = request.isPaused
        saidStarted = nil
        saidEnded = nil
        begin(request)
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        return route
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        isPaused = true
        return place
    }

    public func resume() async throws(OutputError) {
        isPaused = false
    }

    public func reposition(to generation: UInt32) async throws(OutputError) {
        request?.generation = generation
        renderer?.reposition(to: generation)
    }

    public func set(_ setting: StreamSetting) async throws(OutputError) {
        request?.settings.set(setting)
        guard let renderer else { return }
        _ = renderer.set(setting, from: renderer.written)
    }

    public func heard() async -> HeardPosition? {
        place?.generation == renderer?.generation ? place : nil
    }

    public func close() async -> HeardPosition? {
        let last = place
        end()
        return last
    }

    public func shutDown() async {
        end()
        send.finish()
        thread.retire()
    }

    // MARK: Parts

    private var place: HeardPosition? {
        renderer.flatMap { $0.written > 0 ? $0.place(at: $0.written) : nil }
    }

    private func begin(_ request: StreamRequest) {
        renderer = StreamRenderer(
            source: request.source, format: request.format, generation: request.generation,
            settings: request.settings, aheadFrames: Self.blockFrames * 2, softens: false,
            boundaries: request.boundaries)
        buffer = SampleBuffer(frames: Self.blockFrames, channels: request.format.channels)
    }

    private func end() {
        poll.watch(readable: nil)
        guard renderer != nil else { return }
        renderer = nil
        converter = nil
        do throws(OutputError) {
            try sink.finish()
        } catch {
            send.yield(.failed(error, heard: nil))
        }
    }

    private func fail(_ error: OutputError) {
        let last = place
        renderer = nil
        converter = nil
        poll.watch(readable: nil)
        // Report the first error only.
        _ = try? sink.finish()
        send.yield(.failed(error, heard: last))
    }

    private func turn() -> Int64? {
        guard let renderer, let source = request?.source, !isPaused else { return nil }
        source.acknowledge()
        poll.watch(readable: nil)
        do throws(OutputError) {
            if renderer.isCrossing {
                switch renderer.crossOver(from: renderer.written) {
                case .waiting: return rest(until: source)
                case .formatChange(let format): return try change(to: format)
                case .from: break
                }
            }
            let condition = try advance(renderer)
            switch condition {
            case .complete, .silent, .held: return MonotonicTime.now()
            case .starved: return rest(until: source)
            case .formatChange(let format): return try change(to: format)
            case .ended:
                try complete(renderer)
                return nil
            }
        } catch {
            fail(error)
            return nil
        }
    }

    private func advance(_ renderer: StreamRenderer) throws(OutputError) -> StreamRenderer.Condition {
        guard let buffer = buffer?.samples else { return .ended }
        let rendered = renderer.render(into: buffer, frames: Self.blockFrames)
        if rendered.frames > 0 {
            try write(buffer, rendered.frames, isLast: false)
            renderer.heard(upTo: renderer.written)
            if saidStarted != renderer.generation, renderer.generationStart != nil {
                saidStarted = renderer.generation
                send.yield(.started(generation: renderer.generation))
            }
        }
        return rendered.condition
    }

    private func write(_ samples: UnsafePointer<Float>, _ frames: Int, isLast: Bool) throws(OutputError) {
        guard let converter else {
            if frames > 0 { try sink.write(samples, frames: frames) }
            return
        }
        try converter.convert(samples, frames: frames, isLast: isLast) { samples, frames throws(OutputError) in
            try sink.write(samples, frames: frames)
        }
    }

    /// Continues with content in another format; the file keeps the first one.
    private func change(to format: AudioFormat) throws(OutputError) -> Int64? {
        guard let buffer = buffer?.samples, var request, let renderer else { return nil }
        try write(buffer, 0, isLast: true)
        let first = request.format
        request.generation = renderer.generation
        var following = request
        following.format = format
        begin(following)
        converter = format == first ? nil : try FormatConverter(from: format, to: first)
        return MonotonicTime.now()
    }

    private func complete(_ renderer: StreamRenderer) throws(OutputError) {
        guard saidEnded != renderer.generation, let buffer = buffer?.samples else { return }
        saidEnded = renderer.generation
        try write(buffer, 0, isLast: true)
        try sink.finish()
        send.yield(.ended(generation: renderer.generation, atLimit: renderer.isAtLimit))
    }

    private func rest(until source: any PCMSource) -> Int64? {
        if let block = source.next(), block.generation != renderer?.generation { return nil }
        if source.arm() { return MonotonicTime.now() }
        poll.watch(readable: source.readiness)
        return nil
    }
}
