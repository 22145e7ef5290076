// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The accounts of this library, in one file without anything secret.
public struct AccountFile: Sendable {
    private let file: DurableFile

    private struct Body: Codable {
        var version: Int
        var accounts: [ServerAccount]
    }

    /// - Parameter path: The file, whose folder exists; it need not.
    public init(_ path: String) { file = DurableFile(path) }

    /// Returns the accounts in the order in which they were added.
    public func accounts() async throws(CredentialFailure) -> [ServerAccount] {
        try await file.perform { file throws(CredentialFailure) in try Self.read(file) }
    }

    /// Changes the list; nothing changes if it cannot be written.
    public func change(_ body: @escaping @Sendable (inout [ServerAccount]) -> Void) async throws(CredentialFailure) {
        try await file.perform { file throws(CredentialFailure) in
            let kept = try Self.read(file)
            var changed = kept
            body(&changed)
            guard changed != kept else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            guard let bytes = try? encoder.encode(Body(version: 1, accounts: changed)) else {
                throw CredentialFailure("\(file.path): cannot be written")
            }
            try file.write(Array(bytes))
        }
    }

    private static func read(_ file: DurableFile) throws(CredentialFailure) -> [ServerAccount] {
        guard let bytes = try file.read() else { return [] }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(bytes)) else {
            throw CredentialFailure("\(file.path): no list of servers; move it away and add your servers again")
        }
        guard body.version == 1 else {
            throw CredentialFailure("\(file.path): written by a newer Rostrum; update this one")
        }
        return body.accounts
    }
}
