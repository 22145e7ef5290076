// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback

/// Resolves items of servers, and leaves all others to another resolver.
///
/// An item is a queue of files on its server; what plays it opens each by its own address.
public struct ServedItemResolver: ItemResolving {
    private let resolver: any ItemResolving
    private let accounts: any CatalogAccounts

    public init(_ resolver: any ItemResolving, accounts: any CatalogAccounts) {
        self.resolver = resolver
        self.accounts = accounts
    }

    public func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        let served = request.items.filter { $0.prefix(ServerItemName.scheme.count).lowercased() == ServerItemName.scheme }
        guard let item = served.first else { return try await resolver.resolve(request) }
        guard request.items.count == 1 else {
            throw ItemError(.unsupported, "\(item): an item of a server is played by itself; name one")
        }
        guard !request.asText else {
            throw ItemError(.unsupported, "\(item): texts of servers cannot be read aloud; `rostrum play` plays its audio")
        }
        guard let name = ServerItemName(item) else {
            throw ItemError(.unsupported, "\(item): write audiobookshelf://ACCOUNT/ITEM or …/ITEM/EPISODE")
        }
        return try await resolve(name)
    }

    private func resolve(_ name: ServerItemName) async throws(ItemError) -> ResolvedItem {
        var name = name
        let known = await accounts.accounts()
        guard let account = known.first(where: { $0.id == name.account }) ?? known.first(where: { $0.isNamed(name.account) }),
            let server = await accounts.exchange(for: account.id)
        else {
            throw ItemError(.missing, "\(name.uri): no such account; see `rostrum server list`")
        }
        // The identity names the account by what never changes.
        name.account = account.id
        let item: ServerItem
        do throws(ServerRequestError) {
            item = try await server.value(at: .item(name.item))
        } catch {
            throw error.itemError(of: account.name)
        }
        let queue: ServerQueue
        do throws(ServerQueue.Fault) {
            queue = try ServerQueue(item, episode: name.episode)
        } catch {
            switch error {
            case .needsEpisode:
                throw ItemError(
                    .empty, "\(item.title) is a podcast; `rostrum browse --of \(item.id)` lists its episodes")
            case .noSuchEpisode: throw ItemError(.missing, "\(item.title): the server has no such episode any more")
            case .noAudio: throw ItemError(.empty, "\(item.title): there is no audio of it on the server")
            }
        }
        return ResolvedItem(content: Self.content(name, queue, server), items: [name.uri], notes: [])
    }

    private static func content(_ name: ServerItemName, _ queue: ServerQueue, _ server: any ServerExchange) -> Content {
        let files = ServedFiles(server: server, item: name.item, episode: name.episode, files: queue.files)
        let tracks = queue.files.enumerated().map { index, file in
            TrackSource.served(
                ServedTrack(
                    uri: "\(name.uri)#\(file.relPath ?? file.name)", fileName: file.name
                ) { isAgain in await files.address(of: index, isAgain: isAgain) })
        }
        // A cue counts in frames of 1/75 s from the beginning of its track.
        let cue = queue.chapters.compactMap { chapter in
            Int64(exactly: (chapter.seconds * 75).rounded()).map {
                CueEntry(track: chapter.file, start: $0, title: chapter.title)
            }
        }
        return Content(uri: name.uri, kind: .audio, tracks: tracks, title: queue.title, cue: cue)
    }
}
