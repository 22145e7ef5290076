// SPDX-License-Identifier: Apache-2.0

/// What happened to the session, for the transition log.
public struct SessionRecord: Sendable, Hashable {
    public enum Action: String, Sendable {
        case connect, activate, deactivate, pause, resume, interruptionBegan, interruptionEnded, routeChanged
        case routeLost, routeReturned, lost
        /// An output did not answer, and was left for a new one.
        case abandoned
    }

    public var action: Action
    public var from: SessionState
    public var to: SessionState
    public var route: Route?
    /// Of a change of the route: where the sound went before.
    public var previousRoute: Route?
    /// Of a change of the route.
    public var reason: RouteReason?
    /// Of an interruption: for whom, if that is known.
    public var interruptedBy: OtherSound?
    /// Of an interruption: whether another program sounds, if that is known.
    public var othersPlay: Bool?
    /// `audiobook`, `speech` or `clip`.
    public var mode: String?
    /// What the stream has by then that a stream does not have by itself, as `corked`, `limited` and `rate=1.5`.
    public var options: [String] = []
    public var format: AudioFormat?
    /// Set if the call failed.
    public var error: OutputError?
}

/// Whether the session holds the stage.
public enum SessionState: String, Sendable, Hashable {
    case inactive
    case activating
    case active
}

/// What there is to tell of the session.
public struct SessionView: Sendable, Hashable {
    public var state = SessionState.inactive
    public var route: Route?
    /// Outputs that were given up, and whose threads have not come back.
    public var hungOutputs = 0

    public init(state: SessionState = .inactive, route: Route? = nil, hungOutputs: Int = 0) {
        self.state = state
        self.route = route
        self.hungOutputs = hungOutputs
    }
}
