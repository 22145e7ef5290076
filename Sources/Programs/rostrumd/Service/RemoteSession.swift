// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import ControlSocket
import Glibc
import MPRISRemote
import MediaPlayback
import SessionProtocol

/// The session for remotes: each command is one of the control socket's, carried out with its sender's name.
struct RemoteSession: RemoteService {
    /// The client that all remotes are to the service; the control socket counts its own from 1.
    private static let client = ClientID(rawValue: .max)

    let service: PlaybackService
    private let queue = BlockingQueue(label: "rostrum.remote")

    init(_ service: PlaybackService) { self.service = service }

    func perform(
        _ command: SessionCommand, action: String, sender: RemoteSender, begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) {
        if case .play(let parameters) = command { try await check(parameters.items, are: sender) }
        let remote = RemoteCommand(action: action, sender: sender.name, program: sender.program)
        let result: Result<SessionReply, SessionError> = await RemoteCommand.$current.withValue(remote) {
            do throws(SessionError) {
                return .success(
                    try await service.perform(command, client: Self.client, descriptors: [], begun: begun))
            } catch { return .failure(error) }
        }
        _ = try result.get()
    }

    func settled() async { await service.controller.settleOutput() }

    func quit(sender: RemoteSender) async {
        let remote = RemoteCommand(action: "Quit", sender: sender.name, program: sender.program)
        await RemoteCommand.$current.withValue(remote) { await service.controller.stop(origin: .remote) }
        await service.quit()
    }

    /// Throws if a file is not readable for the caller, who may see fewer files than the session does.
    ///
    /// A sandboxed program has the same user; its root folder shows what it may open.
    private func check(_ items: [String], are sender: RemoteSender) async throws(SessionError) {
        let paths = items.filter { $0.hasPrefix("/") }
        guard !paths.isEmpty else { return }
        let looked = await queue.run(within: .seconds(2)) { paths.filter { !Self.isSame($0, in: sender.process) } }
        guard let looked else { throw SessionError(.busy, "OpenUri: \(paths[0]): the disk does not answer; try again") }
        guard let refused = looked.first else { return }
        throw SessionError(
            .notPermitted,
            "OpenUri: \(refused): \(sender.program ?? sender.name) cannot open it; open it from elsewhere")
    }

    private static func isSame(_ path: String, in process: Int32?) -> Bool {
        var own = stat()
        // What does not exist here is refused by the session itself, in its own words.
        guard stat(path, &own) == 0 else { return true }
        guard let process else { return false }
        // The administrator may open every file, and nobody else may look at their processes.
        var folder = stat()
        if stat("/proc/\(process)", &folder) == 0, folder.st_uid == 0 { return true }
        let descriptor = open("/proc/\(process)/root\(path)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var other = stat()
        return fstat(descriptor, &other) == 0 && other.st_dev == own.st_dev && other.st_ino == own.st_ino
    }
}
