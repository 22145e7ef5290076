// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// A sink, or one of its ports, that went away while something was listened to with it.
struct LostDevice: Sendable, Hashable {
    let sink: String
    /// nil: the sink itself.
    private let port: String?

    /// The server has moved our stream away from `old`, of which `present` is left: nil if that was somebody's wish.
    init?(leaving old: PulseConnection.Sink, now present: PulseConnection.Sink?) {
        guard let present else {
            self.init(sink: old.name, port: nil)
            return
        }
        guard let port = old.port, present.unpluggedPorts.contains(port) else { return nil }
        self.init(sink: old.name, port: port)
    }

    /// The port that our sink sounded with: nil if it is plugged in as it was.
    ///
    /// Some drivers switch to the loudspeaker in the same moment, some do so later.
    init?(unplugged old: PulseConnection.Sink, now present: PulseConnection.Sink) {
        guard let port = old.port, present.unpluggedPorts.contains(port), !old.unpluggedPorts.contains(port) else {
            return nil
        }
        self.init(sink: old.name, port: port)
    }

    private init(sink: String, port: String?) {
        self.sink = sink
        self.port = port
    }

    var reason: RouteReason { port == nil ? .sinkRemoved : .portUnplugged }

    /// A sink of its name is there: whether it has what was lost.
    func isBack(in present: PulseConnection.Sink) -> Bool {
        port.map { !present.unpluggedPorts.contains($0) } ?? true
    }
}
