// SPDX-License-Identifier: Apache-2.0

public import AudiobookshelfClient
public import HTTPExchange
import MediaPlayback

/// Books and episodes of Audiobookshelf servers.
///
/// Their files are those of ``ServerQueue``, by which they are played, too.
public struct ServedDownloads: DownloadSource {
    /// A word that stands for the picture in place of the number of a file.
    private static let cover = "cover"

    private let accounts: any CatalogAccounts

    public init(_ accounts: any CatalogAccounts) { self.accounts = accounts }

    public func server(of item: String) async -> String? { await place(of: item)?.account.id }

    /// Returns the item by the name that never changes, and the way to its server.
    private func place(of item: String) async -> (name: ServerItemName, account: CatalogAccount)? {
        guard var name = ServerItemName(item) else { return nil }
        let known = await accounts.accounts()
        guard
            let account = known.first(where: { $0.id == name.account })
                ?? known.first(where: { $0.isNamed(name.account) })
        else { return nil }
        name.account = account.id
        return (name, account)
    }

    private func way(
        to item: String
    ) async throws(DownloadFault) -> (name: ServerItemName, server: any ServerExchange) {
        guard let (name, account) = await place(of: item), let server = await accounts.exchange(for: account.id) else {
            throw DownloadFault(.gone, "\(item): no such account; see `rostrum server list`")
        }
        return (name, server)
    }

    public func identity(of item: String) async -> String? { await place(of: item)?.name.uri }

    public func plan(_ item: String) async throws(DownloadFault) -> DownloadPlan {
        let (name, server) = try await way(to: item)
        let found: ServerItem
        do throws(ServerRequestError) {
            found = try await server.value(at: .item(name.item))
        } catch {
            throw DownloadFault(error, item)
        }
        let queue: ServerQueue
        do throws(ServerQueue.Fault) {
            queue = try ServerQueue(found, episode: name.episode)
        } catch {
            switch error {
            case .needsEpisode:
                throw DownloadFault(
                    .unsupported, "\(found.title) is a podcast; `rostrum browse --of \(found.id)` lists its episodes")
            case .noSuchEpisode: throw DownloadFault(.gone, "\(found.title): the server has no such episode any more")
            case .noAudio: throw DownloadFault(.unsupported, "\(found.title): there is no audio of it on the server")
            }
        }
        var plan = DownloadPlan(
            uri: name.uri, title: queue.title, author: queue.author,
            files: queue.files.map { file in
                DownloadPlan.File(relPath: file.relPath ?? file.name, address: file.ino, size: file.bytes)
            })
        if let podcast = found.podcast, let episode = name.episode {
            plan.series = podcast.title
            plan.publishedAt = podcast.episodes.first { $0.id == episode }?.publishedAt
        }
        if found.hasCover {
            plan.cover = DownloadPlan.File(relPath: "cover", address: "\(Self.cover)\(found.updatedAt ?? 0)")
        }
        return plan
    }

    public func request(
        for file: DownloadPlan.File, of item: String, refused: HTTPRequest?
    ) async throws(DownloadFault) -> HTTPRequest {
        let (name, server) = try await way(to: item)
        var endpoint = ServerEndpoint.file(file.address, of: name.item)
        if file.address.hasPrefix(Self.cover), let updated = Int64(file.address.dropFirst(Self.cover.count)) {
            endpoint = .cover(of: name.item, width: 1200, updatedAt: updated)
        }
        do throws(ServerRequestError) {
            if refused != nil {
                // The server is asked by who renews the login when it has ended.
                var head = endpoint
                head.method = .head
                _ = try await server.answer(to: head)
            }
            let address = try await server.address(of: endpoint)
            let fields = address.headers.compactMap { line -> HTTPField? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                return HTTPField(String(line[..<colon]), String(value))
            }
            // The listener named the server, which may be one at home.
            return HTTPRequest(.get, address.url, fields: fields, allowsPrivate: true)
        } catch {
            throw DownloadFault(error, file.relPath)
        }
    }
}

extension DownloadFault {
    init(_ error: ServerRequestError, _ name: String) {
        let reason: Reason
        var pause: Duration?
        switch error {
        case .failure: reason = error.isOffline ? .away : .refused
        case .answer(let answer):
            switch answer.reason {
            case .missing: reason = .gone
            case .failed, .tooMany: reason = .away
            case .unreadable, .unauthorized, .forbidden, .refused: reason = .refused
            }
            pause = answer.retryAfter.map { .seconds(min(max($0, 1), 3600)) }
        }
        self.init(reason, "\(name): \(error.message)", pause: pause)
    }
}
