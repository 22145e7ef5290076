// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import TaskChains

/// The saves on their way to the library and its journal, and whether they arrive.
struct PlaceKeeping {
    /// The calls to the library, in order; the chain keeps its own state.
    var saves = TaskChain()
    /// The calls to the journal of places, in order; the chain keeps its own state.
    var journal = TaskChain()
    /// The spans of listening, which are a part with rules and private state of their own.
    var spans = SpanTracker()
    /// The place where the last load resumed by itself, until something else is known.
    private var resumed: Playing?
    private var followed: JournalSubject?
    /// The jumps that commands are taking back.
    private var undone: [UInt64: HistoryEntry] = [:]
    /// The reason why the place could not be saved the last time; `nil` if it was saved.
    private(set) var fault: PlaceStoreError?
    private var heartbeat: Task<Void, Never>?

    /// Notes the outcome of a save, and returns whether it differs from the one before.
    mutating func note(fault: PlaceStoreError?) -> Bool {
        defer { self.fault = fault }
        return fault != self.fault
    }

    /// Notes where an item starts: where it resumes by itself, or where the user said.
    mutating func noteStart(of playing: Playing, resumes: Bool) { resumed = resumes ? playing : nil }

    /// Notes that the user says where to go on.
    mutating func noteSeek() { resumed = nil }

    /// Returns the place in a track where an item resumed by itself; `nil` if it is past that, or resumed elsewhere.
    func resumption(of current: Playing, inTrack track: Int) -> Playing? {
        guard let resumed, resumed.item.uri == current.item.uri, resumed.position.track == track,
            current.position <= resumed.position
        else { return nil }
        return resumed
    }

    /// Notes the jump that a command takes back.
    mutating func note(undone entry: HistoryEntry, by command: UInt64) { undone[command] = entry }

    /// Returns the jump that a command took back; `nil` if it is in no history.
    mutating func undone(by command: UInt64) -> HistoryEntry? { undone.removeValue(forKey: command) }

    /// Notes what the journal is to follow, and returns whether it follows something else so far.
    mutating func follow(_ subject: JournalSubject?) -> Bool {
        defer { followed = subject }
        return subject != followed
    }

    /// Starts the heartbeat while something sounds, and stops it when nothing does.
    mutating func beat(_ isSounding: Bool, _ start: () -> Task<Void, Never>) {
        if !isSounding {
            heartbeat?.cancel()
            heartbeat = nil
        } else if heartbeat == nil {
            heartbeat = start()
        }
    }
}
