// SPDX-License-Identifier: Apache-2.0

/// The events of one stream, each of which is reported once.
struct StreamNews {
    private var events: [OutputEvent] = []
    /// The generations of which start and end were reported last.
    private var started: UInt32?
    private var ended: UInt32?
    private var isStarved = false

    /// Creates the news of a stream.
    ///
    /// - Parameter alreadyStarted: The generation whose start another stream has reported, if this one continues it.
    init(alreadyStarted: UInt32? = nil) {
        started = alreadyStarted
    }

    func hasStarted(_ generation: UInt32) -> Bool { started == generation }
    func hasEnded(_ generation: UInt32) -> Bool { ended == generation }

    mutating func start(_ generation: UInt32) {
        guard started != generation else { return }
        started = generation
        events.append(.started(generation: generation))
    }

    mutating func end(_ generation: UInt32, atLimit: Bool) {
        guard ended != generation else { return }
        ended = generation
        events.append(.ended(generation: generation, atLimit: atLimit))
    }

    /// Reports that a generation ran dry, if its start was reported.
    mutating func starve(_ generation: UInt32) {
        guard started == generation, !isStarved else { return }
        isStarved = true
        events.append(.starved(generation: generation))
    }

    /// Notes that sound was written: if it is late, its arrival is another start.
    mutating func supply() {
        if isStarved { started = nil }
        isStarved = false
    }

    /// Notes that another generation is awaited, which has not run dry.
    mutating func reposition() {
        isStarved = false
    }

    /// Returns the events since the last call.
    mutating func take() -> [OutputEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }
}
