// SPDX-License-Identifier: Apache-2.0

import CMPRIS
import CSystemd
import Clocks
import Glibc
import SessionProtocol

/// The player's object on the bus: the state that is shown, and the thread that shows it.
///
/// Everything happens on that thread, which waits for the bus and for the mailbox.
final class PlayerObject {
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    static let trackList = "org.mpris.MediaPlayer2.TrackList"

    /// The time to wait after a connection was lost, in milliseconds; doubled while it is lost at once again.
    private static let retries: ClosedRange<Int32> = 50...10_000

    /// The time that calls have to be answered when the session ends, in milliseconds.
    private static let leave: Int64 = 1_000

    private let address: String
    private let mailbox: Mailbox
    private let service: any RemoteService
    private var preferences: RemotePreferences
    private var connection: BusConnection?
    private let calls: RemoteCalls
    private var state: NowPlaying?
    private(set) var view: PlayerProperties
    private var retry = retries.lowerBound
    /// The monotonic time in ms of the next attempt to connect.
    private var connectsAt: Int64? = 0
    /// The monotonic time in ms at which the thread ends at the latest; `nil` while the session goes on.
    private var endsAt: Int64?

    init(address: String, mailbox: Mailbox, service: any RemoteService, preferences: RemotePreferences) {
        self.address = address
        self.mailbox = mailbox
        self.service = service
        self.preferences = preferences
        view = PlayerProperties(nil, preferences)
        calls = RemoteCalls(service: service, mailbox: mailbox)
    }

    /// Runs until the mailbox says that it is over.
    func run() {
        while true {
            let contents = mailbox.take()
            take(contents)
            if contents.isStopping, endsAt == nil { endsAt = MonotonicTime.milliseconds() + Self.leave }
            if let endsAt, connection == nil || calls.isEmpty || MonotonicTime.milliseconds() >= endsAt { break }
            connectIfDue()
            if let connection, !connection.process() { lose() }
            // What arrived may have been answered by a change, which is told before anything is waited for.
            wait()
        }
        calls.dropAll()
        if let connection { sd_bus_flush(connection.bus) }
        connection = nil
    }

    private func wait() {
        var waits = [pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0)]
        var limit: Int64 = -1
        let now = MonotonicTime.milliseconds()
        if let connection {
            waits.append(connection.wait)
            if let deadline = connection.deadline { limit = max(0, Int64(clamping: deadline / 1000) - now + 1) }
        } else if let connectsAt {
            limit = max(0, connectsAt - now)
        }
        if let endsAt { limit = limit < 0 ? max(0, endsAt - now) : min(limit, max(0, endsAt - now)) }
        _ = poll(&waits, nfds_t(waits.count), Int32(clamping: limit))
    }

    // MARK: The connection

    private func connectIfDue() {
        guard connection == nil, let due = connectsAt, due <= MonotonicTime.milliseconds() else { return }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let functions = rostrum_mpris_functions(
            read: { context, interface, property, reply, error in
                PlayerObject.from(context).read(interface, property, into: reply, error)
            },
            write: { context, interface, property, value, error in
                PlayerObject.from(context).write(property, value, error)
            },
            call: { context, call, error in PlayerObject.from(context).take(call: call, error) }, context: context)
        guard let new = BusConnection(address: address, functions: functions) else { return waitToConnect() }
        connection = new
        connectsAt = nil
        request(BusName.first)
    }

    private func waitToConnect() {
        connectsAt = MonotonicTime.milliseconds() + Int64(retry)
        retry = min(retry * 2, Self.retries.upperBound)
    }

    /// Forgets the connection, whose bus has gone, and waits for the next bus.
    private func lose() {
        calls.dropAll()
        connection = nil
        waitToConnect()
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> PlayerObject {
        // The context is the object itself, which outlives its connection.
        // swift-format-ignore: NeverForceUnwrap
        Unmanaged<PlayerObject>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Asks for a name; if it is taken, for that of another instance.
    private func request(_ name: String) {
        guard let connection else { return }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = sd_bus_request_name_async(
            connection.bus, nil, name, 0,
            { reply, context, _ in
                guard let reply else { return 0 }
                PlayerObject.from(context).named(BusReader(message: reply).uint32())
                return 1
            }, context)
    }

    /// Takes the bus's answer to the request for a name: 1 if it is ours, 3 if another has it.
    private func named(_ answer: UInt32?) {
        if answer == 3 { request(BusName.instance) }
        if answer == 1 { retry = Self.retries.lowerBound }
    }

    // MARK: The state

    private func take(_ contents: Mailbox.Contents) {
        for result in contents.results { calls.finish(result.call, result.failure) }
        if let preferences = contents.preferences { self.preferences = preferences }
        if let state = contents.state { self.state = state }
        guard contents.state != nil || contents.preferences != nil else { return }
        let before = view
        view = PlayerProperties(state, preferences)
        guard let connection else { return }
        connection.tellChanges(of: view.changes(since: before), interface: Self.player)
        if view.tracks != before.tracks {
            connection.emit("TrackListReplaced", of: Self.trackList, [.paths(view.tracks), .path(view.current)])
            connection.tellChanges(of: ["Tracks"], interface: Self.trackList)
        }
        // A track that has just become the current one has no position to jump from.
        if contents.hasJumped, view.current == before.current, view.uri != nil {
            connection.emit("Seeked", of: Self.player, [.int64(position)])
        }
    }

    /// The audible position in the current track, in microseconds.
    private var position: Int64 { view.position(state?.position()) }

    // MARK: Calls

    private func read(
        _ interface: UnsafePointer<CChar>?, _ property: UnsafePointer<CChar>?, into reply: OpaquePointer?,
        _ error: UnsafeMutablePointer<sd_bus_error>?
    ) -> Int32 {
        guard let property = property.map({ String(cString: $0) }), let reply else { return -EINVAL }
        let value = RootView.value(of: property) ?? view.value(of: property) { state?.position() }
        guard let value else { return -ENOENT }
        do throws(BusFault) {
            try BusWriter(message: reply).append(value)
            return 0
        } catch { return error.number }
    }

    private func write(
        _ property: UnsafePointer<CChar>?, _ value: OpaquePointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
    ) -> Int32 {
        guard let property = property.map({ String(cString: $0) }), let value,
            let connection, let message = sd_bus_get_current_message(connection.bus)
        else { return -EINVAL }
        guard let number = BusReader(message: value).double() else { return -EINVAL }
        // sd-bus answers by itself as soon as this returns.
        calls.take(property == "Rate" ? .rate(number) : .volume(number), message, answers: false, self)
        return 0
    }

    private func take(call: OpaquePointer?, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
        guard let call, let name = sd_bus_message_get_member(call).map({ String(cString: $0) }) else { return -EINVAL }
        let reader = BusReader(message: call)
        let taken: PlayerCall? =
            switch name {
            case "Play": .play
            case "Pause": .pause
            case "PlayPause": .playPause
            case "Stop": .stop
            case "Next": .next
            case "Previous": .previous
            case "Seek": reader.int64().map { .seek($0) }
            case "SetPosition":
                reader.path().flatMap { track in reader.int64().map { .setPosition(track: track, $0) } }
            case "OpenUri": reader.string().map { .openURI($0) }
            case "GoTo": reader.path().map { .goTo(track: $0) }
            default: nil
            }
        if let taken {
            calls.take(taken, call, answers: true, self)
            return 1
        }
        switch name {
        case "GetTracksMetadata":
            guard let ids = reader.paths() else { return -EINVAL }
            let found = ids.compactMap { view.metadata(of: $0) }
            BusConnection.answer(call) { writer throws(BusFault) in
                try writer.inside("a", "a{sv}") { () throws(BusFault) in for track in found { try writer.append(track) }
                }
            }
        case "Quit": calls.quit(call, service)
        // Tracks cannot be edited, and there is no window to raise: both have no effect, as the specification says.
        case "AddTrack", "RemoveTrack", "Raise": BusConnection.answer(call)
        default: return -EINVAL
        }
        return 1
    }

    /// Takes the bus's answer to the question which process a sender is.
    func takeProcess(_ reply: OpaquePointer) { calls.takeProcess(reply) }

    /// Returns the command for a call as of now.
    func command(for call: PlayerCall) -> SessionCommand? { call.command(in: view, position: position) }
}
