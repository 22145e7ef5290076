// SPDX-License-Identifier: Apache-2.0

import AudioSession
import CPulse

/// The connection to one sound server.
///
/// It is used on the output's thread.
final class PulseConnection {
    /// The properties of a sink that matter to a stream.
    struct Sink: Sendable {
        var index: UInt32
        var name: String
        var description: String
        /// The active port, such as headphones or a loudspeaker; `nil` if the sink has no choice.
        var port: String?
        /// The ports into which nothing is plugged.
        var unpluggedPorts: Set<String>
        /// `true` if the sink rewinds its buffer, as ALSA's do; others discard what arrives for frames that they have
        /// taken.
        var rewinds: Bool
        var kind = SinkKind.other
    }

    /// The changes of the server's sinks since the last query.
    struct SinkNotes: Sendable {
        var appeared = false
        var changed: Set<UInt32> = []
    }

    let loop: PulseLoop
    private let sinkNotes = Box(SinkNotes())
    let context: OpaquePointer
    /// `true` if the server is PipeWire, which answers the same calls, in periods of its graph.
    private(set) var isPipeWire = false
    /// The server's name and version, as it says them.
    private(set) var serverName = ""
    private(set) var defaultSink: String?
    /// `true` after `close`, when libpulse may have freed the context.
    ///
    /// It is not called again, though a stream that fades out may still hold this object.
    private var isClosed = false

    private static let connectTime: Int64 = 5_000
    private static let callTime: Int64 = 2_000

    /// Connects and reads the server's name.
    init(_ loop: PulseLoop, server: String?) throws(OutputError) {
        self.loop = loop
        let properties = pa_proplist_new()
        defer { if let properties { pa_proplist_free(properties) } }
        if let properties {
            pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "Rostrum")
            pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, "rostrum")
            pa_proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, "multimedia-player")
        }
        guard let api = loop.api, let context = pa_context_new_with_proplist(api, "Rostrum", properties) else {
            throw OutputError(.unavailable, source: "pa_context_new", message: "cannot start libpulse")
        }
        self.context = context
        // client.conf decides whether a server may be started.
        guard pa_context_connect(context, server, PA_CONTEXT_NOFLAGS, nil) >= 0 else {
            let error = failure("pa_context_connect", "no sound server")
            pa_context_unref(context)
            throw error
        }
        let isSettled = loop.spin(milliseconds: Self.connectTime) {
            let state = pa_context_get_state(context)
            return state == PA_CONTEXT_READY || state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED
        }
        guard isSettled, isReady else {
            let error =
                isSettled
                ? failure("pa_context_connect", "no sound server")
                : OutputError(
                    .timeout, source: "pa_context_connect", message: "the sound server did not answer within 5 s")
            pa_context_disconnect(context)
            pa_context_unref(context)
            throw error
        }
        do throws(OutputError) {
            let info = try serverInfo()
            isPipeWire = info.name.contains("PipeWire")
            serverName = info.name + (info.version.map { " \($0)" } ?? "")
            defaultSink = info.sink
        } catch {
            close()
            throw error
        }
        followSinks()
    }

    private func serverInfo() throws(OutputError) -> ServerInfo {
        let info = Box(ServerInfo())
        try call("pa_context_get_server_info", keeping: info) { data in
            pa_context_get_server_info(
                context,
                { _, info, data in
                    guard let info = info?.pointee, let data else { return }
                    let box = Unmanaged<Box<ServerInfo>>.fromOpaque(data).takeUnretainedValue()
                    box.value.name = info.server_name.map { String(cString: $0) } ?? ""
                    box.value.version = info.server_version.map { String(cString: $0) }
                    box.value.sink = info.default_sink_name.map { String(cString: $0) }
                }, data)
        }
        return info.value
    }

    private func followSinks() {
        pa_context_set_subscribe_callback(
            context,
            { _, event, index, data in
                guard let data else { return }
                let notes = Unmanaged<Box<SinkNotes>>.fromOpaque(data).takeUnretainedValue()
                let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
                if kind == PA_SUBSCRIPTION_EVENT_NEW.rawValue { notes.value.appeared = true }
                if kind == PA_SUBSCRIPTION_EVENT_CHANGE.rawValue { notes.value.changed.insert(index) }
            }, Unmanaged.passUnretained(sinkNotes).toOpaque())
        if let operation = pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK, nil, nil) {
            pa_operation_unref(operation)
        }
    }

    var hasSinkNotes: Bool { sinkNotes.value.appeared || !sinkNotes.value.changed.isEmpty }

    func takeSinkNotes() -> SinkNotes {
        defer { sinkNotes.value = SinkNotes() }
        return sinkNotes.value
    }

    /// Ends the connection; a second call does nothing.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        loop.push()
        pa_context_unref(context)
    }

    var isReady: Bool { !isClosed && pa_context_get_state(context) == PA_CONTEXT_READY }

    /// Makes one call to the server, and waits for its answer.
    func call<Value>(
        _ name: String, keeping box: Box<Value>, within limit: Int64 = callTime,
        _ start: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws(OutputError) {
        guard !isClosed else { throw failure(name, "failed") }
        guard let operation = start(Unmanaged.passUnretained(box).toOpaque()) else { throw failure(name, "failed") }
        defer { pa_operation_unref(operation) }
        let isDone = loop.spin(milliseconds: limit) {
            pa_operation_get_state(operation) != PA_OPERATION_RUNNING
        }
        guard isDone else {
            // Otherwise the answer would still arrive, for a box that is gone.
            pa_operation_cancel(operation)
            throw OutputError(.timeout, source: name, message: "the sound server did not answer within \(limit) ms")
        }
        guard pa_operation_get_state(operation) == PA_OPERATION_DONE else { throw failure(name, "failed") }
    }

    /// Returns the sink with this name.
    func sink(named name: String) throws(OutputError) -> Sink? {
        let box = Box<Sink?>(nil)
        try call("pa_context_get_sink_info_by_name", keeping: box) { data in
            pa_context_get_sink_info_by_name(context, name, Self.keepSink, data)
        }
        return finished(box.value)
    }

    /// Returns the sink with this index, such as a stream's ``PulseStream/sinkIndex``.
    func sink(at index: UInt32) throws(OutputError) -> Sink? {
        let box = Box<Sink?>(nil)
        try call("pa_context_get_sink_info_by_index", keeping: box) { data in
            pa_context_get_sink_info_by_index(context, index, Self.keepSink, data)
        }
        return finished(box.value)
    }

    /// Returns the indexes of the sinks that are suspended.
    func suspendedSinks() throws(OutputError) -> Set<UInt32> {
        let box = Box<Set<UInt32>>([])
        try call("pa_context_get_sink_info_list", keeping: box) { data in
            pa_context_get_sink_info_list(
                context,
                { _, info, _, data in
                    guard let info = info?.pointee, let data, info.state == PA_SINK_SUSPENDED else { return }
                    Unmanaged<Box<Set<UInt32>>>.fromOpaque(data).takeUnretainedValue().value.insert(info.index)
                }, data)
        }
        return box.value
    }

    /// Returns `true` if another program is playing.
    func otherAudioPlaying() throws(OutputError) -> Bool {
        let box = Box((own: pa_context_get_index(context), isPlaying: false))
        try call("pa_context_get_sink_input_info_list", keeping: box) { data in
            pa_context_get_sink_input_info_list(
                context,
                { _, info, _, data in
                    guard let info = info?.pointee, let data else { return }
                    let box = Unmanaged<Box<(own: UInt32, isPlaying: Bool)>>.fromOpaque(data).takeUnretainedValue()
                    if info.client != box.value.own, info.corked == 0 { box.value.isPlaying = true }
                }, data)
        }
        return box.value.isPlaying
    }

    private struct Others {
        let own: UInt32
        var play = false
        var found: [(index: UInt32, sound: OtherSound)] = []
    }

    /// Returns the stream that may have requested silence, and whether any other program plays.
    ///
    /// Among the streams that play now it is a phone, or else the newest one of any other kind. The call takes 200 ms
    /// at most, because the silence itself must not wait for it.
    func interrupter() throws(OutputError) -> (sound: OtherSound?, othersPlay: Bool) {
        let box = Box(Others(own: pa_context_get_index(context)))
        try call("pa_context_get_sink_input_info_list", keeping: box, within: 200) { data in
            pa_context_get_sink_input_info_list(
                context,
                { _, info, _, data in
                    guard let info = info?.pointee, let data else { return }
                    let box = Unmanaged<Box<Others>>.fromOpaque(data).takeUnretainedValue()
                    guard info.client != box.value.own, info.corked == 0 else { return }
                    box.value.play = true
                    guard let properties = info.proplist,
                        let role = pa_proplist_gets(properties, PA_PROP_MEDIA_ROLE)
                    else { return }
                    let program = pa_proplist_gets(properties, PA_PROP_APPLICATION_NAME)
                    let sound = OtherSound(
                        role: String(cString: role), program: program.map { String(cString: $0) })
                    // Music does not request silence from music.
                    if sound.role != "music" { box.value.found.append((info.index, sound)) }
                }, data)
        }
        let found = box.value.found
        let sound = (found.last { $0.sound.role == "phone" } ?? found.max { $0.index < $1.index })?.sound
        return (sound, box.value.play)
    }

    private func finished(_ sink: Sink?) -> Sink? {
        guard var sink else { return nil }
        if isPipeWire { sink.rewinds = false }
        return sink
    }

    private struct ServerInfo {
        var name = ""
        var version: String?
        var sink: String?
    }

    private static let keepSink: pa_sink_info_cb_t = { _, info, _, data in
        guard let info = info?.pointee, let data else { return }
        let description = info.description ?? info.name
        var unplugged: Set<String> = []
        for index in 0..<Int(info.n_ports) {
            guard let port = info.ports?[index]?.pointee, let name = port.name else { continue }
            if port.available == Int32(PA_PORT_AVAILABLE_NO.rawValue) { unplugged.insert(String(cString: name)) }
        }
        let driver = info.driver.map { String(cString: $0) } ?? ""
        let port = info.active_port?.pointee.name.map { String(cString: $0) }
        func property(_ name: String) -> String? {
            info.proplist.flatMap { pa_proplist_gets($0, name) }.map { String(cString: $0) }
        }
        let properties = SinkKind.Properties(
            bus: property(PA_PROP_DEVICE_BUS), api: property(PA_PROP_DEVICE_API),
            profile: property(PA_PROP_DEVICE_PROFILE_NAME), port: port)
        Unmanaged<Box<Sink?>>.fromOpaque(data).takeUnretainedValue().value = Sink(
            index: info.index, name: info.name.map { String(cString: $0) } ?? "",
            description: description.map { String(cString: $0) } ?? "",
            port: port, unpluggedPorts: unplugged, rewinds: driver.contains("alsa"),
            kind: SinkKind(properties))
    }

    /// Returns an error with libpulse's description of the last failure.
    func failure(_ source: String, _ what: String) -> OutputError {
        guard !isClosed else { return OutputError(.lost, source: source, message: "PulseAudio: \(what): disconnected") }
        let code = pa_context_errno(context)
        let reason = pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let kind: OutputError.Code =
            switch pa_error_code_t(UInt32(bitPattern: code)) {
            case PA_ERR_ACCESS, PA_ERR_AUTHKEY: .refused
            case PA_ERR_TIMEOUT: .timeout
            case PA_ERR_CONNECTIONTERMINATED, PA_ERR_KILLED: .lost
            default: .unavailable
            }
        return OutputError(kind, source: source, message: "PulseAudio: \(what): \(reason)")
    }
}

/// A box in which a callback of libpulse stores its result.
final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
