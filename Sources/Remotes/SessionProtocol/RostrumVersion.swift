// SPDX-License-Identifier: Apache-2.0

/// The version of the programs, by semver.org; the contract with engines has a version of its own.
public enum RostrumVersion {
    public static let current = "0.1.0"
}
