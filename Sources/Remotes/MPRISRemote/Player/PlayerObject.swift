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
    private var presentation: Presentation
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
        presentation = Presentation(preferences)
        calls = RemoteCalls(service: service, mailbox: mailbox)
    }

    /// Runs until the mailbox says that it is over.
    func run() {
        while true {
            let now = MonotonicTime.milliseconds()
            let contents = mailbox.take()
            take(contents, at: now)
            if contents.isStopping, endsAt == nil { endsAt = now + Self.leave }
            if let endsAt, now >= endsAt || isQuiet { break }
            connectIfDue(at: now)
            if let connection, !connection.process() { lose() }
            tell()
            wait()
        }
        calls.dropAll()
        connection = nil
    }

    /// `true` if nobody waits for anything.
    private var isQuiet: Bool {
        guard let connection, connection.isReady else { return true }
        return calls.isEmpty && connection.isDrained
    }

    private func wait() {
        var waits = [pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0)]
        let now = MonotonicTime.milliseconds()
        var due: [Int64] = []
        if let connection {
            waits.append(connection.wait)
            if let deadline = connection.deadline { due.append(Int64(clamping: deadline / 1000) + 1) }
        } else if let connectsAt {
            due.append(connectsAt)
        }
        if let endsAt { due.append(endsAt) }
        if let time = presentation.settlesAt { due.append(time) }
        let limit = due.min().map { Int32(clamping: max(0, $0 - now)) } ?? -1
        _ = poll(&waits, nfds_t(waits.count), limit)
    }

    // MARK: The connection

    private func connectIfDue(at now: Int64) {
        guard connection == nil, let due = connectsAt, due <= now, endsAt == nil else { return }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let functions = rostrum_mpris_functions(
            read: { context, interface, property, reply, error in
                PlayerObject.from(context).read(property, into: reply)
            },
            write: { context, interface, property, value, error in
                PlayerObject.from(context).write(property, value)
            },
            call: { context, call, error in PlayerObject.from(context).take(call: call) }, context: context)
        guard let new = BusConnection(address: address, functions: functions) else { return waitToConnect() }
        connection = new
        connectsAt = nil
        presentation.begin()
        request(BusName.all[...])
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

    /// The names that are left to ask for.
    private var names: ArraySlice<String> = []

    /// Asks for the first of these names that nobody has; without any, the session has no name on the bus.
    private func request(_ names: ArraySlice<String>) {
        self.names = names
        guard let connection, let name = names.first else { return }
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = sd_bus_request_name_async(
            connection.bus, nil, name, 0,
            { reply, context, _ in
                guard let reply else { return 0 }
                PlayerObject.from(context).takeName(BusReader(message: reply).uint32())
                return 1
            }, context)
    }

    /// Takes the bus's answer to the request for a name: 1 if it is ours, 3 if another has it.
    private func takeName(_ answer: UInt32?) {
        if answer == 1 { retry = Self.retries.lowerBound } else { request(names.dropFirst()) }
    }

    // MARK: The state

    private func take(_ contents: Mailbox.Contents, at now: Int64) {
        for result in contents.results { calls.finish(result.call, result.failure) }
        if let preferences = contents.preferences { self.preferences = preferences }
        if let state = contents.state { self.state = state }
        let isDue = presentation.settlesAt.map { now >= $0 } ?? false
        guard contents.state != nil || contents.preferences != nil || isDue else { return }
        presentation.take(state, preferences, hasJumped: contents.hasJumped, at: now)
    }

    /// Tells what has changed, as soon as the bus takes it: a slow bus is told the newest state, and nothing queues up.
    private func tell() {
        guard let connection, connection.isReady, connection.isDrained else { return }
        let news = presentation.tell(position: state?.position())
        connection.tellChanges(of: news.changes, interface: Self.player)
        if let tracks = news.tracks {
            connection.emit("TrackListReplaced", of: Self.trackList, [.paths(tracks), .path(view.current)])
            connection.tellChanges(of: ["Tracks"], interface: Self.trackList)
        } else if news.changes.contains("Metadata") {
            connection.emit("TrackMetadataChanged", of: Self.trackList, [.path(view.current), view.metadata])
        }
        if let position = news.seeked { connection.emit("Seeked", of: Self.player, [.int64(position)]) }
    }

    private var view: PlayerProperties { presentation.view }

    /// `true` if there is something to play.
    var canPlay: Bool { view.canPlay }

    /// The audible position in the current track, in microseconds.
    private var position: Int64 { view.position(state?.position()) }

    // MARK: Calls

    private func read(_ property: UnsafePointer<CChar>?, into reply: OpaquePointer?) -> Int32 {
        guard let property = property.map({ String(cString: $0) }), let reply else { return -EINVAL }
        let value = RootProperties.value(of: property) ?? view.value(of: property) { state?.position() }
        guard let value else { return -ENOENT }
        do throws(BusFault) {
            try BusWriter(message: reply).append(value)
            return 0
        } catch { return error.number }
    }

    private func write(_ property: UnsafePointer<CChar>?, _ value: OpaquePointer?) -> Int32 {
        guard let property = property.map({ String(cString: $0) }), let value,
            let connection, let message = sd_bus_get_current_message(connection.bus)
        else { return -EINVAL }
        guard let number = BusReader(message: value).double() else { return -EINVAL }
        // sd-bus answers by itself as soon as this returns.
        let call = property == "Rate" ? PlayerCall.rate(number) : .volume(number)
        return calls.take(call, message, answers: false, self) ? 0 : -EBUSY
    }

    private func take(call: OpaquePointer?) -> Int32 {
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
            case "Quit": .quit
            default: nil
            }
        if let taken { return calls.take(taken, call, answers: true, self) ? 1 : -EBUSY }
        switch name {
        case "GetTracksMetadata":
            guard let ids = reader.paths() else { return -EINVAL }
            var wanted = Set(ids)
            let found = ids.filter { wanted.remove($0) != nil }.compactMap { view.metadata(of: $0) }
            BusConnection.answer(call) { writer throws(BusFault) in
                try writer.inside("a", "a{sv}") { () throws(BusFault) in
                    for track in found { try writer.append(track) }
                }
            }
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
