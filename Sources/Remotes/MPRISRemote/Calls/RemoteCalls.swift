// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Clocks
import Glibc
import SessionProtocol

/// The calls of remotes that wait: for the name of their sender, or for the session's answer.
///
/// Used on the bus's thread.
final class RemoteCalls {
    /// The number of calls that may wait at a time; more are refused.
    static let limit = 64
    /// The number of senders whose programs are remembered.
    private static let knownLimit = 64
    /// The time that the bus has to name a sender's process, in microseconds.
    private static let namingLimit: UInt64 = 250_000

    private struct Waiting {
        let call: PlayerCall
        let sender: String
        let number: UInt64
        /// The monotonic time of arrival, in milliseconds.
        let time: Int64
        /// The sender with its program, as soon as the bus has named it.
        var known: RemoteSender?
    }

    private let works: AsyncStream<RemoteWork>.Continuation
    /// The messages that are not answered yet, by the numbers of their calls; `nil` for one that needs no answer.
    private var open: [UInt64: OpaquePointer?] = [:]
    private var last: UInt64 = 0
    /// The calls that are not passed on yet, in the order of their arrival.
    private var waiting: [Waiting] = []
    private var senders: [String: RemoteSender] = [:]
    /// The senders that the bus is asked for, by the serial numbers of the questions.
    private var questions: [UInt64: String] = [:]
    private var filter = PressFilter()
    /// The object that is called; it owns this.
    private weak var object: PlayerObject?

    init(service: any RemoteService, mailbox: Mailbox) {
        let (stream, works) = AsyncStream.makeStream(of: RemoteWork.self)
        self.works = works
        Task { await RemoteWork.carryOut(stream, by: service, mailbox) }
    }

    deinit { works.finish() }

    /// `true` if no call waits.
    var isEmpty: Bool { open.isEmpty }

    /// Takes a call; it is answered when the session has taken it up.
    ///
    /// - Parameter answers: `false` if sd-bus answers the message by itself.
    /// - Returns: `false` if too many calls wait already.
    func take(_ call: PlayerCall, _ message: OpaquePointer, answers: Bool, _ object: PlayerObject) -> Bool {
        self.object = object
        guard open.count < Self.limit else { return false }
        let sender = sd_bus_message_get_sender(message).map { String(cString: $0) } ?? ""
        last += 1
        open[last] = .some(answers ? sd_bus_message_ref(message) : nil)
        waiting.append(
            Waiting(
                call: call, sender: sender, number: last, time: MonotonicTime.milliseconds(), known: senders[sender]))
        if senders[sender] == nil, !questions.values.contains(sender) {
            ask(for: sender, sd_bus_message_get_bus(message))
        }
        passOn()
        return true
    }

    /// Answers a call, unless it has been answered.
    func finish(_ number: UInt64, _ failure: SessionError?) {
        guard let entry = open.removeValue(forKey: number), let message = entry else { return }
        if let failure {
            BusConnection.refuse(message, "org.rostrum.Error.Code\(failure.code.rawValue)", failure.message)
        } else {
            BusConnection.answer(message)
        }
        sd_bus_message_unref(message)
    }

    /// Forgets every call, whose callers are gone with the bus.
    func dropAll() {
        for case let message? in open.values { sd_bus_message_unref(message) }
        open = [:]
        waiting = []
        senders = [:]
        questions = [:]
    }

    // MARK: Senders

    private func ask(for sender: String, _ bus: OpaquePointer?) {
        var made: OpaquePointer?
        let driver = "org.freedesktop.DBus"
        guard let object, let bus,
            sd_bus_message_new_method_call(
                bus, &made, driver, "/org/freedesktop/DBus", driver, "GetConnectionUnixProcessID") >= 0,
            let question = made
        else { return know(RemoteSender(name: sender)) }
        defer { sd_bus_message_unref(question) }
        var serial: UInt64 = 0
        let context = Unmanaged.passUnretained(object).toOpaque()
        let isAsked =
            sender.withCString { sd_bus_message_append_basic(question, 0x73, $0) } >= 0
            && sd_bus_call_async(
                bus, nil, question,
                { reply, context, _ in
                    if let reply { PlayerObject.from(context).takeProcess(reply) }
                    return 1
                }, context, Self.namingLimit) >= 0
            && sd_bus_message_get_cookie(question, &serial) >= 0
        if isAsked { questions[serial] = sender } else { know(RemoteSender(name: sender)) }
    }

    /// Takes the bus's answer to the question which process a sender is.
    func takeProcess(_ reply: OpaquePointer) {
        var serial: UInt64 = 0
        guard sd_bus_message_get_reply_cookie(reply, &serial) >= 0, let name = questions.removeValue(forKey: serial)
        else { return }
        var sender = RemoteSender(name: name)
        if sd_bus_message_is_method_error(reply, nil) <= 0, let process = BusReader(message: reply).uint32() {
            sender.process = Int32(exactly: process)
            sender.program = sender.process.flatMap(Self.program)
        }
        know(sender)
        passOn()
    }

    private func know(_ sender: RemoteSender) {
        if senders.count >= Self.knownLimit { senders = [:] }
        senders[sender.name] = sender
        for index in waiting.indices where waiting[index].sender == sender.name { waiting[index].known = sender }
    }

    /// Returns the name of a process, as the kernel has it.
    private static func program(_ process: Int32) -> String? {
        let file = Glibc.open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).filter { $0 >= 32 }, as: UTF8.self)
    }

    /// Passes on calls in the order of their arrival, up to the first one whose sender is not known yet.
    private func passOn() {
        while let first = waiting.first, let sender = first.known, let object {
            waiting.removeFirst()
            let endsSound = first.call == .pause || first.call == .stop
            works.yield(
                RemoteWork(
                    number: first.number, action: action(of: first, by: sender, on: object), name: first.call.name,
                    sender: sender, endsSound: endsSound, mayBeEmpty: !object.canPlay))
        }
    }

    private func action(of call: Waiting, by sender: RemoteSender, on object: PlayerObject) -> RemoteWork.Action {
        guard filter.acts(call.call, from: sender.program ?? sender.name, at: call.time) else {
            return .ignore("another program reported the same press")
        }
        if call.call == .quit { return .quit }
        return object.command(for: call.call).map { .command($0) } ?? .ignore("it is not possible now")
    }
}
