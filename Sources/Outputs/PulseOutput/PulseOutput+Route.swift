// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Clocks

/// The handling of moved, unplugged and removed devices.
///
/// The stream is silenced before a move is judged. If the device in use went away, it stays silent, so that sound does
/// not continue on a device that nobody chose.
extension PulseOutput {
    /// Handles a move of the stream: by the server, because the old sink is gone or unplugged, or at somebody's
    /// request.
    ///
    /// The stream already plays on the new sink, so it is silenced first; a requested move costs a dip of a few
    /// milliseconds.
    func moved(_ session: StreamSession, on connection: PulseConnection) throws(OutputError) {
        let old = sink
        let isSounding = !session.isPaused
        if isSounding { _ = try session.pause() }
        try judge(old, on: connection)
        if isSounding, lost == nil { try session.resume(at: MonotonicTime.now()) }
    }

    private func judge(_ old: PulseConnection.Sink?, on connection: PulseConnection) throws(OutputError) {
        let new = try route(on: connection)
        guard let old else {
            send.yield(.routeChanged(new, .moved))
            return
        }
        guard let gone = LostDevice(leaving: old, now: try connection.sink(at: old.index)) else {
            send.yield(.routeChanged(new, .moved))
            return
        }
        lost = gone
        send.yield(.routeLost(new, gone.reason))
    }

    /// Handles an unplugged port of the stream's sink and the return of a lost device.
    func follow(_ notes: PulseConnection.SinkNotes, on connection: PulseConnection) throws(OutputError) {
        if let lost, notes.appeared || !notes.changed.isEmpty, let back = try connection.sink(named: lost.sink),
            lost.isBack(in: back)
        {
            self.lost = nil
            send.yield(.routeReturned(try route(on: connection)))
        }
        guard let stream, let old = sink, old.index == stream.sinkIndex, notes.changed.contains(old.index),
            let new = try connection.sink(at: old.index)
        else { return }
        sink = new
        if let gone = LostDevice(unplugged: old, now: new) {
            lost = gone
            send.yield(.routeLost(try route(on: connection), gone.reason))
        } else if old.port != new.port {
            send.yield(.routeChanged(try route(on: connection), .portChanged))
        }
    }
}
