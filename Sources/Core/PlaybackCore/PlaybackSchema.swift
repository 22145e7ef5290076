// SPDX-License-Identifier: Apache-2.0

/// The version of the machine's rules and of the coding of its values, which a transition log must name to be replayed.
public enum PlaybackSchema {
    /// The current version; it increases whenever decisions or coding change.
    ///
    /// Logs without a version are of version 1. Up to version 2, a snapshot had all members of the state beside each other.
    public static let current = 3
}
