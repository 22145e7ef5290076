// SPDX-License-Identifier: Apache-2.0

/// What a manifest may ask for.
public enum Permission {
    /// Connections to other machines.
    public static let network = "network"

    static let known: Set<String> = [network]
}
