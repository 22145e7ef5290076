// SPDX-License-Identifier: Apache-2.0

import MPRISRemote
import MediaPlayback
import SettingsFile
import Synchronization

/// The display of remotes: shows them each state, with the cover that the library has.
final class RemoteDisplay: Sendable {
    private let view = NowPlayingView()
    private let remote: MPRISRemote
    private let books: any BookStore
    private let service: PlaybackService
    private let showsChapters: Atomic<Bool>

    /// Appears on the desktop's bus; `nil` if this session has none.
    init?(_ service: PlaybackService, books: any BookStore, settings: Settings) {
        guard
            let remote = MPRISRemote(service: RemoteSession(service: service), preferences: settings.remotePreferences)
        else {
            return nil
        }
        self.remote = remote
        self.books = books
        self.service = service
        showsChapters = Atomic(settings.remoteTimeline == .chapter)
    }

    /// Shows a state; it is called for each in order, and does not wait.
    func show(_ snapshot: PlaybackSnapshot) {
        let (now, hasJumped) = view.show(snapshot)
        remote.show(now, hasJumped: hasJumped)
        guard let uri = view.itemWithoutCover(snapshot) else { return }
        Task {
            do throws(PlaceStoreError) {
                let cover = try await books.book(uri: uri)?.cover
                if view.take(cover: cover, of: uri) { await service.showAgain() }
            } catch {
                // The next state asks again.
                view.forgetCover(of: uri)
            }
        }
    }

    func set(_ settings: Settings) {
        showsChapters.store(settings.remoteTimeline == .chapter, ordering: .relaxed)
        remote.set(settings.remotePreferences)
    }

    /// `true` if the beginning of a chapter changes what is shown.
    var needsBoundaries: Bool { showsChapters.load(ordering: .relaxed) }

    func stop() async { await remote.stop() }
}

extension Settings {
    /// The settings that concern remotes.
    var remotePreferences: RemotePreferences {
        var preferences = RemotePreferences()
        preferences.timeline =
            switch remoteTimeline {
            case .book: .book
            case .chapter: .chapter
            }
        preferences.buttons =
            switch remoteButtons {
            case .skip: .skip
            case .chapter: .chapter
            }
        return preferences
    }
}
