// SPDX-License-Identifier: Apache-2.0

extension ProgressNews {
    /// Returns what the listener is told: a title, and one line that says what they can do.
    public func notice(of item: String) -> (title: String, text: String) {
        switch self {
        case .apart(let local, let remote, .local):
            (
                "“\(item)” goes on at \(Self.time(local))",
                "the server has \(Self.time(remote)); `rostrum undo` goes there"
            )
        case .apart(let local, let remote, .remote):
            (
                "“\(item)” goes on at \(Self.time(remote))",
                "that is where another device is; `rostrum undo` goes back to \(Self.time(local))"
            )
        case .apart(let local, let remote, .undecided):
            (
                "“\(item)” has two places",
                "\(Self.time(local)) here and \(Self.time(remote)) on the server; play it to go on from here, "
                    + "`rostrum undo` goes to the other"
            )
        case .elsewhere(let remote):
            ("“\(item)” plays on another device, too", "it is at \(Self.time(remote)) there; nothing moves here")
        case .refused:
            ("The place in “\(item)” is kept here only", "the server refuses it; see whether the item is still there")
        }
    }

    /// Returns a place in hours, minutes and seconds, or the word for a finished item.
    private static func time(_ record: ProgressRecord) -> String {
        if record.isFinished { return "the end" }
        let seconds = record.milliseconds / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
