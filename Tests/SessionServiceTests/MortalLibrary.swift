// SPDX-License-Identifier: Apache-2.0

import LibraryStore
import MediaPlayback
import Synchronization
import WaitTestSupport

/// The clips of a session and their files, until the session is killed: from then on nothing is carried out any more.
final class MortalLibrary: ClipStore, ClipFileStore {
    private let store: LibraryStore
    private let folder: ClipFolder
    private let state = Watched((isDead: false, calls: 0))

    init(_ store: LibraryStore, _ folder: ClipFolder) {
        self.store = store
        self.folder = folder
    }

    /// Kills the session, and returns when the calls under way are over.
    func die() async {
        state.change { $0.isDead = true }
        _ = await state.wait { $0.calls == 0 }
    }

    private func alive<Value: Sendable>(
        _ work: () async throws(PlaceStoreError) -> Value
    ) async throws(PlaceStoreError) -> Value {
        var isDead = false
        state.change { state in
            isDead = state.isDead
            if !isDead { state.calls += 1 }
        }
        if isDead { throw PlaceStoreError(.unavailable, "the session is over") }
        defer { state.change { $0.calls -= 1 } }
        return try await work()
    }

    // MARK: The library

    func clip(id: String) async throws(PlaceStoreError) -> ClipLookup {
        try await alive { () throws(PlaceStoreError) in try await store.clip(id: id) }
    }
    func clips(_ query: ClipQuery) async throws(PlaceStoreError) -> [Clip] {
        try await alive { () throws(PlaceStoreError) in try await store.clips(query) }
    }
    func add(_ clip: Clip) async throws(PlaceStoreError) -> Clip {
        try await alive { () throws(PlaceStoreError) in try await store.add(clip) }
    }
    func change(_ clip: Clip, from before: Clip) async throws(PlaceStoreError) -> ClipChange {
        try await alive { () throws(PlaceStoreError) in try await store.change(clip, from: before) }
    }
    func setFile(_ file: ClipFile?, of clip: Clip) async throws(PlaceStoreError) -> ClipFileChange {
        try await alive { () throws(PlaceStoreError) in try await store.setFile(file, of: clip) }
    }
    func removeClip(id: String) async throws(PlaceStoreError) -> Clip? {
        try await alive { () throws(PlaceStoreError) in try await store.removeClip(id: id) }
    }
    func clipFiles() async throws(PlaceStoreError) -> Set<String> {
        try await alive { () throws(PlaceStoreError) in try await store.clipFiles() }
    }

    // MARK: The files

    func path(of name: String) -> String { folder.path(of: name) }
    func begin() async throws(PlaceStoreError) -> FileDraft {
        try await alive { () throws(PlaceStoreError) in try await folder.begin() }
    }
    func finish(_ draft: FileDraft, of id: String, extension suffix: String) async throws(PlaceStoreError) -> String {
        try await alive { () throws(PlaceStoreError) in try await folder.finish(draft, of: id, extension: suffix) }
    }
    func names() async throws(PlaceStoreError) -> Set<String> {
        try await alive { () throws(PlaceStoreError) in try await folder.names() }
    }
    func remove(_ name: String) async {
        _ = try? await alive { () throws(PlaceStoreError) in await folder.remove(name) }
    }
    func has(_ name: String) async -> Bool { await folder.has(name) }
    var lost: String { folder.lost }
    func setAside(_ name: String) async throws(PlaceStoreError) -> Bool {
        try await alive { () throws(PlaceStoreError) in try await folder.setAside(name) }
    }
    func bringBack(_ name: String) async -> Bool {
        let isBack = try? await alive { () throws(PlaceStoreError) in await folder.bringBack(name) }
        return isBack ?? false
    }
    func discardAll() async {
        _ = try? await alive { () throws(PlaceStoreError) in await folder.discardAll() }
    }
    func begin(beside path: String) async throws(PlaceStoreError) -> FileDraft {
        try await alive { () throws(PlaceStoreError) in try await folder.begin(beside: path) }
    }
    func finish(_ draft: FileDraft, as path: String, replaces: Bool) async throws(PlaceStoreError) -> String {
        try await alive { () throws(PlaceStoreError) in try await folder.finish(draft, as: path, replaces: replaces) }
    }
    func discard(_ draft: FileDraft) async {
        _ = try? await alive { () throws(PlaceStoreError) in await folder.discard(draft) }
    }
}
