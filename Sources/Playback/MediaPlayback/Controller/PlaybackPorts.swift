// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// Everything outside that the controller calls.
struct PlaybackPorts: Sendable {
    let engines: any EngineProvider
    let outputs: any OutputProvider
    let store: any PlaceStore
    /// `nil` if no history is kept.
    let history: (any HistoryStore)?
    /// The journal that keeps the place between two saves; `nil` if there is none.
    let places: (any PlaceJournal)?
    let books: (any BookStore)?
    let scanner: (any BookScanning)?
    /// `nil` if every item is a work by itself.
    let works: (any WorkFinding)?
    /// The exchange of places with servers; `nil` if there is none.
    let served: (any ServedPlaces)?
    let resolver: any ItemResolving
    let log: any TransitionLogging
    let clock: any Clock<Duration>
    /// Milliseconds since 1970.
    let wallClock: @Sendable () -> Int64
}
