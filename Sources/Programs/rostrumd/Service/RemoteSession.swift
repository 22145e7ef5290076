// SPDX-License-Identifier: Apache-2.0

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

    func perform(
        _ command: SessionCommand, action: String, sender: RemoteSender, begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) {
        let remote = RemoteCommand(action: action, sender: sender.name, program: sender.program)
        if case .play(let parameters) = command, let file = parameters.items.first(where: { $0.hasPrefix("/") }),
            !Self.seesSameFiles(sender.process)
        {
            let program = sender.program ?? sender.name
            let error = SessionError(
                .notPermitted, "OpenUri: \(file): \(program) sees other files than the session; open it from elsewhere")
            await service.controller.note(remote, result: error.message)
            throw error
        }
        let result: Result<SessionReply, SessionError> = await RemoteCommand.$current.withValue(remote) {
            do throws(SessionError) {
                return .success(
                    try await service.perform(command, client: Self.client, descriptors: [], begun: begun))
            } catch { return .failure(error) }
        }
        if case .failure(let error) = result { await service.controller.note(remote, result: error.message) }
        _ = try result.get()
    }

    func ignored(_ action: String, sender: RemoteSender, because reason: String) async {
        let remote = RemoteCommand(action: action, sender: sender.name, program: sender.program)
        await service.controller.note(remote, result: "ignored: \(reason)")
    }

    func settled() async { await service.controller.settleOutput() }

    func quit(sender: RemoteSender) async {
        let remote = RemoteCommand(action: "Quit", sender: sender.name, program: sender.program)
        await RemoteCommand.$current.withValue(remote) { await service.controller.stop(origin: .remote) }
        await service.quit()
    }

    /// Returns whether a process has the same view of the file system as the session.
    ///
    /// A sandboxed program has the user's id, but another view: it must not have the session open what it cannot see. For
    /// Flatpak, the process is the proxy of the bus, which is in a sandbox as well. The administrator sees everything, and
    /// nobody else may look at their processes.
    private static func seesSameFiles(_ process: Int32?) -> Bool {
        guard let process else { return false }
        var folder = stat()
        if stat("/proc/\(process)", &folder) == 0, folder.st_uid == 0 { return true }
        guard let own = namespace("self"), let other = namespace("\(process)") else { return false }
        var (ownRoot, otherRoot) = (stat(), stat())
        return own == other && stat("/", &ownRoot) == 0 && stat("/proc/\(process)/root", &otherRoot) == 0
            && ownRoot.st_dev == otherRoot.st_dev && ownRoot.st_ino == otherRoot.st_ino
    }

    /// Returns the name of the mount namespace of a process; `nil` if it may not be known.
    private static func namespace(_ process: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/\(process)/ns/mnt", &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
