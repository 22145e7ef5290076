// SPDX-License-Identifier: Apache-2.0

/// A change of the session, for the transition log.
public struct SessionRecord: Sendable, Hashable {
    public enum Action: String, Sendable {
        case connect, activate, deactivate, pause, resume, interruptionBegan, interruptionEnded, routeChanged
        case routeLost, routeReturned, lost
        /// The device was asleep, and silence precedes the sound.
        case wake
        /// An output did not answer and was abandoned for a new one.
        case abandoned
    }

    public var action: Action
    public var from: SessionState
    public var to: SessionState
    public var route: Route?
    /// The destination before a change of the route.
    public var previousRoute: Route?
    /// The reason for a change of the route.
    public var reason: RouteReason?
    /// The stream that caused an interruption, if known.
    public var interruptedBy: OtherSound?
    /// `true` if another program is audible during an interruption; `nil` if unknown.
    public var othersPlay: Bool?
    /// The silence before the sound of a device that was asleep, in milliseconds.
    public var preRoll: Int?
    /// The mode: `audiobook`, `speech` or `clip`.
    public var mode: String?
    /// The options of the stream that differ from the defaults, such as `corked`, `limited` and `rate=1.5`.
    public var options: [String] = []
    public var format: AudioFormat?
    /// The error, if the call failed.
    public var error: OutputError?
}

/// The state of the session, which has audio focus while it is active.
public enum SessionState: String, Sendable, Hashable {
    case inactive
    case activating
    case active
}

/// A view of the session for reporting.
public struct SessionView: Sendable, Hashable {
    public var state = SessionState.inactive
    public var route: Route?
    /// The number of abandoned outputs whose threads have not returned.
    public var hungOutputs = 0

    public init(state: SessionState = .inactive, route: Route? = nil, hungOutputs: Int = 0) {
        self.state = state
        self.route = route
        self.hungOutputs = hungOutputs
    }
}
