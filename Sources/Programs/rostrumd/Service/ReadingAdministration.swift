// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore
import ReadingList
import SessionProtocol

/// The reading list: carries out `reading`.
struct ReadingAdministration: Sendable {
    private let list: ReadingList
    private let documents: any DocumentReading
    private let places: any PlaceStore

    init(_ list: ReadingList, documents: any DocumentReading, places: any PlaceStore) {
        self.list = list
        self.documents = documents
        self.places = places
    }

    func perform(_ action: ReadingAction) async throws(PlaybackError) -> ReadingPage {
        var action = action
        switch action.verb {
        case .archive, .unarchive, .delete: action.id = try await id(action.id)
        case .list, .add: break
        }
        do throws(ItemError) {
            switch action.verb {
            case .list:
                var documents: [ReadingDocumentInfo] = []
                for entry in await list.entries() { documents.append(await info(entry)) }
                return ReadingPage(documents: documents)
            case .add:
                let known = Set(await list.entries().map(\.id))
                let entry = try await list.add(action.id, allowsPrivate: action.allowPrivate)
                let info = await info(entry)
                if let fault = info.fault, !known.contains(entry.id) {
                    _ = try await list.delete(entry.id)
                    throw ItemError(.unsupported, "\(info.url): \(fault)")
                }
                return ReadingPage(documents: [info])
            case .archive, .unarchive:
                return ReadingPage(
                    documents: [await info(try await list.setArchived(action.verb == .archive, action.id))])
            case .delete: return ReadingPage(documents: [Self.info(try await list.delete(action.id))])
            }
        } catch {
            throw PlaybackError(error)
        }
    }

    /// Returns items with the addresses of documents in place of what names them, as in `reading:ID`.
    func addresses(in items: [String]) async throws(PlaybackError) -> [String] {
        var addresses: [String] = []
        for item in items {
            guard item.hasPrefix(ReadingName.prefix) else {
                addresses.append(item)
                continue
            }
            let name = String(item.dropFirst(ReadingName.prefix.count))
            do throws(PlaybackError) {
                addresses.append(try await list.entry(named: name).url)
            } catch {
                guard error.kind == .noInput, Self.mayBeBook(name) else { throw error }
                addresses.append("library:" + name)
            }
        }
        return addresses
    }

    /// Keeps the title of a text that was opened, if it is a document of the list.
    func note(title: String?, of uri: String) async {
        guard uri.hasPrefix("http://") || uri.hasPrefix("https://") else { return }
        await list.note(title: title, of: uri)
    }

    /// Returns `true` for eight digits and letters, as IDs of books are.
    private static func mayBeBook(_ name: String) -> Bool {
        name.utf8.count == 8 && name.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
    }

    /// Returns the ID of a document that the listener names; what names none, as it is.
    private func id(_ name: String) async throws(PlaybackError) -> String {
        do throws(PlaybackError) {
            return try await list.entry(named: name).id
        } catch {
            guard error.kind == .noInput else { throw error }
            return name
        }
    }

    private static func info(_ entry: ReadingListEntry) -> ReadingDocumentInfo {
        ReadingDocumentInfo(
            id: entry.id, uri: entry.uri, url: WebIdentity.shown(entry.url), isArchived: entry.isArchived,
            addedAt: entry.addedAt)
    }

    /// Describes a document with its title and the place in it; it is read for that, unless it was before.
    private func info(_ entry: ReadingListEntry) async -> ReadingDocumentInfo {
        var info = Self.info(entry)
        do throws(ItemError) {
            let document = try await documents.read(
                .file(path: list.path(of: entry)), name: entry.name, charset: entry.charset)
            // What is not made to its end would be made again for the next list.
            try await document.finish()
            (info.title, info.author) = (document.title, document.author)
            // The folder is looked through for that, so only for news.
            if document.title != entry.title { await list.note(title: document.title, of: entry.uri) }
            if case .progress(let place) = await places.place(of: entry.uri, owner: .main) {
                var status = stat()
                let size = fstat(document.text.rawValue, &status) == 0 ? Double(status.st_size) : 0
                let share = place.finished ? 100 : Double(place.position.units) / max(1, size) * 100
                info.percent = (min(max(share, 0), 100) * 10).rounded() / 10
            }
        } catch {
            info.fault = error.message
        }
        return info
    }
}
