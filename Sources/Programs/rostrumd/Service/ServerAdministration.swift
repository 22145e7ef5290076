// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import PlaybackCore
import SessionProtocol

/// The accounts on servers: carries out `server`.
struct ServerAdministration: Sendable {
    let accounts: ServerAccounts

    init(_ accounts: ServerAccounts) { self.accounts = accounts }

    func perform(_ action: ServerAction) async throws(PlaybackError) -> ServerPage {
        do throws(ServerFailure) {
            return try await carryOut(action)
        } catch {
            throw PlaybackError(Self.kind(error), message: "server \(action.verb.rawValue): \(error.message)")
        }
    }

    private func carryOut(_ action: ServerAction) async throws(ServerFailure) -> ServerPage {
        switch action.verb {
        case .list:
            var servers: [ServerInfo] = []
            for account in try await accounts.all() { servers.append(await known(account)) }
            return ServerPage(servers: servers)
        case .status:
            let all = action.id.isEmpty ? try await accounts.all() : [try await accounts.account(named: action.id)]
            return ServerPage(servers: await asked(all))
        case .add:
            guard let proof = proof(action, user: action.user ?? ""), let url = action.url else {
                throw ServerFailure(.wrongPassword, "no password and no API key")
            }
            return ServerPage(servers: [await known(try await accounts.add(url, name: action.name, proof: proof))])
        case .login:
            let account = try await accounts.account(named: action.id)
            guard let proof = proof(action, user: account.user) else {
                throw ServerFailure(.wrongPassword, "no password and no API key")
            }
            return ServerPage(servers: [await known(try await accounts.logIn(account.id, proof))])
        case .logout:
            let account = try await accounts.account(named: action.id)
            try await accounts.connection(account.id).logOut()
            return ServerPage(servers: [await known(account)])
        case .remove:
            let account = try await accounts.account(named: action.id)
            let info = await known(account)
            try await accounts.remove(account.id)
            return ServerPage(servers: [info])
        }
    }

    private func proof(_ action: ServerAction, user: String) -> ServerAccounts.Proof? {
        if let key = action.apiKey { return .apiKey(key.text) }
        return action.password.map { .password(user: user, $0.text) }
    }

    /// Describes an account by what is known without asking the server.
    private func known(_ account: ServerAccount) async -> ServerInfo {
        var info = ServerInfo(account, .ready)
        do throws(ServerFailure) {
            let connection = try await accounts.connection(account.id)
            try await connection.prepare()
            info.clockOffsetMs = await connection.clock.offset
        } catch {
            (info.state, info.fault) = (error.reason == .logInAgain ? .login : .unreachable, error.message)
        }
        return info
    }

    /// Asks all servers at the same time.
    private func asked(_ all: [ServerAccount]) async -> [ServerInfo] {
        await withTaskGroup(of: (Int, ServerInfo).self) { group in
            for (index, account) in all.enumerated() { group.addTask { (index, await asked(account)) } }
            var infos = all.map { ServerInfo($0, .ready) }
            for await (index, info) in group { infos[index] = info }
            return infos
        }
    }

    private func asked(_ account: ServerAccount) async -> ServerInfo {
        var info = ServerInfo(account, .ready)
        do throws(ServerFailure) {
            let connection = try await accounts.connection(account.id)
            let status = try await connection.status()
            info.version = "\(status.version)"
            info.clockOffsetMs = await connection.clock.offset
            if info.version != account.version { try await accounts.note(version: status.version, of: account.id) }
            info.mayDownload = try await connection.user().mayDownload
        } catch {
            (info.state, info.fault) = (error.reason == .logInAgain ? .login : .unreachable, error.message)
        }
        return info
    }

    /// Returns the kind of failure, from which the exit code follows.
    private static func kind(_ failure: ServerFailure) -> PlaybackError.Kind {
        switch failure.reason {
        case .address, .name: .usage
        case .unknown: .noInput
        case .wrongPassword, .logInAgain, .certificate, .loginKind: .notPermitted
        case .unreachable, .timedOut, .output: .io
        case .notAudiobookshelf, .notSetUp, .tooOld, .refused: .unavailable
        case .damaged, .tooLarge: .badContent
        case .rateLimited, .cancelled: .busy
        case .storage: .cannotCreate
        }
    }
}

extension ServerInfo {
    fileprivate init(_ account: ServerAccount, _ state: State) {
        self.init(
            id: account.id, name: account.name, url: account.address, user: account.user, usesKey: account.usesKey,
            version: account.version, state: state, addedAt: account.addedAt)
    }
}
