// SPDX-License-Identifier: Apache-2.0

/// Playback as one owner sees it.
public struct OwnerView: Sendable, Hashable {
    public var hasFocus: Bool
    public var playing: Playing?
    public var status: PlaybackState.Status
    public var rate: Double
    public var volume: Double
    public var suppression: Suppression?
}
