// SPDX-License-Identifier: Apache-2.0

/// The records of the session's changes, with what they state about the latest stream.
struct SessionLog: Sendable {
    private let record: @Sendable (SessionRecord) -> Void
    private var mode: String?
    private var options = StreamOptions()

    /// Creates a log of the session.
    ///
    /// - Parameter record: Called for every change, in order.
    init(_ record: @escaping @Sendable (SessionRecord) -> Void) { self.record = record }

    /// `true` while the stream is paused.
    var isPaused: Bool {
        get { options.isPaused }
        set { options.isPaused = newValue }
    }

    /// Begins with another stream.
    mutating func begin(_ request: StreamRequest) {
        mode = request.mode
        options = StreamOptions(request)
    }

    /// Keeps a setting that the stream has now.
    mutating func set(_ setting: StreamSetting) { options.settings.set(setting) }

    /// Records a change.
    ///
    /// - Parameters:
    ///   - before: The state before the change.
    ///   - view: The session after the change.
    ///   - more: Adds what only this change has.
    func note(
        _ action: SessionRecord.Action, from before: SessionState, to view: SessionView, format: AudioFormat? = nil,
        error: OutputError? = nil, _ more: (inout SessionRecord) -> Void = { _ in }
    ) {
        var entry = SessionRecord(
            action: action, from: before, to: view.state, route: view.route, mode: mode, options: options.words,
            format: format, error: error)
        more(&entry)
        record(entry)
    }
}
