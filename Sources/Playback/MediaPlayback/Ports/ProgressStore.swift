// SPDX-License-Identifier: Apache-2.0

public import ProgressSync

/// All that is kept of the places of one account of a server.
public struct KeptProgress: Sendable, Hashable {
    public var states: [ServedItem: ProgressState]
    public var clock: ClockCorrection

    public init(states: [ServedItem: ProgressState] = [:], clock: ClockCorrection = ClockCorrection()) {
        self.states = states
        self.clock = clock
    }
}

/// Keeps the places of servers' items on this machine, what the servers are still to be told, and times of listening.
///
/// No place is ever removed.
public protocol ProgressStore: Sendable {
    func progress(of account: String) async throws(PlaceStoreError) -> KeptProgress

    /// Replaces the states of some items and the correction of the server's clock, in one transaction.
    ///
    /// - Parameter durably: whether they must survive a power cut when this returns; otherwise they survive only the
    ///   end of the process.
    func keep(
        _ states: [ServedItem: ProgressState], clock: ClockCorrection, of account: String, durably: Bool
    ) async throws(PlaceStoreError)

    /// Adds a session, or replaces the one of the same item with the same beginning, whose id it gets.
    func keep(_ session: ListeningSession) async throws(PlaceStoreError)

    /// Returns the sessions of an account that its server does not know yet, the oldest first.
    func sessions(of account: String, limit: Int) async throws(PlaceStoreError) -> [ListeningSession]

    /// Removes sessions that the server knows as they are here, or does not want.
    func remove(_ sessions: [ListeningSession]) async throws(PlaceStoreError)
}
