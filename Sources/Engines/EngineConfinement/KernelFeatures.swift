// SPDX-License-Identifier: Apache-2.0

import CConfinement

/// The features of a kernel that can confine a process.
public struct KernelFeatures: Sendable, Hashable {
    /// The version of Landlock's interface; 0 without Landlock.
    public var landlock: Int
    /// `true` if the kernel has system call filters (seccomp).
    public var filters: Bool

    public init(landlock: Int, filters: Bool) {
        self.landlock = landlock
        self.filters = filters
    }

    /// The features of the running kernel.
    public static let current = KernelFeatures(
        landlock: Int(confinement_landlock_abi()), filters: confinement_has_filters() != 0)
}
