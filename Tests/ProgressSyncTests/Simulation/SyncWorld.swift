// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import ProgressTestSupport

/// Three devices of one listener and their server, with a network that loses and delays.
struct SyncWorld: Hashable, Sendable {
    struct Device: Hashable, Sendable {
        var state = ProgressState(length: SyncWorld.length)
        var clock = ClockCorrection()
        /// The error of the device's clock.
        var error: Int64
        /// The places to which `undo` leads back.
        var history: Set<Int64> = []
        var news = 0
    }

    private struct Delayed: Hashable, Sendable {
        var device: Int
        var write: ProgressWrite
    }

    enum Loss: Hashable, Sendable, CaseIterable {
        case none
        case answerOfRead
        case write
        case answerOfWrite
        /// The write counts as lost, and arrives later.
        case delay
    }

    enum Letter: Hashable, Sendable {
        case listen(Int)
        case rewind(Int)
        case finish(Int)
        case exchange(Int, Loss)
        /// A delayed write arrives.
        case arrive
        /// Another client sets the record to 0.
        case zero
        /// A client whose clock is a day ahead writes a place.
        case future
    }

    /// Rules that the simulation must find broken.
    enum Fault: Hashable, Sendable, CaseIterable {
        /// A place that is taken over leaves no trace of the one before.
        case keepsNoHistory
        /// What a write led to is news when it is read.
        case readsItsWritesAsNews
        /// A place that was taken from the server is sent as if it had been heard.
        case sendsWhatItTook
        /// A place that wins over the server's is not sent.
        case sendsNoCorrection
    }

    static let length: Int64 = 36_000_000
    static let day: Int64 = 86_400_000
    static let devices = 0..<3

    static let letters: [Letter] =
        devices.flatMap { device in
            [.listen(device), .rewind(device), .finish(device)] + Loss.allCases.map { .exchange(device, $0) }
        } + [.arrive, .zero, .future]

    var sync: ProgressSync
    var server: ServerModel
    var devices = [Device(error: 0), Device(error: day), Device(error: -day)]
    private var delayed: [Delayed] = []
    /// The device whose place the server has; `nil` for another client's.
    private var writer: Int?
    /// `true` if a device took its own write for news.
    private var hasMisread = false
    var now: Int64 = 1_000 * day
    private var hasAnswered = false
    /// A rule that is broken on purpose.
    var fault: Fault?
    /// The writes that devices have sent.
    var writes = 0
    /// Each place that was heard or chosen, with the one that it was reached from.
    var honest: [Int64: Int64] = [:]

    init(policy: ProgressPolicy = .merge, keepsStamps: Bool = true) {
        sync = ProgressSync(policy: policy)
        server = ServerModel(keepsStamps: keepsStamps)
    }

    mutating func follow(_ letter: Letter) {
        now += 180_000
        switch letter {
        case .listen(let device):
            move(device, to: place(device) + 600_000, .heard)
        case .rewind(let device):
            // As every seek, it is in the history of its device.
            devices[device].history.insert(place(device))
            move(device, to: max(0, place(device) - 7_200_000), .user)
        case .finish(let device):
            move(device, to: Self.length - 5_000, .heard, isFinished: true)
        case .exchange(let device, let loss): exchange(device, loss)
        case .arrive:
            guard !delayed.isEmpty else { return }
            let first = delayed.removeFirst()
            write(first.write, by: first.device)
        case .zero: store(0, stamp: now)
        case .future: store(20_000_000, stamp: now + Self.day)
        }
    }

    private mutating func write(_ write: ProgressWrite, by device: Int) {
        server.patch(write, at: now)
        // A flag that arrives late is on the place of whoever wrote last.
        if case .place = write { writer = device } else if writer != device { writer = nil }
    }

    private mutating func store(_ place: Int64, stamp: Int64) {
        server.store(foreign: place, stamp: stamp, length: Self.length)
        writer = nil
    }

    private func place(_ device: Int) -> Int64 { devices[device].state.local?.milliseconds ?? 0 }

    private mutating func move(_ device: Int, to place: Int64, _ provenance: Provenance, isFinished: Bool = false) {
        // Every place is another one, so that it can be recognised wherever it goes.
        let unique = min(place, Self.length - 5_000) / 1000 * 1000 + Int64(honest.count) + 1
        honest[unique] = self.place(device)
        devices[device].state.note(
            ProgressRecord(
                milliseconds: unique, isFinished: isFinished, updatedAt: now + devices[device].error,
                provenance: provenance, device: "\(device)"),
            clock: devices[device].clock)
    }

    private mutating func exchange(_ number: Int, _ loss: Loss) {
        guard loss != .answerOfRead else { return }
        var device = devices[number]
        device.clock.note(date: now / 1000 * 1000, at: now + device.error)
        device.state.correct(by: device.clock)
        let clock = device.clock.corrected(now + device.error)
        device.state.note(
            remote: server.record.map(RemoteProgress.record) ?? .absent, at: clock, rules: sync.rules)
        if fault == .readsItsWritesAsNews { device.state.base = nil }
        let step = device.state.settle(by: sync, isPlaying: false, at: clock)
        hasMisread = hasMisread || writer == number && (step.jump != nil || step.news != nil)
        if fault == .sendsWhatItTook, let place = step.place {
            device.state.pending = place
            device.state.local?.milliseconds += 1
        }
        if fault == .sendsNoCorrection, step.push != nil, step.jump != nil { device.state.pending = nil }
        if let jump = step.jump, fault != .keepsNoHistory { device.history.insert(jump.from.milliseconds) }
        if step.news != nil { device.news += 1 }
        if let push = step.push, fault != .sendsNoCorrection || step.jump == nil {
            device.state.noteSending(push.steps)
            for (write, record) in zip(push.writes, push.steps) {
                writes += 1
                if loss == .delay { delayed.append(Delayed(device: number, write: write)) }
                if loss == .none || loss == .answerOfWrite { self.write(write, by: number) }
                guard loss == .none else { break }
                device.state.noteSent(record)
            }
        }
        devices[number] = device
        if case .apart(let local, let remote, .undecided) = step.news, sync.policy == .ask {
            answer(number, local, remote)
        }
    }

    /// A listener who is asked wants the place of the first device that asks, and says so on the others.
    private mutating func answer(_ number: Int, _ local: ProgressRecord, _ remote: ProgressRecord) {
        guard hasAnswered else {
            hasAnswered = true
            return move(number, to: local.milliseconds + 10_000, .heard)
        }
        devices[number].history.insert(local.milliseconds)
        devices[number].state.note(
            ProgressRecord(
                milliseconds: remote.milliseconds, isFinished: remote.isFinished,
                updatedAt: now + devices[number].error, provenance: .user),
            clock: devices[number].clock)
    }

    // MARK: The end

    /// Lets everything arrive and all devices exchange until nothing changes, and returns the rules that are broken.
    mutating func end() -> [String] {
        while !delayed.isEmpty { follow(.arrive) }
        writes = 0
        var rounds = 0
        var silent = 0
        while rounds < 16, silent < 2 {
            let before = (writes, devices.map { $0.state.local?.milliseconds })
            for device in Self.devices {
                now += 400_000
                exchange(device, .none)
            }
            silent = before == (writes, devices.map { $0.state.local?.milliseconds }) ? silent + 1 : 0
            rounds += 1
        }
        var broken: [String] = []
        if silent < 2 { broken.append("devices go on writing for ever") }
        if writes > Self.mostWrites { broken.append("\(writes) writes after the last listening") }
        if !isAgreed { broken.append("devices disagree at the end") }
        if hasMisread { broken.append("a device takes its own write for news") }
        return broken + lost.map { "the place \($0) is in no history" }
    }

    /// The most writes that may follow: of each device its own place and flag, and those that put right what is far behind.
    static let mostWrites = 12

    private var isAgreed: Bool {
        guard let record = server.record else { return devices.allSatisfy { $0.state.local == nil } }
        return devices.allSatisfy { $0.state.local?.milliseconds == record.milliseconds && $0.state.pending == nil }
    }

    /// The honest places from which nothing leads on, and to which nothing leads back.
    private var lost: [Int64] {
        var kept: Set<Int64> = []
        for device in devices {
            for place in device.history.union([device.state.local?.milliseconds ?? 0]) {
                var place: Int64? = place
                while let next = place, kept.insert(next).inserted { place = honest[next] }
            }
        }
        // Within a second of a place that was taken, nothing is a place of its own.
        return honest.keys.filter { place in !kept.contains { abs($0 - place) < 1000 } }.sorted()
    }
}
