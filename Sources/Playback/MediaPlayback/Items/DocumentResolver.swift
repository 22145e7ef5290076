// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// Resolves items as another resolver does, and makes a text into the document that it is.
///
/// What is then played is the reading text with its script, whatever the format of the file. The whole document is read for
/// that, unless what was made of it is kept, so a large one takes seconds.
public struct DocumentResolver: ItemResolving {
    private let resolver: any ItemResolving
    private let documents: any DocumentReading
    private let web: (any WebDocuments)?

    /// - Parameter web: Where documents of the web are kept; without it, none is read.
    public init(_ resolver: any ItemResolving, documents: any DocumentReading, web: (any WebDocuments)? = nil) {
        self.resolver = resolver
        self.documents = documents
        self.web = web
    }

    public func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        var item = try await resolver.resolve(request)
        guard item.content.kind == .text, item.content.tracks.count == 1, let track = item.content.tracks.first else {
            return item
        }
        var (source, name, charset) = (track, track.fileName, String?.none)
        if case .url(let url, let headers) = track, let web {
            let kept = try await web.document(at: url, headers: headers)
            (source, name, charset) = (.file(path: kept.path), kept.name, kept.charset)
        }
        let document = try await documents.read(source, name: name, charset: charset, wishes: request.wishes)
        item.content.document = document
        item.content.tracks = [.descriptor(document.text, name: name)]
        if let title = document.title { item.content.title = title }
        item.notes += document.warnings
        return item
    }
}

extension TrackSource {
    /// The last part of the path or address.
    fileprivate var fileName: String {
        let path: Substring =
            switch self {
            case .file(let path): path[...]
            case .descriptor(_, let name): name[...]
            case .url(let url, _): url.prefix { $0 != "?" && $0 != "#" }
            case .served(let track): track.fileName[...]
            }
        return path.split(separator: "/").last.map(String.init) ?? String(path)
    }
}
