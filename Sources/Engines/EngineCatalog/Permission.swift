// SPDX-License-Identifier: Apache-2.0

/// The permissions that a manifest may request.
public enum Permission {
    /// Connections to other machines.
    public static let network = "network"

    static let known: Set<String> = [network]
}
