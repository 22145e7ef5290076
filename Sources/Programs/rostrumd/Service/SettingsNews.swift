// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import FoundationEssentials
import Glibc
import JSON
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SettingsFile
import Synchronization
import TransitionLog
import TransitionRecords

/// The settings of the user, at the start and after each change of the file.
///
/// A fault of the file is logged once.
final class SettingsNews: Sendable {
    private struct State {
        var follower: SettingsFollower
        /// The settings that were adopted last.
        var adopted = Settings()
        /// The settings that a look found and no caller has taken.
        var found: Settings?
        /// The looks that have not ended.
        var looks = 0
        var isLate = false
    }

    // A lock, because a look may end after its caller has gone on; it is not held during one.
    private let state: Mutex<State>
    private let file: SettingsFile
    private let log: TransitionLog
    // It has a thread of its own, because a disk may take its time.
    private let queue = BlockingQueue(label: "rostrum.settings")
    /// Clients wait longer, so that they hear of it.
    private static let limit = Duration.seconds(10)

    init(_ path: String, log: TransitionLog) {
        state = Mutex(State(follower: SettingsFollower(path)))
        file = SettingsFile(path)
        self.log = log
    }

    /// Returns the settings if the file changed and has no fault, otherwise `nil`.
    ///
    /// A change that was not read within `limit` is returned by a later call. Until a late look has ended, calls do not
    /// wait.
    func take(within limit: Duration = .milliseconds(100)) async -> Settings? {
        let mayLook = state.withLock { state in
            if !state.isLate { state.looks += 1 }
            return !state.isLate
        }
        if mayLook, await queue.run(within: limit, { self.look() }) == nil {
            state.withLock { $0.isLate = $0.looks > 0 }
        }
        return state.withLock { state in
            defer { state.found = nil }
            return state.found
        }
    }

    /// The settings that were adopted last.
    var current: Settings { state.withLock { $0.adopted } }

    /// Looks at the file; on the queue alone, so that no two looks overlap.
    private func look() {
        var follower = state.withLock { $0.follower }
        let news = follower.look()
        if case .complaint(let line) = news { log.complain(line) }
        state.withLock { state in
            state.follower = follower
            if case .settings(let settings) = news {
                state.adopted = settings
                state.found = settings
            }
            state.looks -= 1
            if state.looks == 0 { state.isLate = false }
        }
    }

    /// Carries out an action on the file, and throws `busy` if its disk does not answer in time.
    func perform(_ action: SettingsAction) async throws(SessionError) -> SettingsList {
        let result = await queue.run(within: Self.limit) { () -> Result<SettingsList, SessionError> in
            do throws(SessionError) {
                return .success(try self.carryOut(action))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw SessionError(late: "settings", after: Self.limit)
        }
        return try result.get()
    }

    private func carryOut(_ action: SettingsAction) throws(SessionError) -> SettingsList {
        switch action {
        case .list: return list(Setting.table)
        case .get(let name): return list([try setting(name)])
        case .set(let name, let value):
            let setting = try setting(name)
            do throws(SettingsFile.Failure) {
                try file.set(name, to: value)
            } catch {
                throw SessionError(error.code, error.message)
            }
            return list([setting])
        }
    }

    private func setting(_ name: String) throws(SessionError) -> Setting {
        guard let setting = Setting.named(name) else {
            throw SessionError(.usage, "no setting “\(name)”; see `rostrum settings`")
        }
        return setting
    }

    private func list(_ settings: [Setting]) -> SettingsList {
        let (stored, fault) = file.read()
        // A file with a fault changes nothing; trust alone is read for each address, and then nothing is trusted.
        var current = stored
        if fault != nil {
            current = state.withLock { $0.adopted }
            current.trust = stored.trust
        }
        let defaults = Settings()
        return SettingsList(
            path: file.path,
            settings: settings.map {
                SettingsList.Entry(
                    name: $0.name, value: $0.read(current), default: $0.read(defaults), values: $0.values.phrase,
                    meaning: $0.meaning, effect: $0.effect.rawValue)
            }, fault: fault)
    }
}

extension SettingsFile.Failure {
    fileprivate var code: SessionError.Code {
        switch reason {
        case .usage: .usage
        case .damaged: .badContent
        case .unwritable: .cannotCreate
        }
    }
}

extension TransitionLog {
    /// Says which places were taken over from a session that was killed.
    func tell(recovered places: [SavedPlace]) {
        for place in places where place.owner == .main {
            let title = FileTitle.title(URL(string: place.uri)?.lastPathComponent ?? place.uri)
            complain("the last session was killed: the place in “\(title)” is recovered from its journal")
        }
    }

    /// Records a note in the transition log, and writes it to the session's own log, too.
    func complain(_ line: String) {
        record(TransitionEntry(.event, cause: .restore, fields: ["event": "note", "message": .string(line)]))
        let bytes = Array("rostrumd: \(line)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
