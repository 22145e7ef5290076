// SPDX-License-Identifier: Apache-2.0

/// By which rules the machine decides, and how its values are coded: what a transition log must say to be replayed.
public enum PlaybackSchema {
    /// One more with every version that decides otherwise, or codes its values otherwise, than the one before.
    ///
    /// 1: logs that do not say.
    public static let current = 2
}
