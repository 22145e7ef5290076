// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// Something to do, decided by the machine and carried out by the controller.
public enum PlaybackEffect: Sendable, Codable, Hashable {
    /// Reach the output while the engine starts.
    case connectOutput
    /// Open the item, starting the engine if need be; answer with `loaded` or `loadFailed`.
    case load(generation: UInt32, Playing, rate: Double)
    /// Go to another place in what is loaded.
    case seek(generation: UInt32, MediaPosition)
    /// Take the stage with what is loaded; answer with `streamOpened` or `streamFailed`.
    case openStream(generation: UInt32)
    /// Fade out and keep the stream; answer with `silenced`.
    case pauseStream(generation: UInt32)
    case resumeStream
    /// Fade out and give the stream up; answer with `silenced`.
    case closeStream(generation: UInt32)
    case setRate(Double)
    case setVolume(Double)
    /// Drop the item; the engine may end when it has been idle.
    case unload(EngineID)
    /// The engine does not do what it should: end it, whatever it does.
    case endEngine(EngineID)
    /// Have another process render on from here, behind what the one that is gone left: nothing of it is heard but sound. If that
    /// cannot be, what is left is heard to its end, and `engineGone` follows.
    case carryOn(generation: UInt32, MediaPosition)
    /// Forget the connection to the device; the next stream makes a new one.
    case dropOutput
    /// Something is tried to bring the sound back.
    case retry(attempt: Int, RecoveryStep)
    /// What comes at a place ended the engine twice: it is left out.
    case stepOver(MediaPosition, to: MediaPosition)
    /// Answer with `clock` after a time. There is one clock: it replaces the one that runs.
    case startClock(id: UInt64, PlaybackClock.Kind, milliseconds: Int)
    case stopClock
    /// Counts down what is left of the sleep timer, with so much more; answers with `sleepFading` and `sleepDue`.
    case sleepClock(id: UInt64, adding: Int, runs: Bool)
    case stopSleepClock
    /// Answer with `rearmedSleep`.
    case rearmSleep(id: UInt64)
    /// The place before which the stream ends is another one.
    case setLimit
    /// Gets silent over the last seconds of the sleep timer.
    case fade
    /// As loud as before again.
    case endFade
    /// `finished` says that it was heard to its end.
    case savePlace(OwnerID, Playing, finished: Bool, durably: Bool)
    /// A place far below that where listening began, to which nobody moved, is not saved.
    case refusePlace(MediaPosition, floor: MediaPosition)
    case rememberItem(OwnerID, Playing)
    /// The place of the listener moved, and not by listening.
    case jumped(Jump)
    /// The command has been carried out, or has failed.
    case reply(id: UInt64, PlaybackError?)
    /// Players attached to this item (nil: all) are told that it is over.
    case finished(uri: String?, PlaybackError?)
    /// There is nothing like that to play.
    case nothingToPlay(id: UInt64)
    /// The event came too late, or from somebody who has no say, and moved nothing.
    case dropped(Reason)

    /// Why an event moved nothing.
    public enum Reason: String, Sendable, Codable, Hashable {
        /// It belongs to something that is gone.
        case stale
        /// It is of another item than the one that is there.
        case otherItem
        /// It is of an owner who does not hold the stage and has nothing of his own.
        case notOwner
    }
}

/// What is tried to bring sound back, in this order.
public enum RecoveryStep: String, Sendable, Codable, Hashable, CaseIterable {
    /// The engine is asked once more for what should be heard.
    case seek
    case restartEngine
    case reopenOutput
}
