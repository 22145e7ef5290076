// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Glibc
import JSON
import MediaPlayback
import SessionProtocol
import SettingsFile
import TransitionLog
import TransitionRecords

/// The settings of the user, at the start and after each change of the file.
///
/// A fault of the file is logged once.
struct SettingsNews: Sendable {
    private var follower: SettingsFollower
    private let file: SettingsFile
    private let log: TransitionLog
    /// The settings that were adopted last.
    private var adopted = Settings()
    // It has a thread of its own, because a disk may take its time.
    private let queue = BlockingQueue(label: "rostrum.settings")
    /// Clients wait longer, so that they hear of it.
    private static let limit = Duration.seconds(10)

    init(_ path: String, log: TransitionLog) {
        follower = SettingsFollower(path)
        file = SettingsFile(path)
        self.log = log
    }

    /// Returns the settings if the file changed and has no fault, otherwise `nil`.
    mutating func take() -> Settings? {
        switch follower.look() {
        case .unchanged: return nil
        case .settings(let settings):
            adopted = settings
            return settings
        case .complaint(let line):
            log.complain(line)
            return nil
        }
    }

    /// Carries out an action on the file, and throws `busy` if its disk does not answer in time.
    func perform(_ action: SettingsAction) async throws(SessionError) -> SettingsList {
        let result = await queue.run(within: Self.limit) { () -> Result<SettingsList, SessionError> in
            do throws(SessionError) {
                return .success(try carryOut(action))
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
        // A file with a fault changes nothing.
        let current = fault == nil ? stored : adopted
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
    /// Records a note in the transition log, and writes it to the session's own log, too.
    func complain(_ line: String) {
        record(TransitionEntry(.event, cause: .restore, fields: ["event": "note", "message": .string(line)]))
        let bytes = Array("rostrumd: \(line)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
