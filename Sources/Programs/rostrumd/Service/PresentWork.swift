// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import Clocks
import MediaPlayback
import PassageMap
import PlaybackCore
import SessionProtocol
import TaskChains

/// The work that what is loaded belongs to, as far as it is known by now.
///
/// A status is asked for often, and does not wait for a library or a document that take long: it shows the work once that was
/// looked up.
actor PresentWork {
    private let works: any WorkFinding
    private let activity: @Sendable (Work) async -> AlignmentActivity?
    private var subject: String?
    private var found: Found?
    private var since: Int64 = 0
    /// The revision of pairs and books that was looked up.
    private var revision = 0
    private var search: Task<Void, Never>?

    private struct Found {
        var other: WorkSide
        /// `nil` if the text cannot be read.
        var work: Work?
        /// The making of its alignment.
        var run: AlignmentReport?
    }

    /// The time after which a work is looked up again: another program may have aligned it.
    private static let age: Int64 = 5_000_000_000

    /// - Parameter activity: Returns the making of the alignment of a work; `nil` if nothing is known of it.
    init(
        _ works: any WorkFinding, activity: @escaping @Sendable (Work) async -> AlignmentActivity? = { _ in nil }
    ) {
        self.works = works
        self.activity = activity
    }

    /// The time that a status waits for a look-up that was just begun.
    private static let patience = Duration.milliseconds(150)

    /// Returns the other side of what is loaded, with what is known of the present place there.
    func view(of snapshot: PlaybackSnapshot) async -> Status.Work? {
        guard let item = snapshot.loadedItem, snapshot.media?.content.clip == nil else { return nil }
        lookUp(item)
        if found == nil, let search {
            await search.wait(atMost: Self.patience, clock: ContinuousClock())
        }
        guard subject == item.uri, let found else { return nil }
        guard let work = found.work, let position = snapshot.position,
            let place = work.place(of: position, kind: item.kind)
        else {
            return Status.Work(
                uri: found.other.uri, title: found.other.title, grade: PassageGrade.unknown.rawValue, errorMs: nil,
                run: found.run)
        }
        return Status.Work(
            uri: found.other.uri, title: work[found.other.kind].title, grade: place.grade.rawValue,
            errorMs: Int64((place.error * 1000).rounded(.up)), run: found.run)
    }

    private func lookUp(_ item: ItemReference) {
        let (now, latest) = (MonotonicTime.now(), works.revision)
        let isOther = subject != item.uri || revision != latest
        // What was found of another item, or before a change, is not shown any more.
        if isOther { (found, subject) = (nil, nil) }
        guard search == nil, isOther || now - since > Self.age else { return }
        (subject, since, revision) = (item.uri, now, latest)
        search = Task(priority: .utility) {
            let found = await find(item)
            if subject == item.uri, revision == latest { self.found = found }
            search = nil
        }
    }

    private func find(_ item: ItemReference) async -> Found? {
        guard let other = await works.counterpart(of: item.uri, kind: item.kind) else { return nil }
        guard let work = try? await works.work(of: item.uri, kind: item.kind, with: other) else {
            return Found(other: other)
        }
        return Found(other: other, work: work, run: await activity(work).map { AlignmentReport($0) })
    }

    /// Returns the work that an owner's recording belongs to.
    func work(ofRecording item: ItemReference) async throws(PlaybackError) -> Work? {
        guard let other = await works.counterpart(of: item.uri, kind: .audio) else { return nil }
        return try await works.work(of: item.uri, kind: .audio, with: other)
    }
}

extension PlaybackService {
    /// Returns the status of an owner; `nil` stands for the one with audio focus.
    func status(of owner: OwnerID?) async -> Status {
        let snapshot = await controller.snapshot(of: owner)
        var status = Status(snapshot)
        status.work = await works.view(of: snapshot)
        return status
    }
}
