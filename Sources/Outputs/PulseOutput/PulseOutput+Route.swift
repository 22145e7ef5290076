// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// Whether what is listened with is still there (document 004, “Interruptions and route changes”).
extension PulseOutput {
    /// The server has moved the stream: of itself, because the old sink is gone or unplugged; or because somebody asked.
    ///
    /// It plays there already, so it is silenced first; a move that somebody asked for costs a dip of some milliseconds.
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

    /// A port of our sink was unplugged; or what was lost is there again.
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
