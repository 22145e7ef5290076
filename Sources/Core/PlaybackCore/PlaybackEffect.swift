// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// An action that the machine decides and the controller carries out.
public enum PlaybackEffect: Sendable, Codable, Hashable {
    /// Connect to the output while the engine starts.
    case connectOutput
    /// Open the item, starting the engine if need be; answer with `loaded` or `loadFailed`.
    case load(generation: UInt32, Playing, rate: Double)
    /// Go to another position in what is loaded.
    case seek(generation: UInt32, MediaPosition)
    /// Open a stream for what is loaded; answer with `streamOpened` or `streamFailed`.
    case openStream(generation: UInt32)
    /// Fade out and keep the stream; answer with `silenced`.
    case pauseStream(generation: UInt32)
    case resumeStream
    /// Fade out and close the stream; answer with `silenced`.
    case closeStream(generation: UInt32)
    case setRate(Double)
    case setVolume(Double)
    /// Drop the item; the engine may end when it has been idle.
    case unload(EngineID)
    /// End the engine, whatever it is doing, because it does not do what it should.
    case endEngine(EngineID)
    /// Have another process continue rendering from here, behind what the dead one left.
    ///
    /// The change must be inaudible. If that is impossible, what is left is heard to its end, and `engineGone` follows.
    case carryOn(generation: UInt32, MediaPosition)
    /// Forget the connection to the device; the next stream makes a new one.
    case dropOutput
    /// A recovery attempt starts.
    case retry(attempt: Int, RecoveryStep)
    /// An engine failed for good, and another one goes on with its item, from the start of the sentence.
    case handOver(from: EngineID, to: EngineID, PlaybackError)
    /// Content that killed the engine twice at the same position is left out.
    case stepOver(MediaPosition, to: MediaPosition)
    /// Answer with `clock` after a time.
    ///
    /// There is one clock: this one replaces the one that runs.
    case startClock(id: UInt64, PlaybackClock.Kind, milliseconds: Int)
    case stopClock
    /// Count down what is left of the sleep timer, plus this amount; answer with `sleepFading` and `sleepDue`.
    case sleepClock(id: UInt64, adding: Int, runs: Bool)
    case stopSleepClock
    /// Answer with `rearmedSleep`.
    case rearmSleep(id: UInt64)
    /// The position before which the stream ends has changed.
    case setLimit
    /// Fade to silence over the last seconds of the sleep timer.
    case fade
    /// Return to the full volume.
    case endFade
    /// Save the place; `finished` is `true` if the item was heard to its end.
    case savePlace(OwnerID, Playing, finished: Bool, durably: Bool)
    /// A place far below the floor, to which nobody moved, is not saved.
    case refusePlace(MediaPosition, floor: MediaPosition)
    case rememberItem(OwnerID, Playing)
    /// The user's place moved other than by listening.
    case jumped(Jump)
    /// The command has been carried out, or has failed.
    case reply(id: UInt64, PlaybackError?)
    /// Tell the players attached to this item (`nil` for all) that it has ended.
    case finished(uri: String?, PlaybackError?)
    /// There is no such thing to play.
    case nothingToPlay(id: UInt64)
    /// The event came too late, or from a sender without a say, and changed nothing.
    case dropped(Reason)

    /// The reason why an event changed nothing.
    public enum Reason: String, Sendable, Codable, Hashable {
        /// It belongs to something that is gone.
        case stale
        /// It is about another item than the current one.
        case otherItem
        /// It comes from an owner that has neither audio focus nor an item of its own.
        case notOwner
    }
}

extension PlaybackEffect {
    /// `true` if another engine takes over.
    public var handsOver: Bool {
        if case .handOver = self { true } else { false }
    }
}

/// The recovery attempts, in this order.
public enum RecoveryStep: String, Sendable, Codable, Hashable, CaseIterable {
    /// Ask the engine once more for what should be heard.
    case seek
    case restartEngine
    case reopenOutput
}
