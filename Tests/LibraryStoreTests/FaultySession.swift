// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import LibraryStore
import MediaPlayback
import PlaybackCore
import Synchronization

/// A session's library and clip files, which fail or die at a chosen call.
///
/// A session that died carries out nothing any more; another one opens the same folder.
final class FaultySession: ClipStore, ClipFileStore {
    enum Fault: CaseIterable, Sendable {
        /// The call fails, and did nothing.
        case fails
        /// The call fails, but what it was to do is done.
        case failsAfter
        /// The session is killed before the call.
        case dies
        /// The session is killed after the call.
        case diesAfter
    }

    struct Failure: Sendable, Hashable {
        var call: Int
        var fault: Fault
    }

    private struct State {
        var calls = 0
        var isDead = false
    }

    private let store: LibraryStore
    private let folder: ClipFolder
    private let failure: Failure?
    /// Locked for one access.
    private let state = Mutex(State())

    init(_ path: String, failure: Failure? = nil) {
        store = LibraryStore(path: path + "/library.sqlite", deadline: .seconds(20))
        folder = ClipFolder(path: path + "/clips")
        self.failure = failure
    }

    /// The number of calls so far.
    var calls: Int { state.withLock(\.calls) }
    var isDead: Bool { state.withLock(\.isDead) }

    func close() async { await store.close() }

    /// Makes files for this session: the text in each says which bounds it has.
    var maker: ClipFileMaker {
        ClipFileMaker(clips: self, files: self) { [self] cut, _ throws(PlaybackError) in
            do throws(PlaceStoreError) {
                return try await step {
                    let text = "\(cut.start.units)-\(cut.end.units)"
                    FileHandle(fileDescriptor: cut.file.rawValue, closeOnDealloc: false).write(Data(text.utf8))
                    return CutResult(
                        isEncoded: false, frames: cut.end.units - cut.start.units, sampleRate: 44_100,
                        fileExtension: "m4a")
                }
            } catch {
                throw PlaybackError(.io, message: error.message)
            }
        }
    }

    private func step<Value: Sendable>(
        _ work: () async throws(PlaceStoreError) -> Value
    ) async throws(PlaceStoreError) -> Value {
        let fault = state.withLock { state in
            if state.isDead { return Fault?.some(.dies) }
            state.calls += 1
            return state.calls == failure?.call ? failure?.fault : nil
        }
        let error = PlaceStoreError(.unavailable, "a fault of the test")
        switch fault {
        case .fails: throw error
        case .dies:
            state.withLock { $0.isDead = true }
            throw error
        case .failsAfter:
            _ = try await work()
            throw error
        case .diesAfter:
            _ = try await work()
            state.withLock { $0.isDead = true }
            throw error
        case nil: return try await work()
        }
    }

    // MARK: The library

    func clip(id: String) async throws(PlaceStoreError) -> ClipLookup {
        try await step { () throws(PlaceStoreError) in try await store.clip(id: id) }
    }
    func clips(_ query: ClipQuery) async throws(PlaceStoreError) -> [Clip] {
        try await step { () throws(PlaceStoreError) in try await store.clips(query) }
    }
    func add(_ clip: Clip) async throws(PlaceStoreError) -> Clip {
        try await step { () throws(PlaceStoreError) in try await store.add(clip) }
    }
    func change(_ clip: Clip, from before: Clip) async throws(PlaceStoreError) -> ClipChange {
        try await step { () throws(PlaceStoreError) in try await store.change(clip, from: before) }
    }
    func setFile(_ file: ClipFile?, of clip: Clip) async throws(PlaceStoreError) -> ClipFileChange {
        try await step { () throws(PlaceStoreError) in try await store.setFile(file, of: clip) }
    }
    func removeClip(id: String) async throws(PlaceStoreError) -> Clip? {
        try await step { () throws(PlaceStoreError) in try await store.removeClip(id: id) }
    }
    func clipFiles() async throws(PlaceStoreError) -> Set<String> {
        try await step { () throws(PlaceStoreError) in try await store.clipFiles() }
    }

    // MARK: The files

    func path(of name: String) -> String { folder.path(of: name) }
    func begin() async throws(PlaceStoreError) -> FileDraft {
        try await step { () throws(PlaceStoreError) in try await folder.begin() }
    }
    func finish(_ draft: FileDraft, of id: String, extension suffix: String) async throws(PlaceStoreError) -> String {
        try await step { () throws(PlaceStoreError) in try await folder.finish(draft, of: id, extension: suffix) }
    }
    func names() async throws(PlaceStoreError) -> Set<String> {
        try await step { () throws(PlaceStoreError) in try await folder.names() }
    }
    var lost: String { folder.lost }
    func has(_ name: String) async -> Bool {
        (try? await step { () throws(PlaceStoreError) in await folder.has(name) }) ?? false
    }
    func setAside(_ name: String) async throws(PlaceStoreError) -> Bool {
        try await step { () throws(PlaceStoreError) in try await folder.setAside(name) }
    }
    func bringBack(_ name: String) async -> Bool {
        (try? await step { () throws(PlaceStoreError) in await folder.bringBack(name) }) ?? false
    }
    func remove(_ name: String) async {
        _ = try? await step { () throws(PlaceStoreError) in await folder.remove(name) }
    }
    func begin(beside path: String) async throws(PlaceStoreError) -> FileDraft {
        try await step { () throws(PlaceStoreError) in try await folder.begin(beside: path) }
    }
    func finish(_ draft: FileDraft, as path: String, replaces: Bool) async throws(PlaceStoreError) -> String {
        try await step { () throws(PlaceStoreError) in try await folder.finish(draft, as: path, replaces: replaces) }
    }
    func discard(_ draft: FileDraft) async {
        _ = try? await step { () throws(PlaceStoreError) in await folder.discard(draft) }
    }
    func discardAll() async { await folder.discardAll() }
}
