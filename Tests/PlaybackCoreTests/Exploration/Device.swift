// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// A realistic device: it carries out one call after the other, late or never, loses its stream, has underruns, and
/// reports what is audible.
///
/// Generations are those of the machine; the device knows nothing else about it.
struct Device: Hashable, Sendable {
    enum Call: Hashable, Sendable {
        case open(UInt32)
        case pause(UInt32)
        case resume
        case close(UInt32)
        case reposition(UInt32)
        case drop
    }

    struct Stream: Hashable, Sendable {
        var generation: UInt32
        var owner: OwnerID
        var isPaused: Bool
        /// `true` if the start of its generation was reported, and there was no underrun since.
        var hasStarted = false
        var wasFirst = false
        /// `true` if anything is audible, even if it is only what came before a seek.
        var sounds = false
    }

    private(set) var calls: [Call] = []
    private(set) var stream: Stream?

    /// The number of calls that may be late; then the device comes first.
    static let mostCalls = 3
    static let place = MediaPosition(track: 0, units: 200_000)

    mutating func take(_ effect: PlaybackEffect) {
        switch effect {
        case .openStream(let generation): calls.append(.open(generation))
        case .pauseStream(let generation): calls.append(.pause(generation))
        case .resumeStream: calls.append(.resume)
        case .closeStream(let generation): calls.append(.close(generation))
        case .seek(let generation, _): calls.append(.reposition(generation))
        case .dropOutput: calls.append(.drop)
        default: break
        }
    }

    /// Carries out the next call.
    ///
    /// - Parameter refuses: `true` if the device cannot open.
    /// - Returns: Its answer.
    mutating func carryOut(_ state: PlaybackState, refuses: Bool) -> PlaybackEvent? {
        guard !calls.isEmpty else { return nil }
        switch calls.removeFirst() {
        case .open(let generation):
            // Like the controller, it does not open what is stale by now.
            guard generation == state.generation, state.stream == .opening else { return nil }
            guard !refuses else {
                stream = nil
                return .streamFailed(generation: generation, PlaybackError(.unavailable, message: "refused"))
            }
            stream = Stream(generation: generation, owner: state.owner, isPaused: state.opensSilent)
            return .streamOpened(generation: generation)
        case .pause(let generation):
            let heard = stream.flatMap { $0.hasStarted && $0.generation == generation ? Self.place : nil }
            stream?.isPaused = true
            stream?.sounds = false
            return .silenced(generation: generation, heard: heard)
        case .resume:
            stream?.isPaused = false
            if stream?.hasStarted == true { stream?.sounds = true }
            return nil
        case .close(let generation):
            let heard = stream.flatMap { $0.hasStarted && $0.generation == generation ? Self.place : nil }
            stream = nil
            return .silenced(generation: generation, heard: heard)
        case .reposition(let generation):
            stream?.generation = generation
            stream?.hasStarted = false
            stream?.wasFirst = false
            return nil
        case .drop:
            stream = nil
            return nil
        }
    }

    var maySound: Bool { stream.map { !$0.isPaused && !$0.hasStarted } ?? false }
    var isHeard: Bool { stream.map { $0.hasStarted && $0.sounds } ?? false }

    /// Returns `true` if the present generation has been heard and there is no underrun.
    func hasHeard(_ generation: UInt32) -> Bool { stream.map { $0.hasStarted && $0.generation == generation } ?? false }

    /// Makes a sound; returns `true` if it is the first of its generation.
    mutating func sound() -> Bool {
        defer { stream?.wasFirst = true }
        stream?.hasStarted = true
        stream?.sounds = true
        return stream?.wasFirst == false
    }

    mutating func runDry() {
        stream?.hasStarted = false
        stream?.sounds = false
    }

    mutating func end() { stream?.sounds = false }

    mutating func lose() { stream = nil }

    /// Returns the same device, with generations as distances from the present one.
    func relative(to base: UInt32) -> Device {
        var same = self
        same.stream?.generation = base &- (stream?.generation ?? 0)
        same.calls = calls.map { call in
            switch call {
            case .open(let generation): .open(base &- generation)
            case .pause(let generation): .pause(base &- generation)
            case .close(let generation): .close(base &- generation)
            case .reposition(let generation): .reposition(base &- generation)
            case .resume, .drop: call
            }
        }
        return same
    }
}
