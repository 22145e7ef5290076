// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaPlayback
import ProgressSync

/// A store that survives the sessions of a test; states are kept as they are in a library.
actor MemoryProgressStore: ProgressStore {
    private var kept: [ServedItem: Data] = [:]
    private var clock = ClockCorrection()
    private var known: [ListeningSession] = []
    private var failure: PlaceStoreError?

    func fail(_ failure: PlaceStoreError?) { self.failure = failure }

    func progress(of account: String) async throws(PlaceStoreError) -> KeptProgress {
        if let failure { throw failure }
        let states = kept.filter { $0.key.account == account }.compactMapValues {
            try? JSONDecoder().decode(ProgressState.self, from: $0)
        }
        return KeptProgress(states: states, clock: clock)
    }

    func keep(
        _ states: [ServedItem: ProgressState], clock: ClockCorrection, of account: String, durably: Bool
    ) async throws(PlaceStoreError) {
        if let failure { throw failure }
        for (item, state) in states { kept[item] = try? JSONEncoder().encode(state) }
        self.clock = clock
    }

    func keep(_ session: ListeningSession) async throws(PlaceStoreError) {
        if let failure { throw failure }
        if let index = known.firstIndex(where: { $0.item == session.item && $0.began == session.began }) {
            known[index].ended = session.ended
            known[index].to = session.to
        } else {
            known.append(session)
        }
    }

    func sessions(of account: String, limit: Int) async throws(PlaceStoreError) -> [ListeningSession] {
        if let failure { throw failure }
        return Array(known.filter { $0.item.account == account }.prefix(limit))
    }

    func remove(_ sessions: [ListeningSession]) async throws(PlaceStoreError) {
        known.removeAll { sessions.contains($0) }
    }
}
