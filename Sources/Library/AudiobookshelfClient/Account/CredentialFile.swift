// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Credentials in a file that only its owner reads, for a machine without a keyring.
public struct CredentialFile: CredentialStore {
    private let file: DurableFile

    public init(_ path: String) { file = DurableFile(path) }

    public func load(_ account: String) async throws(CredentialFailure) -> ServerCredentials? {
        try await file.perform { file throws(CredentialFailure) in try Self.read(file)[account] }
    }

    public func save(_ credentials: ServerCredentials, for account: String) async throws(CredentialFailure) {
        try await change { $0[account] = credentials }
    }

    public func remove(_ account: String) async throws(CredentialFailure) {
        try await change { $0[account] = nil }
    }

    private func change(
        _ body: @escaping @Sendable (inout [String: ServerCredentials]) -> Void
    ) async throws(CredentialFailure) {
        try await file.perform { file throws(CredentialFailure) in
            let kept = try Self.read(file)
            var changed = kept
            body(&changed)
            guard changed != kept else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            guard let bytes = try? encoder.encode(changed.mapValues { Data($0.encoded) }) else {
                throw CredentialFailure("\(file.path): cannot be written")
            }
            try file.write(Array(bytes))
        }
    }

    private static func read(_ file: DurableFile) throws(CredentialFailure) -> [String: ServerCredentials] {
        guard let bytes = try file.read() else { return [:] }
        guard let body = try? JSONDecoder().decode([String: Data].self, from: Data(bytes)) else {
            throw CredentialFailure("\(file.path): no file of logins; move it away and log in again")
        }
        return body.compactMapValues { ServerCredentials(decoding: Array($0)) }
    }
}
