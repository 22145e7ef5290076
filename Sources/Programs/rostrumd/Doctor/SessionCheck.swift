// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol

/// The examination of the running session, if there is one.
struct SessionCheck {
    private static let subject = "session"
    /// The time in milliseconds within which a session answers.
    private static let limit: Int32 = 3000

    private let folders: UserFolders
    /// `true` if a process holds the lock of the user's session.
    let isRunning: Bool

    init(_ folders: UserFolders) {
        self.folders = folders
        isRunning = folders.hasSession
    }

    func findings() -> [Finding] {
        guard isRunning else { return [.ok(Self.subject, "none is running; `rostrum play` starts one")] }
        guard let answer = answer() else {
            return [
                .fault(
                    Self.subject, "it does not answer within \(Self.limit / 1000) s at \(folders.socket)",
                    do: "end it with `kill $(head -n 1 \(folders.lock))`, or look at `rostrum log`")
            ]
        }
        return [.ok(Self.subject, answer)]
    }

    /// Asks the session for its status; returns `nil` if it does not answer.
    private func answer() -> String? {
        guard var address = sockaddr_un(path: folders.socket) else { return nil }
        let client = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard client >= 0 else { return nil }
        defer { close(client) }
        guard address.withSocketAddress({ connect(client, $0, $1) }) == 0 else { return nil }
        let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#.utf8) + [10]
        guard write(client, request, request.count) == request.count else { return nil }
        var wait = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        guard gnu_poll(&wait, 1, Self.limit) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        return read(client, &bytes, bytes.count) > 0 ? "it runs and answers" : nil
    }
}
