// SPDX-License-Identifier: Apache-2.0

/// The way in which an episode of a podcast is named where items are.
///
/// Behind the prefix stand the IDs of the podcast and of the episode, with a slash between them; each may be a beginning that no
/// other has.
public enum PodcastName {
    public static let prefix = "podcast:"

    /// Returns `true` for two IDs, or their beginnings, with a slash between them.
    public static func isPossible(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                (1...7).contains(part.utf8.count)
                    && part.utf8.allSatisfy { (97...122).contains($0) || (50...57).contains($0) }
            }
    }
}
