// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import JSON

/// The settings file of the user, `$XDG_CONFIG_HOME/rostrum/settings.json`: a JSON object with a member for each
/// setting.
///
/// Any member may be missing. A member that this version does not know is kept.
public struct SettingsFile: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// The reason why a setting was not changed, in one line.
    public struct Failure: Error, Sendable, Hashable {
        public enum Reason: Sendable {
            /// There is no such setting, or the value is refused.
            case usage
            /// The file has a fault, and is left unchanged.
            case damaged
            case unwritable
        }

        public var reason: Reason
        public var message: String
    }

    /// Returns the settings, and a line about the fault of the file if it has one.
    ///
    /// If the file has a fault, none of its settings is used, so that half of a mistake never takes effect.
    public func read() -> (settings: Settings, complaint: String?) {
        do throws(Failure) {
            guard let members = try members() else { return (Settings(), nil) }
            return (try Self.settings(of: members), nil)
        } catch {
            return (Settings(), "\(path): \(error.message); the file is ignored until that is mended")
        }
    }

    /// Stores a setting, or removes it if `text` is `nil`.
    ///
    /// All other members stay.
    ///
    /// - Parameter text: The value as a person types it; see `SettingValues`.
    public func set(_ name: String, to text: String?) throws(Failure) {
        guard let setting = Setting.named(name) else {
            throw Failure(reason: .usage, message: "no setting “\(name)”; see `rostrum settings`")
        }
        var members: JSONObject
        do throws(Failure) {
            members = try self.members() ?? JSONObject()
            _ = try Self.settings(of: members)
        } catch {
            throw Failure(
                reason: .damaged, message: "\(path): \(error.message); it is left as it is: correct or remove it first")
        }
        guard let text else {
            guard members[name] != nil else { return }
            members[name] = nil
            return try write(members)
        }
        let value = setting.values.value(of: text)
        do throws(Setting.Fault) {
            _ = try setting.values.check(value)
        } catch {
            throw Failure(reason: .usage, message: "\(name): \(text) is refused; give \(setting.values.phrase)")
        }
        members[name] = value
        try write(members)
    }

    /// The members of the file, or `nil` if there is no file.
    private func members() throws(Failure) -> JSONObject? {
        guard let data = try contents() else { return nil }
        guard case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            throw Failure(reason: .damaged, message: "not a JSON object")
        }
        return members
    }

    /// The largest file that is read, in bytes; far more than all settings take.
    private static let largest = 1 << 20

    /// The bytes of the file, or `nil` if there is no file.
    private func contents() throws(Failure) -> Data? {
        // A pipe in its place would hold the opening for as long as nobody writes.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(reason: .damaged, message: "unreadable")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(reason: .damaged, message: "not a file")
        }
        guard status.st_size <= Self.largest else {
            throw Failure(reason: .damaged, message: "larger than \(Self.largest >> 20) MiB")
        }
        var bytes = Data(count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(reason: .damaged, message: "unreadable") }
            if count == 0 { break }
            filled += count
        }
        return bytes.prefix(filled)
    }

    private static func settings(of members: JSONObject) throws(Failure) -> Settings {
        var settings = Settings()
        for setting in Setting.table {
            guard let value = members[setting.name] else { continue }
            do throws(Setting.Fault) {
                try setting.apply(value, to: &settings)
            } catch {
                throw Failure(reason: .damaged, message: "“\(setting.name)” \(error.words)")
            }
        }
        return settings
    }

    private func write(_ members: JSONObject) throws(Failure) {
        let coder = JSONEncoder()
        coder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            // Users keep such files elsewhere and link to them, so the file is replaced, not the link.
            let file = URL(filePath: path).resolvingSymlinksInPath()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try (try coder.encode(JSONValue.object(members)) + Data("\n".utf8)).write(to: file, options: .atomic)
        } catch {
            throw Failure(
                reason: .unwritable,
                message: "\(path): cannot be written; check the permissions and the space of its folder")
        }
    }
}

extension Setting.Fault {
    fileprivate var words: String {
        switch self {
        case .otherKind: "has a value of another kind"
        case .unknown: "has a value that is not known"
        case .outOfRange: "is out of range"
        }
    }
}
