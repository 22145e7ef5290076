// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import TransitionRecords

/// The cause of a record: a command with its origin, or something else.
///
/// The running task carries it: the consequences of an event belong to the command that led to the event, even if
/// another command arrived meanwhile.
struct Initiator: Sendable, Hashable {
    var command: String?
    var origin = TransitionEntry.Cause.user

    /// The initiator of an external event, which is part of no command.
    static let nobody = Initiator()

    /// The initiator of what the running task does; `nil` outside of commands and their consequences.
    @TaskLocal static var current: Initiator?

    /// Runs a body, and the tasks that it starts, on behalf of an initiator.
    static func run<Value, Failure: Error>(
        as initiator: Initiator?, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = $current.withValue(initiator) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Runs a body that waits, and the tasks that it starts, on behalf of an initiator.
    static func run<Value, Failure: Error>(
        as initiator: Initiator?, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await $current.withValue(initiator) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// The commands that later events belong to.
struct Initiators {
    /// The initiator of the newest command.
    private var newest = Initiator.nobody
    /// The initiators of the latest generations: the sound of a generation belongs to the command that started it.
    private var leading: [UInt32: Initiator] = [:]

    /// The initiator of what happens now.
    var present: Initiator { Initiator.current ?? newest }

    /// Notes a new command, and returns its initiator.
    mutating func begin(command id: UInt64, _ origin: TransitionEntry.Cause) -> Initiator {
        newest = Initiator(command: "c\(id)", origin: origin)
        return newest
    }

    /// Notes that what happens now has begun a generation.
    mutating func note(generation: UInt32) {
        leading[generation] = present
        // Nothing more arrives from a generation that is more than a few steps old; a step may skip numbers.
        if leading.count > 16 { leading = leading.filter { generation &- $0.key < 16 } }
    }

    /// Returns the initiator of an event.
    func initiator(of event: PlaybackEvent) -> Initiator {
        if let current = Initiator.current { return current }
        return switch event {
        case .started(let generation), .starved(let generation), .ended(let generation, _, _),
            .sleepPlaceReached(let generation, _), .engineFailed(let generation, _, _),
            .engineGone(let generation, _, _, _, _), .engineLost(let generation, _, _),
            .silenced(let generation, _, _), .heard(let generation, _):
            leading[generation] ?? newest
        case .interruption, .routeLost, .routeReturned, .outputFailed: .nobody
        default: newest
        }
    }
}
