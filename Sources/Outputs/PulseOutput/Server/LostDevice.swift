// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// A sink, or one of its ports, that went away while it was in use.
struct LostDevice: Sendable, Hashable {
    let sink: String
    /// The name of the port; `nil` if the sink itself went away.
    private let port: String?

    /// Judges a move of the stream away from `old`; `nil` if somebody requested the move.
    ///
    /// - Parameter present: What is left of `old`; `nil` if it is gone.
    init?(leaving old: PulseConnection.Sink, now present: PulseConnection.Sink?) {
        guard let present else {
            self.init(sink: old.name, port: nil)
            return
        }
        guard let port = old.port, present.unpluggedPorts.contains(port) else { return nil }
        self.init(sink: old.name, port: port)
    }

    /// Judges a change of the stream's sink; `nil` if the port in use is plugged in as before.
    ///
    /// Some drivers switch to the loudspeaker in the same moment, some later.
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

    /// Returns `true` if a sink of the same name has what was lost.
    func isBack(in present: PulseConnection.Sink) -> Bool {
        port.map { !present.unpluggedPorts.contains($0) } ?? true
    }
}
