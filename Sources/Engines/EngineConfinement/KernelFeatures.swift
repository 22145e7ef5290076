// SPDX-License-Identifier: Apache-2.0

import CConfinement

/// What a kernel offers to confine a process with.
public struct KernelFeatures: Sendable, Hashable {
    /// Version of Landlock's interface; 0 without it.
    public var landlock: Int
    /// System call filters (seccomp).
    public var filters: Bool

    public init(landlock: Int, filters: Bool) {
        self.landlock = landlock
        self.filters = filters
    }

    /// Of the kernel that runs.
    public static let current = KernelFeatures(
        landlock: Int(confinement_landlock_abi()), filters: confinement_has_filters() != 0)
}
