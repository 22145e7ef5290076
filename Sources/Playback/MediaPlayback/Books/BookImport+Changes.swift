// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

extension BookImport {
    /// Takes up what changed in folders, and leaves out what still changes.
    ///
    /// A book that appeared or disappeared counts as changed wherever it is: a folder that gets other contents may make
    /// its neighbours books. All new places are looked at before any old one, so that a book that moved from one folder to
    /// another is recognised.
    ///
    /// - Parameter refused: The books that could not be read before; they are not tried again.
    public func takeUp(
        _ parts: [ChangedPart], refused: RefusedBooks
    ) async throws(PlaybackError) -> ImportSummary {
        var summary = ImportSummary()
        var plans: [BookPlan] = []
        var met: Set<String> = []
        var left: [(part: ChangedPart, books: [BookLocation])] = []
        for part in parts {
            let known = try await store { () throws(PlaceStoreError) in try await books.books(in: part.root) }
            var scan = BookScan(plans: [], notes: [])
            do throws(ItemError) {
                scan = try await scanner.scan(BookSource(items: [part.root]), extensions: extensions.audio) { _ in }
            } catch {
                // What is not there has no books. A mount that hangs says nothing about its files.
                guard error.reason == .missing || error.reason == .empty else {
                    report(.problem(error.message))
                    continue
                }
            }
            // The scan may have ended early.
            if Task.isCancelled { break }
            let there = Set(known.filter(\.isThere).map(\.uri))
            for plan in scan.plans where met.insert(plan.uri).inserted && !part.isUnsettled(plan.uri) {
                if part.mayHaveChanged(plan.uri) || !there.contains(plan.uri) { plans.append(plan) }
            }
            left.append((part, known.filter(\.isThere)))
        }
        for (number, plan) in plans.enumerated() where !refused.has(plan) {
            if Task.isCancelled { break }
            report(.progress(done: number, total: plans.count, title: plan.title))
            let before = summary.failed
            try await take(plan, &summary)
            if !Task.isCancelled { refused.set(plan, isRefused: summary.failed > before) }
        }
        for (part, known) in left {
            for book in known where !met.contains(book.uri) && !part.isUnsettled(book.uri) && !Task.isCancelled {
                try await revisit(book.id, &summary)
            }
        }
        summary.isCancelled = Task.isCancelled
        return summary
    }
}
