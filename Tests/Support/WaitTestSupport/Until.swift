// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Waits for a condition that causes no notification, and yields meanwhile.
///
/// A wait that is cancelled, for example by a time limit, records an issue with what there was instead.
public func until(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool, otherwise there: () async -> String = { "" }
) async rethrows {
    while try await !holds() {
        if Task.isCancelled { return didNotCome("what is waited for", await there(), sourceLocation) }
        await Task.yield()
    }
}

/// Records that a wait was cancelled before its condition held.
public func didNotCome(_ what: String, _ there: String, _ sourceLocation: SourceLocation) {
    Issue.record("\(what) did not come; came:\n\(there)", sourceLocation: sourceLocation)
}
