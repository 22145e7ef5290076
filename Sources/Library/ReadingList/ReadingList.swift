// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MediaPlayback

/// The documents of the web that the listener reads or wants to read, each kept as it was sent.
///
/// A document is known by its address. Its place is kept like any other item's.
public actor ReadingList: WebDocuments {
    /// Fetches a document; the descriptor in it must live as long as the value that comes with it.
    public typealias Fetch =
        @Sendable (_ url: String, _ headers: [String], _ allowsPrivate: Bool) async -> Result<
            (page: ReceivedPage, owner: any Sendable), ItemError
        >

    private let folder: ReadingListFolder
    private let fetch: Fetch
    private let now: @Sendable () -> Int64
    /// Documents that are being fetched, so that two wishes for one make one request.
    private var fetching: [String: Task<Result<ReadingListEntry, ItemError>, Never>] = [:]

    public static let mostEntries = 10_000
    private static let idLength = 6

    /// - Parameters:
    ///   - folder: The path of the folder, which is created with the first document.
    ///   - now: Wall clock, milliseconds since 1970.
    public init(folder: String, now: @escaping @Sendable () -> Int64, fetch: @escaping Fetch) {
        self.folder = ReadingListFolder(path: folder)
        self.now = now
        self.fetch = fetch
    }

    /// The entries, the newest first.
    public func entries() -> [ReadingListEntry] { folder.entries() }

    public nonisolated func path(of entry: ReadingListEntry) -> String { folder.path(of: entry) }

    public func document(at url: String, headers: [String]) async throws(ItemError) -> KeptDocument {
        let uri = WebIdentity.uri(of: url)
        if let entry = folder.entries().first(where: { $0.uri == uri }) { return kept(entry) }
        return kept(try await add(url, headers: headers))
    }

    private func kept(_ entry: ReadingListEntry) -> KeptDocument {
        KeptDocument(path: folder.path(of: entry), name: entry.name, charset: entry.charset)
    }

    /// Fetches a document and keeps it; one that is kept already is replaced, if the server sends it.
    @discardableResult
    public func add(
        _ url: String, headers: [String] = [], allowsPrivate: Bool = false
    ) async throws(ItemError) -> ReadingListEntry {
        if let task = fetching[url] { return try await task.value.get() }
        let task = Task { await fetchAndKeep(url, headers, allowsPrivate) }
        fetching[url] = task
        // It goes on if this wish is given up: another may wait for the same document.
        let result = await task.value
        fetching[url] = nil
        return try result.get()
    }

    private func fetchAndKeep(
        _ url: String, _ headers: [String], _ allowsPrivate: Bool
    ) async -> Result<ReadingListEntry, ItemError> {
        let received: (page: ReceivedPage, owner: any Sendable)
        switch await fetch(url, headers, allowsPrivate) {
        case .success(let found): received = found
        case .failure(let error): return .failure(error)
        }
        // A password is for the server alone.
        let url = Self.withoutCredentials(url)
        let uri = WebIdentity.uri(of: url)
        let entries = folder.entries()
        let before = entries.first { $0.uri == uri }
        guard before != nil || entries.count < Self.mostEntries else {
            return .failure(
                ItemError(.unsupported, "the reading list has \(entries.count) documents; delete some first"))
        }
        let id = before?.id ?? newID(entries)
        let suffix = DocumentName.suffix(contentType: received.page.contentType, url: url)
        let name = DocumentName.name(of: url, suffix: suffix)
        var number = 1
        // The file that is being read stays as it is.
        while access("\(folder.path)/\(id)-\(number).\(suffix)", F_OK) == 0 { number += 1 }
        let entry = ReadingListEntry(
            id: id, uri: uri, url: url, file: "\(id)-\(number).\(suffix)", name: name, charset: received.page.charset,
            addedAt: before?.addedAt ?? now(), isArchived: false)
        do throws(ItemError) {
            try folder.write(received.page, as: entry.file)
            try folder.write(entry)
        } catch {
            return .failure(error)
        }
        if let before, before.file != entry.file { unlink(folder.path(of: before)) }
        return withExtendedLifetime(received.owner) { .success(entry) }
    }

    /// Returns an address without user and password.
    static func withoutCredentials(_ url: String) -> String {
        // Not by characters: an accent behind the sign would make another character of it.
        let scalars = url.unicodeScalars
        guard let mark = scalars.firstRange(of: "://".unicodeScalars) else { return url }
        let authority = scalars[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(scalars[..<mark.upperBound]) + String(scalars[scalars.index(after: at)...])
    }

    private func newID(_ entries: [ReadingListEntry]) -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let used = Set(entries.map(\.id))
        while true {
            let id = String((0..<Self.idLength).map { _ in letters[Int.random(in: letters.indices)] })
            if !used.contains(id) { return id }
        }
    }

    /// Returns the entry with this ID or address.
    public func entry(_ which: String) throws(ItemError) -> ReadingListEntry {
        let uri = WebIdentity.uri(of: which)
        if let entry = folder.entries().first(where: { $0.id == which || $0.uri == uri }) { return entry }
        throw ItemError(.missing, "\(WebIdentity.shown(which)): not in the reading list; see `rostrum reading list`")
    }

    @discardableResult
    public func setArchived(_ isArchived: Bool, _ which: String) throws(ItemError) -> ReadingListEntry {
        var entry = try entry(which)
        entry.isArchived = isArchived
        try folder.write(entry)
        return entry
    }

    /// The longest title that is kept, in characters.
    private static let longestTitle = 300

    /// Keeps the title of the document with this URI, by which it can be named from then on.
    public func note(title: String?, of uri: String) {
        let title = title.map { String($0.prefix(Self.longestTitle)) }
        guard var entry = folder.entries().first(where: { $0.uri == uri }), entry.title != title else { return }
        entry.title = title
        // It is learned again with the next list.
        try? folder.write(entry)
    }

    /// Deletes a document; its place is kept.
    public func delete(_ which: String) throws(ItemError) -> ReadingListEntry {
        let entry = try entry(which)
        try folder.remove(entry)
        return entry
    }
}
