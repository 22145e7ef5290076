// SPDX-License-Identifier: Apache-2.0

/// The permissions that a manifest may request.
public enum Permission {
    /// Connections to other machines.
    public static let network = "network"

    /// Writing into files that the session hands over open for writing.
    public static let writes = "writes"

    /// Reading the folder with the voices that the listener installed.
    public static let voices = "voices"

    static let known: Set<String> = [network, writes, voices]
}
