// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import Clocks
import Foundation
import NetworkBridge
import SecretService
import SessionProtocol
import SettingsFile

extension ServerAccounts {
    /// The accounts in the user's data; logins are in the keyring, or in a file beside them.
    init(_ folders: UserFolders) {
        let settings = folders.config + "/settings.json"
        let network = NetworkBridge(program: ProgramFolder.beside("rostrum-network")) {
            SettingsFile(settings).read().settings.trust
        }
        self.init(
            file: AccountFile(folders.data + "/servers.json"),
            store: KeyringFirst(
                keyring: Keyring(SecretService(application: "rostrum")),
                file: CredentialFile(folders.data + "/logins.json")),
            transport: network, now: { WallClock.milliseconds() }, newID: { UUID().uuidString.lowercased() })
    }
}

/// The logins of servers in the keyring of the desktop.
struct Keyring: CredentialStore {
    private let service: SecretService

    init(_ service: SecretService) { self.service = service }

    func load(_ account: String) async throws(CredentialFailure) -> ServerCredentials? {
        do throws(SecretService.Failure) {
            return try await service.secret(account).flatMap { ServerCredentials(decoding: $0) }
        } catch {
            // Without a keyring there is nothing in it.
            if error == .absent { return nil }
            throw CredentialFailure(error)
        }
    }

    func save(_ credentials: ServerCredentials, for account: String) async throws(CredentialFailure) {
        do throws(SecretService.Failure) {
            try await service.store(credentials.encoded, for: account, label: "Rostrum: login of a server")
        } catch {
            throw CredentialFailure(error)
        }
    }

    func remove(_ account: String) async throws(CredentialFailure) {
        do throws(SecretService.Failure) {
            try await service.remove(account)
        } catch {
            if error == .absent { return }
            throw CredentialFailure(error)
        }
    }
}

extension CredentialFailure {
    fileprivate init(_ failure: SecretService.Failure) {
        switch failure {
        case .absent: self.init("there is no keyring")
        case .locked: self.init("the keyring is locked; unlock it and try again")
        case .refused(let reason): self.init(reason)
        }
    }
}
