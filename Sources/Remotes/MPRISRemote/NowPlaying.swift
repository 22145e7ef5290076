// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// The state of the session as remotes show it.
public struct NowPlaying: Sendable {
    /// One chapter of the item, in milliseconds of the whole item.
    public struct Chapter: Sendable, Hashable {
        public var title: String?
        public var startMs: Int64
        public var endMs: Int64

        public init(title: String?, startMs: Int64, endMs: Int64) {
            self.title = title
            self.startMs = startMs
            self.endMs = endMs
        }
    }

    public var status: Status
    /// Every chapter of the item; empty if the item has none, or one whose times are unknown.
    public var chapters: [Chapter]
    /// The path of the item's cover, if there is one.
    public var cover: String?
    /// `true` if `resume` may have something to play.
    public var canResume: Bool
    /// `true` while an item is being looked up, which can be paused before it is there.
    public var isComing: Bool
    /// The audible position, in milliseconds of the whole item.
    ///
    /// It is read on the bus's thread and must not wait; `nil` without an item.
    public var position: @Sendable () -> Double?

    public init(
        status: Status, chapters: [Chapter] = [], cover: String? = nil, canResume: Bool = false,
        isComing: Bool = false, position: @escaping @Sendable () -> Double?
    ) {
        self.status = status
        self.chapters = chapters
        self.cover = cover
        self.canResume = canResume
        self.isComing = isComing
        self.position = position
    }
}

/// The settings of remotes.
public struct RemotePreferences: Sendable, Hashable {
    /// The span that position and length refer to.
    public enum Timeline: String, Sendable, CaseIterable {
        case book
        case chapter
    }

    /// The distance that the buttons for the next and the previous track go.
    public enum Buttons: String, Sendable, CaseIterable {
        case skip
        case chapter
    }

    public var timeline = Timeline.book
    public var buttons = Buttons.skip

    public init() {}
}

/// The caller of a remote command.
public struct RemoteSender: Sendable, Hashable {
    /// The unique name of the connection, such as `:1.42`.
    public var name: String
    /// The name of the caller's program; `nil` if the bus does not tell it.
    public var program: String?
    /// The process of the caller; `nil` if the bus does not tell it.
    public var process: Int32?

    public init(name: String, program: String? = nil, process: Int32? = nil) {
        self.name = name
        self.program = program
        self.process = process
    }
}

/// The session as remotes see it; implemented in `rostrumd`.
public protocol RemoteService: Sendable {
    /// Carries out a command that a remote sent.
    ///
    /// Commands are passed on one after the other: the next one when the one before has begun.
    ///
    /// - Parameters:
    ///   - action: The name of the method or property, for the log.
    ///   - begun: May be called once the command has been taken up and only its result is outstanding.
    func perform(
        _ command: SessionCommand, action: String, sender: RemoteSender, begun: @escaping @Sendable () -> Void
    ) async throws(SessionError)

    /// Notes a call that has no effect, and why.
    func ignored(_ action: String, sender: RemoteSender, because reason: String) async

    /// Returns when the output has carried out what was asked of it: after a pause, nothing is audible any more.
    func settled() async

    /// Ends the session.
    func quit(sender: RemoteSender) async
}
