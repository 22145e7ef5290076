// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback

/// The settings that the user can change.
///
/// The default of each setting is its value here.
public struct Settings: Sendable, Equatable {
    public var playback = PlaybackSettings()
    /// The time after which a session that nobody needs exits.
    public var sessionIdle = Duration.seconds(60)
    /// The servers that are trusted in addition to those that the system trusts.
    public var trust = WebTrust()

    public init() {}
}
