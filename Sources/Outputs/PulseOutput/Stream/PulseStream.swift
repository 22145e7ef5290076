// SPDX-License-Identifier: Apache-2.0

import AudioSession
import CPulse
import Clocks

/// One playback stream at a sound server.
///
/// It is used on the output's thread.
///
/// The server's buffer is deep, so that it rarely requests frames. A command overwrites what was not taken yet, by
/// absolute index. `prebuf` is one frame: after an underrun the server waits for sound where it stopped instead of
/// discarding what arrives late, and what lies behind the write index is never heard.
final class PulseStream: StreamDevice {
    /// The callbacks' notes since the last turn.
    struct Notes {
        var wantsFrames = false
        var ranDry = false
        var moved = false
        var interruption: Bool?
    }

    let format: AudioFormat
    var notes: Notes { signals.value }

    private let connection: PulseConnection
    private let stream: OpaquePointer
    private let signals = Box(Notes())
    private let frameBytes: Int
    private let depth: Int
    private var rule: ReplacementRule
    private var timing: StreamTiming?
    private var requests = TimingRequests()
    /// The time when `replaceable` last answered, until the replacement is sent.
    private var answered: Int64?
    private var isCorked: Bool
    /// `true` if the server may have begun to take sound.
    private var hasRun: Bool
    /// `true` while the stream takes sound but must not be audible before `release`.
    private(set) var isHeld: Bool
    /// `true` after `close`, when libpulse may free the stream with the server's next answer.
    ///
    /// It is not called again.
    private var isClosed = false
    private var written: Int64 = 0
    private var index = StreamIndex()
    /// The frames of silence to write before the next sound, while the device wakes.
    var preRoll = 0
    private var lastHeard: Int64 = -1

    static let depthSeconds = 2.0
    /// The silence behind the last frame: more than most graphs take in a turn.
    private static let paddingMilliseconds = 50.0
    /// The size limit of the queue, below the server's limit of 4 MiB.
    private static let mostBytes = 3 << 20
    private static let mostPreRollBytes = 1 << 20

    init(
        _ connection: PulseConnection, format: AudioFormat, title: String, sink: String?, isPaused: Bool,
        isHeld: Bool, sinkRewinds: Bool, transit: Int64
    ) throws(OutputError) {
        self.connection = connection
        self.format = format
        frameBytes = 4 * format.channels
        depth = min(Int(Double(format.sampleRate) * Self.depthSeconds), Self.mostBytes / frameBytes)
        isCorked = isPaused || isHeld
        hasRun = !isCorked
        self.isHeld = isHeld
        // The sink's buffer is short where it does not rewind, because what it has taken cannot be replaced.
        let sinkTime: Int64 = connection.isPipeWire ? 20 : sinkRewinds ? 500 : 50
        rule = ReplacementRule(
            rewinds: sinkRewinds,
            graphPeriod: connection.isPipeWire ? (sinkTime + 3) * MonotonicTime.millisecond : nil, transit: transit)
        stream = try Self.create(connection, format, title)
        let data = Unmanaged.passUnretained(signals).toOpaque()
        pa_stream_set_write_callback(stream, { _, _, data in note(data) { $0.wantsFrames = true } }, data)
        pa_stream_set_underflow_callback(stream, { _, data in note(data) { $0.ranDry = true } }, data)
        pa_stream_set_moved_callback(stream, { _, data in note(data) { $0.moved = true } }, data)
        pa_stream_set_event_callback(
            stream,
            { _, name, _, data in
                let name = name.map { String(cString: $0) }
                if name == PA_STREAM_EVENT_REQUEST_CORK { note(data) { $0.interruption = true } }
                if name == PA_STREAM_EVENT_REQUEST_UNCORK { note(data) { $0.interruption = false } }
            }, data)
        try begin(sink, sinkFrames: format.frames(milliseconds: Double(sinkTime)))
    }

    private static func create(
        _ connection: PulseConnection, _ format: AudioFormat, _ title: String
    ) throws(OutputError) -> OpaquePointer {
        #if _endian(big)
            let encoding = PA_SAMPLE_FLOAT32BE
        #else
            let encoding = PA_SAMPLE_FLOAT32LE
        #endif
        var spec = pa_sample_spec(
            format: encoding, rate: UInt32(clamping: format.sampleRate), channels: UInt8(clamping: format.channels))
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(clamping: format.channels), PA_CHANNEL_MAP_WAVEEX)
        let properties = pa_proplist_new()
        defer { if let properties { pa_proplist_free(properties) } }
        if let properties {
            pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
            pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, title)
        }
        guard let stream = pa_stream_new_with_proplist(connection.context, title, &spec, &map, properties) else {
            throw connection.failure(
                "pa_stream_new", "no stream for \(format.sampleRate) Hz, \(format.channels) channels")
        }
        return stream
    }

    private func begin(_ sink: String?, sinkFrames: Int) throws(OutputError) {
        // The server gives the sink what is left of tlength above two requests.
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: UInt32(depth * frameBytes), prebuf: UInt32(frameBytes),
            minreq: UInt32((depth - min(sinkFrames, depth / 2)) / 2 * frameBytes), fragsize: .max)
        let flags = isCorked ? PA_STREAM_START_CORKED : PA_STREAM_NOFLAGS
        guard pa_stream_connect_playback(stream, sink, &attributes, flags, nil, nil) >= 0 else {
            throw abandon(connection.failure("pa_stream_connect_playback", "no stream"))
        }
        let isSettled = connection.loop.spin(milliseconds: 2_000) {
            pa_stream_get_state(stream) != PA_STREAM_CREATING || !connection.isReady
        }
        guard isSettled else {
            throw abandon(
                OutputError(
                    .timeout, source: "pa_stream_connect_playback",
                    message: "the sound server did not make a stream within 2 s"))
        }
        guard isAlive else { throw abandon(connection.failure("pa_stream_connect_playback", "no stream")) }
    }

    private func abandon(_ error: OutputError) -> OutputError {
        close()
        return error
    }

    var isAlive: Bool { !isClosed && connection.isReady && pa_stream_get_state(stream) == PA_STREAM_READY }

    /// The index of the sink that plays the stream, or `UInt32.max` for none.
    var sinkIndex: UInt32 { isClosed ? .max : pa_stream_get_device_index(stream) }

    /// Ends the stream.
    ///
    /// A second call does nothing.
    ///
    /// The last position heard remains available.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_set_event_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
    }

    func takeNotes() -> Notes {
        defer { signals.value = Notes() }
        if signals.value.ranDry || signals.value.moved { askTiming() }
        return signals.value
    }

    func setRewinds(_ rewinds: Bool) {
        rule.rewinds = rewinds
    }

    // MARK: Timing

    /// Requests the sink's progress without waiting for the answer.
    func askTiming() {
        guard !isClosed else { return }
        requests.ask(at: MonotonicTime.now())
        if let operation = pa_stream_update_timing_info(stream, nil, nil) { pa_operation_unref(operation) }
    }

    /// Reads an answer that has arrived.
    private func readTiming() {
        guard !isClosed, let info = pa_stream_get_timing_info(stream)?.pointee, info.read_index_corrupt == 0 else {
            return
        }
        let time = info.timestamp
        guard requests.take(stamped: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_usec)) else { return }
        var wall = timeval()
        pa_gettimeofday(&wall)
        let age = Int64(wall.tv_sec - time.tv_sec) * 1_000_000 + Int64(wall.tv_usec - time.tv_usec)
        let read = info.read_index / Int64(frameBytes)
        // `playing` is false as soon as the queue is empty.
        let isDry = !isCorked && written > 0 && index.frame(at: read) >= written
        // The time of the underrun is that of the first answer that reported it.
        if isDry, let timing, timing.isDry, timing.read == read { return }
        let report = StreamTiming(
            read: read,
            latency: Int64(Double(info.sink_usec) * Double(format.sampleRate) / 1e6) + rule.turnFrames(format),
            time: MonotonicTime.now() - min(max(0, age), 1_000_000) * 1000,
            isFlowing: !isCorked && !isDry && info.playing != 0, isDry: isDry, sampleRate: format.sampleRate)
        rule.note(report)
        timing = report
    }

    /// Requests the sink's progress and waits for the answer.
    private func update() throws(OutputError) {
        try requireOpen()
        try connection.call("pa_stream_update_timing_info", keeping: signals) { _ in
            pa_stream_update_timing_info(stream, nil, nil)
        }
        readTiming()
    }

    private func requireOpen() throws(OutputError) {
        guard !isClosed else {
            throw OutputError(.lost, source: "pa_stream", message: "PulseAudio: the stream is closed")
        }
    }

    // MARK: StreamDevice

    func replaceable() throws(OutputError) -> Int64 {
        guard written > 0 else { return 0 }
        let start = MonotonicTime.now()
        try update()
        guard let timing else { return written }
        let now = MonotonicTime.now()
        answered = now
        return max(index.frame(at: rule.firstFrame(timing, at: now, answer: now - start)), 0)
    }

    func heard(at now: Int64) -> Int64 {
        readTiming()
        var isAtEnd = false
        if let timing {
            let frame = heard(timing, at: requests.believed(now))
            // A turn that the graph missed delays what follows, so only the server says that everything was taken.
            isAtEnd = rule.graphPeriod != nil && timing.isFlowing && frame >= written
            lastHeard = max(lastHeard, min(frame, isAtEnd ? written - 1 : written))
        }
        // A sink that has not begun reports nothing by itself, and one that runs drifts from our clock.
        let patience = (isAtEnd ? 3 : flows ? 2_000 : 15) * MonotonicTime.millisecond
        if !isCorked, lastHeard < written, requests.isDue(at: now, patience: patience) { askTiming() }
        return lastHeard
    }

    private func heard(_ timing: StreamTiming, at now: Int64) -> Int64 { index.heard(at: timing.heard(at: now)) }

    var flows: Bool { timing.map { $0.isFlowing || $0.isDry } ?? false }

    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) throws(OutputError) {
        try requireOpen()
        let isNext = frame == written
        let isAppended = isNext && index.padding == 0 && preRoll == 0
        if preRoll > 0 {
            try writePreRoll(before: frame)
        }
        if isNext, try paddingIsTaken() { index.keepPadding(before: frame) } else { index.replace(from: frame) }
        try send(samples, frames: frames, at: isAppended ? nil : index.index(of: frame))
        if timing?.isFlowing != true || !isNext {
            timing?.isDry = false
            askTiming()
        }
        written = frame + Int64(frames)
    }

    /// Sends frames to an index of the server; `nil` for the one behind the last.
    private func send(_ samples: UnsafePointer<Float>, frames: Int, at index: Int64?) throws(OutputError) {
        let mode = index == nil ? PA_SEEK_RELATIVE : PA_SEEK_ABSOLUTE
        guard pa_stream_write(stream, samples, frames * frameBytes, nil, (index ?? 0) * Int64(frameBytes), mode) >= 0
        else { throw connection.failure("pa_stream_write", "cannot write") }
    }

    /// Writes silence behind the last frame, so that the server takes all before it.
    ///
    /// PipeWire takes as much as its graph needs for one turn, or nothing: without silence behind it, the end of a file
    /// would never be heard. What is written later takes the place of the silence.
    func pad(isLast: Bool) throws(OutputError) {
        guard connection.isPipeWire, written > 0, index.padding == 0, !isClosed else { return }
        let queued = written - taken(at: MonotonicTime.now())
        guard isLast || queued < Int64(format.frames(milliseconds: 300)) else { return }
        let frames = format.frames(milliseconds: Self.paddingMilliseconds)
        let silence = SampleBuffer(frames: frames, channels: format.channels)
        silence.samples.update(repeating: 0, count: frames * format.channels)
        try send(silence.samples, frames: frames, at: nil)
        index.pad(Int64(frames))
    }

    private func writePreRoll(before frame: Int64) throws(OutputError) {
        let frames = min(preRoll, Self.mostPreRollBytes / frameBytes)
        preRoll = 0
        let silence = SampleBuffer(frames: frames, channels: format.channels)
        silence.samples.update(repeating: 0, count: frames * format.channels)
        index.replace(from: frame)
        try send(silence.samples, frames: frames, at: index.index(of: frame))
        index.pad(Int64(frames))
        index.keepPadding(before: frame)
    }

    /// Returns whether the server may have taken some of the silence before a write arrives.
    private func paddingIsTaken() throws(OutputError) -> Bool {
        guard hasRun, index.padding > 0 else { return false }
        if timing == nil { try update() }
        return timing.map { rule.mostTaken($0, at: MonotonicTime.now()) > index.index(of: written) } ?? true
    }

    func push() {
        connection.loop.push()
        if let answered { rule.note(preparation: MonotonicTime.now() - answered) }
        answered = nil
    }

    func wanted(at now: Int64) -> Int {
        let queued = Int(written - read(at: requests.believed(now)))
        return notes.wantsFrames || queued < depth / 3 ? max(0, depth - queued) : 0
    }

    func wantsAgain(at now: Int64) -> Int64? {
        // The server requests frames earlier; this covers the case that it does not.
        let spare = Double(written - read(at: requests.believed(now))) - Double(depth) / 4
        return now + Int64(max(0.05, spare / Double(format.sampleRate)) * 1e9)
    }

    /// Returns the frame up to which the server has taken what was written.
    func taken(at now: Int64) -> Int64 {
        readTiming()
        return read(at: now)
    }

    private func read(at now: Int64) -> Int64 {
        timing.map { min(index.frame(at: $0.read(at: now)), written) } ?? 0
    }

    /// Returns the time until the server has surely taken all before a frame, in nanoseconds.
    func timeToTake(_ frame: Int64, at now: Int64) -> Int64 {
        time(frame - taken(at: now) + rule.turnFrames(format))
    }

    /// Returns the duration of a number of frames, in nanoseconds.
    func time(_ frames: Int64) -> Int64 { Int64(Double(frames) / Double(format.sampleRate) * 1e9) }

    /// Returns the time until another stream that begins would be heard behind all of this one, in nanoseconds.
    ///
    /// A sink that rewinds makes it audible at once; any other sink does so behind what it has taken. The reported
    /// amount is off by a few milliseconds, and a moment of silence is better than two sounds at once.
    func timeToFollow(at now: Int64) -> Int64 {
        let taken = taken(at: now)
        // A graph takes the silence behind the last frame, too, and what begins waits for its next turn.
        let isPadded = rule.graphPeriod != nil && index.padding > 0
        let inSilence = isPadded ? timing.map { index.frame(at: $0.read(at: now)) } : nil
        return time(written - (inSilence ?? (rule.rewinds ? heard(at: now) : taken))) + 5 * MonotonicTime.millisecond
    }

    /// Releases a stream that was held back, so that it may become audible.
    func release(isPaused: Bool) throws(OutputError) {
        guard isHeld else { return }
        isHeld = false
        if !isPaused { try start() }
        push()
    }

    func start() throws(OutputError) {
        guard isCorked, !isHeld else { return }
        try requireOpen()
        isCorked = false
        hasRun = true
        timing?.isFlowing = false
        if let operation = pa_stream_cork(stream, 0, nil, nil) { pa_operation_unref(operation) }
        askTiming()
    }

    func stop() throws(OutputError) {
        guard !isCorked, !isClosed else { return }
        isCorked = true
        if let timing { lastHeard = max(lastHeard, min(heard(timing, at: MonotonicTime.now()), written)) }
        timing?.isFlowing = false
        timing?.isDry = false
        if let operation = pa_stream_cork(stream, 1, nil, nil) { pa_operation_unref(operation) }
        push()
    }
}

private func note(_ data: UnsafeMutableRawPointer?, _ change: (inout PulseStream.Notes) -> Void) {
    guard let data else { return }
    change(&Unmanaged<Box<PulseStream.Notes>>.fromOpaque(data).takeUnretainedValue().value)
}
