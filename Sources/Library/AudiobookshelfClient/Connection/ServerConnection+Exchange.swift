// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange
public import MediaPlayback

extension ServerConnection: ServerExchange {
    public func answer(to endpoint: ServerEndpoint) async throws(ServerRequestError) -> HTTPAnswer {
        let request = ServerRequest(
            endpoint.method, endpoint.path, query: endpoint.query.map { ($0.name, $0.value) }, json: endpoint.body,
            mostBytes: endpoint.mostBytes)
        do throws(ServerFailure) {
            return try await send(request)
        } catch {
            throw .failure(error)
        }
    }

    public func address(of endpoint: ServerEndpoint) async throws(ServerRequestError) -> TrackAddress {
        do throws(ServerFailure) {
            let field = try await authorization()
            return TrackAddress(
                url: address.url(endpoint.path, query: endpoint.query.map { ($0.name, $0.value) }),
                headers: ["\(field.name): \(field.value)"])
        } catch {
            throw .failure(error)
        }
    }
}

extension ServerAccounts: CatalogAccounts {
    public func accounts() async -> [CatalogAccount] {
        let all = (try? await all()) ?? []
        return all.map { CatalogAccount(id: $0.id, name: $0.name, address: $0.address) }
    }

    public func exchange(for id: String) async -> (any ServerExchange)? { try? await connection(id) }
}
