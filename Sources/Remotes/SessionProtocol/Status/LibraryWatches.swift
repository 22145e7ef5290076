// SPDX-License-Identifier: Apache-2.0

/// The result of `library watched`: the folders whose changes the library takes up by itself.
public struct LibraryWatches: Sendable, Hashable, Codable {
    public struct Folder: Sendable, Hashable, Codable {
        /// The path; a name that is not UTF-8 is shown with replacement characters.
        public var path: String
        /// One of `starting`, `watched`, `shared`, `scanned` and `absent`.
        public var state: String
        /// The number of folders in it whose changes the kernel reports.
        public var folders: Int
        /// One line about why it is scanned instead; `nil`, and not printed, if it is not.
        public var reason: String?

        public init(path: String, state: String, folders: Int, reason: String? = nil) {
            self.path = path
            self.state = state
            self.folders = folders
            self.reason = reason
        }
    }

    public var folders: [Folder]
    /// `true` if nothing that changed is still to be taken up.
    public var settled: Bool
    /// One line about what was taken up last; `nil`, and not printed, if nothing was since the session began.
    public var last: String?
    /// Milliseconds since 1970.
    public var lastAt: Int64?

    public init(folders: [Folder], settled: Bool, last: String? = nil, lastAt: Int64? = nil) {
        self.folders = folders
        self.settled = settled
        self.last = last
        self.lastAt = lastAt
    }
}
