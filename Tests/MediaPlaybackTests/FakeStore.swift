// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import TransitionRecords

/// A place store in memory.
final class FakeStore: PlaceStore {
    let tape: Tape
    private let gate: Gate
    /// Locked for one access.
    private let state = Mutex<(places: [String: SavedPlace], last: [ContentKind: LastItem])>(([:], [:]))
    /// Locked for one access.
    private let settings = Mutex<[SettingKey: String]>([:])
    private let failsLookup: Mutex<Bool>
    private let saveFailure = Mutex<PlaceStoreError?>(nil)

    init(tape: Tape, failsLookup: Bool = false, selectedEngine: String? = nil, gate: Gate = Gate()) {
        self.tape = tape
        self.gate = gate
        self.failsLookup = Mutex(failsLookup)
        settings.withLock { $0[.selectedEngine] = selectedEngine }
    }

    /// The only item whose place cannot be looked up.
    private let unreadable = Mutex<String?>(nil)

    func set(unreadable uri: String?) { unreadable.withLock { $0 = uri } }

    func set(failsLookup: Bool) { self.failsLookup.withLock { $0 = failsLookup } }

    func prepare() async -> [String] { [] }
    func place(of uri: String, owner: OwnerID) async -> PlaceLookup {
        if failsLookup.withLock({ $0 }) || unreadable.withLock({ $0 == uri }) {
            return .failed(PlaceStoreError(.unavailable, "the disk is gone"))
        }
        return state.withLock { $0.places[uri] }.map { .progress($0) } ?? .empty
    }
    func save(_ place: SavedPlace, durably: Bool) async throws(PlaceStoreError) {
        await gate.pass("save")
        // A test that waits for the line may look the place up at once.
        defer {
            tape.add(
                "store: \(place.uri) \(place.position.units)\(place.finished ? " finished" : "") (\(place.provenance))")
        }
        if let failure = saveFailure.withLock({ $0 }) { throw failure }
        state.withLock { $0.places[place.uri] = place }
    }
    func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem? {
        await gate.pass("lastItem")
        if failsLookup.withLock({ $0 }) { throw PlaceStoreError(.unavailable, "the disk is gone") }
        return state.withLock { $0.last[kind] }
    }
    func fail(saves: PlaceStoreError?) { saveFailure.withLock { $0 = saves } }
    func setLastItem(_ item: LastItem) async throws(PlaceStoreError) {
        if failsLookup.withLock({ $0 }) { throw PlaceStoreError(.unavailable, "the disk is gone") }
        state.withLock { $0.last[item.kind] = item }
    }
    func remember(_ preferences: ItemPreferences, of uri: String, owner: OwnerID) async throws(PlaceStoreError) {
        state.withLock { state in
            guard var place = state.places[uri] else { return }
            place.rate = preferences.rate ?? place.rate
            place.volume = preferences.volume ?? place.volume
            place.engine = preferences.engine ?? place.engine
            place.voice = preferences.voice ?? place.voice
            state.places[uri] = place
        }
    }
    func setting(_ key: SettingKey) async throws(PlaceStoreError) -> String? {
        if failsLookup.withLock({ $0 }) { throw PlaceStoreError(.unavailable, "the disk is gone") }
        return settings.withLock { $0[key] }
    }
    func set(_ key: SettingKey, to value: String?) async throws(PlaceStoreError) {
        if let failure = saveFailure.withLock({ $0 }) { throw failure }
        settings.withLock { $0[key] = value }
    }
}

/// A history in memory.
final class FakeHistory: HistoryStore {
    /// Locked for one access.
    private let state = Mutex<(entries: [HistoryEntry], spans: [ListeningSpan])>(([], []))
    let failure: PlaceStoreError?

    init(failure: PlaceStoreError? = nil) { self.failure = failure }

    func record(_ entry: HistoryEntry) async throws(PlaceStoreError) {
        if let failure { throw failure }
        state.withLock { state in
            var entry = entry
            entry.id = Int64(state.entries.count + 1)
            state.entries.append(entry)
        }
    }
    func history(limit: Int) async throws(PlaceStoreError) -> [HistoryEntry] {
        state.withLock { Array($0.entries.reversed().prefix(limit)) }
    }
    func lastJump() async throws(PlaceStoreError) -> HistoryEntry? {
        state.withLock { $0.entries.last { !$0.isUndone && $0.jump.cause != .undo } }
    }
    func markUndone(_ entry: HistoryEntry) async throws(PlaceStoreError) {
        state.withLock { state in
            for index in state.entries.indices where state.entries[index].id == entry.id {
                state.entries[index].isUndone = true
            }
        }
    }
    func record(_ span: ListeningSpan) async throws(PlaceStoreError) {
        state.withLock { state in
            state.spans.removeAll { $0.uri == span.uri && $0.began == span.began }
            state.spans.append(span)
        }
    }
    func spans(limit: Int) async throws(PlaceStoreError) -> [ListeningSpan] {
        state.withLock { Array($0.spans.reversed().prefix(limit)) }
    }
}

/// A place journal that records on the tape what it follows.
struct FakePlaceJournal: PlaceJournal {
    let tape: Tape

    func follow(_ subject: JournalSubject?, feed: HeardFeed) async {
        guard let subject else { return tape.add("journal: nothing") }
        let end = subject.tracks.limited(MediaPosition(track: 0, units: .max)).units
        tape.add(
            "journal: \(subject.uri) (\(subject.generation)) from \(subject.floor.map { "\($0.units)" } ?? "-") to \(end)"
        )
    }

    func keep(_ place: SavedPlace, generation: UInt32) async {
        tape.add("journal: keep \(place.uri) \(place.position.units) (\(generation))")
    }
}

/// Resolves an item by its name: `.txt` is a text, all else is audio, and `missing` is not there.
struct FakeResolver: ItemResolving {
    var gate = Gate()

    func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        let name = request.items.first ?? ""
        await gate.pass("resolve")
        guard !name.contains("missing") else { throw ItemError(.missing, "no such file: \(name)") }
        let tracks = request.items.map { item in
            item.hasPrefix("https:") ? TrackSource.url(item, headers: []) : .file(path: item)
        }
        return ResolvedItem(
            content: Content(
                uri: name, kind: name.hasSuffix(".txt") || request.asText ? .text : .audio,
                tracks: tracks, title: name),
            items: request.items, notes: [])
    }
}

/// Keeps the entries that are recorded.
final class CapturingLog: TransitionLogging {
    /// Locked for an append or a copy.
    private let state = Mutex<[TransitionEntry]>([])
    var entries: [TransitionEntry] { state.withLock { $0 } }
    func record(_ entry: TransitionEntry) { state.withLock { $0.append(entry) } }
    func flush() async {}
    func subscribe() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}
