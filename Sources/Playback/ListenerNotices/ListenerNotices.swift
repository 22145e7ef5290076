// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The rules by which the listener is told of something: only what they can do something about, and only once.
///
/// What a command answers, what the session mends by itself without a trace and what the listener did (unplugged
/// headphones) is no notice.
public struct ListenerNotices: Sendable {
    /// The subject of a notice; there is one of each at a time.
    public enum Subject: Sendable, Hashable, CaseIterable {
        /// Places are not saved.
        case place
        /// There is nothing to play on.
        case output
        /// Playback was given up.
        case playback
        /// Another engine reads than the one that was chosen.
        case engine
    }

    /// A notice to show, or one that is over.
    public enum Change: Sendable, Hashable {
        case show(Subject, title: String, text: String)
        case withdraw(Subject)
    }

    /// The time in milliseconds for which a sound server is looked for before anybody is told: it may just be restarting.
    private static let patience = 3000

    private var shown: Set<Subject> = []
    /// The item that was audible last, while it is still to be, and no command waits for it.
    private var audible: ItemReference?
    /// The engine that failed, if no command was told.
    private var failed: FailedEngine?
    /// The engine that failed, whoever was told.
    private var known: FailedEngine?

    public init() {}

    /// Returns the changes that a state leads to; it is called for each in order.
    ///
    /// - Parameter saveFault: The reason why places are not saved; `nil` if they are.
    public mutating func follow(_ state: PlaybackState, saveFault: String?) -> [Change] {
        defer { note(state) }
        let title = "“\(state.current?.item.title ?? "")”"
        var changes = follow(.place, saveFault.map { ("The place is not saved", $0) })
        let isLost = state.intent == .play && state.outage.map { $0 >= Self.patience } == true
        changes += follow(
            .output, isLost ? ("No sound server", "\(title) goes on as soon as there is one") : nil)
        changes += follow(.engine, substitution(state).map { ("\(title) has another voice", $0) })
        changes += follow(.playback, failure(state).map { ("\(title) has stopped", $0) })
        return changes
    }

    /// Returns the reason why sound that was wanted has ended; `nil` if it did not, or if a command is told.
    private func failure(_ state: PlaybackState) -> String? {
        guard state.phase == .failed, let error = state.error else { return nil }
        if shown.contains(.playback) { return error.message }
        return audible != nil && audible == state.current?.item ? error.message : nil
    }

    /// Returns why another engine goes on than the one that was chosen; `nil` if a command is told.
    private mutating func substitution(_ state: PlaybackState) -> String? {
        let present = state.current?.insteadOf
        if present != known { failed = state.waiting == nil ? present : nil }
        known = present
        return failed == nil ? nil : state.current?.substitution
    }

    private mutating func note(_ state: PlaybackState) {
        if state.isPlaying {
            audible = state.current?.item
        } else if state.intent != .play || state.waiting != nil {
            audible = nil
        }
    }

    private mutating func follow(_ subject: Subject, _ words: (title: String, text: String)?) -> [Change] {
        guard let words else { return shown.remove(subject) == nil ? [] : [.withdraw(subject)] }
        return shown.insert(subject).inserted ? [.show(subject, title: words.title, text: words.text)] : []
    }
}
