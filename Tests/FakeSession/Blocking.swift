// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import SessionProtocol

/// Runs a blocking call on a thread of its own, because the cooperative pool has the server's tasks to run.
public func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { result in
        Thread.detachNewThread { result.resume(with: Result(catching: body)) }
    }
}

/// The folders of a test's own session, which are removed at the end.
public final class TemporaryFolders: Sendable {
    public let path: String
    public let folders: UserFolders
    public let environment: [String: String]

    /// - Parameter runtime: The parent of the session's runtime folder.
    public init(runtime: String = "run") throws {
        var template = Array("/tmp/rostrum-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SessionError(.cannotCreate, "no folder in /tmp") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let environment = [
            "HOME": path, "XDG_RUNTIME_DIR": path + "/" + runtime, "XDG_STATE_HOME": path + "/state",
            "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/data", "XDG_CACHE_HOME": path + "/cache",
        ]
        self.path = path
        self.environment = environment
        folders = try UserFolders(environment: { environment[$0] }, user: getuid())
    }

    deinit {
        var paths = [path]
        var all: [String] = []
        while let folder = paths.popLast() {
            all.append(folder)
            guard let entries = opendir(folder) else { continue }
            defer { closedir(entries) }
            while let entry = readdir(entries) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name == "." || name == ".." { continue }
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    paths.append(folder + "/" + name)
                } else {
                    unlink(folder + "/" + name)
                }
            }
        }
        for folder in all.reversed() { rmdir(folder) }
    }
}

extension TemporaryFolders {
    /// Writes a file and returns its path.
    @discardableResult
    public func file(_ name: String, _ text: String, mode: UInt32 = 0o600) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, mode)
        return file
    }
}
