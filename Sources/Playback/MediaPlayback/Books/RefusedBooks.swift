// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The books that could not be read, with their files as they were.
///
/// They are tried again once their files change.
public final class RefusedBooks: Sendable {
    private static let most = 10_000
    // A lock, because an import runs on any thread; it is held for one look.
    private let files = Mutex<[String: [BookFile]]>([:])

    public init() {}

    func has(_ plan: BookPlan) -> Bool { files.withLock { $0[plan.uri] == plan.files } }

    func set(_ plan: BookPlan, isRefused: Bool) {
        files.withLock { files in
            if !isRefused {
                files[plan.uri] = nil
            } else if files.count < Self.most || files[plan.uri] != nil {
                files[plan.uri] = plan.files
            }
        }
    }
}
