// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPExchange

/// A server's description of itself, for anybody.
public struct ServerStatus: Sendable, Hashable {
    public var version: ServerVersion
    /// `false` while it has no user.
    public var isSetUp: Bool
    /// The ways to log in: `local` is by password.
    public var authMethods: [String]

    public var allowsPassword: Bool { authMethods.contains("local") }

    private struct Body: Decodable {
        var app: String?
        var serverVersion: String?
        var isInit: Bool?
        var authMethods: [String]?
    }

    /// Reads the answer to `/status`.
    init(_ answer: HTTPAnswer, at address: ServerAddress) throws(ServerFailure) {
        let body = try? JSONDecoder().decode(Body.self, from: Data(answer.body))
        guard answer.status == 200, let body, body.app == "audiobookshelf" else {
            throw ServerFailure(
                .notAudiobookshelf,
                "\(address): no Audiobookshelf server answers there; give the address of its start page", status: answer.status)
        }
        guard let version = body.serverVersion.flatMap(ServerVersion.init) else {
            throw ServerFailure(.damaged, "\(address): the server does not say its version")
        }
        guard version >= .oldest else {
            throw ServerFailure(
                .tooOld,
                "\(address): Audiobookshelf \(version) is too old; update it to \(ServerVersion.oldest) or later")
        }
        self.version = version
        isSetUp = body.isInit ?? true
        authMethods = body.authMethods ?? ["local"]
    }
}
