// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback
import PlaybackCore

/// Resolves items as another resolver does; one that is downloaded is played from its files.
///
/// Its identity is that of the item at its server, so that its place is the same one.
public struct DownloadedItems: ItemResolving {
    private let resolver: any ItemResolving
    private let downloads: Downloads

    public init(_ resolver: any ItemResolving, downloads: Downloads) {
        self.resolver = resolver
        self.downloads = downloads
    }

    public func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        guard request.items.count == 1, let item = request.items.first, !request.asText, item.first != "/" else {
            return try await resolver.resolve(request)
        }
        // By its name first: then nothing is asked of a server that may be away.
        if let copy = await downloads.localCopy(of: item) { return try await local(copy, request) }
        let resolved = try await resolver.resolve(request)
        guard resolved.content.isRemote, resolved.content.kind == .audio,
            let copy = await downloads.localCopy(of: resolved.content.uri)
        else { return resolved }
        return try await local(copy, request)
    }

    private func local(_ copy: LocalCopy, _ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        var files = request
        files.items = copy.paths
        files.headers = []
        files.identity = nil
        var resolved = try await resolver.resolve(files)
        resolved.content.uri = request.identity.map { WebIdentity.uri(named: $0) } ?? copy.uri
        resolved.content.title = copy.title
        resolved.items = request.items
        return resolved
    }
}
