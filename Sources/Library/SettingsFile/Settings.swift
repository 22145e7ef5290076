// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback

/// The settings that the user can change.
///
/// The default of each setting is its value here.
public struct Settings: Sendable, Equatable {
    public var playback = PlaybackSettings()
    /// The time after which an idle session exits.
    public var sessionIdle = Duration.seconds(60)
    /// The time without a change after which the library takes up what changed in a watched folder.
    public var watchDelay = Duration.seconds(5)
    /// The servers that are trusted in addition to those that the system trusts.
    public var trust = WebTrust()

    /// `true` if the machine does not go to sleep by itself while something plays.
    public var inhibitsSleep = true
    /// `true` if the desktop shows a notice of what needs the listener.
    public var showsNotices = true
    /// The span that position and length refer to on remotes.
    public var remoteTimeline = RemoteTimeline.book
    /// The distance that the buttons for the next and the previous track go.
    public var remoteButtons = RemoteButtons.skip
    /// `true` if the terminal player starts the next book of the folder after the end of one.
    public var playsNext = false
    /// The seconds of a new clip before the place where it is made, and behind it.
    public var clipBefore = Duration.seconds(10)
    public var clipAfter = Duration.seconds(10)
    /// `true` if each clip gets a file of its own, so that it outlives its book.
    public var keepsClipFiles = true
    /// The choice of what of a document is read aloud.
    public var reading = ReadingSettings()
    /// The keys of the terminal player, each as `ACTION=KEY`.
    public var keys: [String] = []

    public init() {}
}

/// The span that position and length refer to on media keys, desktop shells and other remotes.
public enum RemoteTimeline: String, Sendable, CaseIterable {
    case book
    case chapter
}

/// The distance that the buttons of remotes for the next and the previous track go.
public enum RemoteButtons: String, Sendable, CaseIterable {
    case skip
    case chapter
}
