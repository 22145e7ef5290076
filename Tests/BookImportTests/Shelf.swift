// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import FileTestSupport
import Foundation
import ItemResolver
import LibraryStore
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

let extensions = KnownExtensions(audio: ["mp3", "m4b", "flac"])

/// A folder of books, a library, and an inspector that takes the number of bytes in a file for its duration.
struct Shelf {
    let folder: TemporaryFolder
    let store: LibraryStore
    let log = Log()

    /// The reports and inspections so far.
    final class Log: Sendable {
        // Reason for the lock: an import reports from whichever thread it runs on.
        private let state = Mutex<(reports: [ImportReport], inspected: [String], asked: [String])>(([], [], []))
        var reports: [ImportReport] { state.withLock { $0.reports } }
        var inspected: [String] { state.withLock { $0.inspected } }
        func add(_ report: ImportReport) { state.withLock { $0.reports.append(report) } }
        func add(inspected item: String) { state.withLock { $0.inspected.append(item) } }
        func add(askedForPicture item: String) { state.withLock { $0.asked.append(item) } }
        var askedForPictures: [String] { state.withLock { $0.asked } }
        func clear() { state.withLock { $0 = ([], [], []) } }
        var problems: [String] { reports.compactMap { if case .problem(let line) = $0 { line } else { nil } } }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/data/library.sqlite", deadline: .seconds(20))
    }

    var root: String { folder.path + "/books" }

    /// Writes a file, with unique content unless it is given.
    func write(_ name: String, _ content: String? = nil) throws {
        try folder.write("books/" + name, Data((content ?? "content of \(name)").utf8))
    }

    func move(_ from: String, _ to: String) throws {
        let target = root + "/" + to
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: root + "/" + from, toPath: target)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: root + "/" + name) }

    func uri(_ name: String) -> String { BookScanner().uri(of: root + "/" + name) ?? "" }

    func importer(
        covers: (any CoverStore)? = nil,
        willInspect: @escaping @Sendable (String) async throws(PlaybackError) -> Void = { _ throws(PlaybackError) in }
    ) -> BookImport {
        let log = log
        return BookImport(
            books: store, covers: covers ?? store, scanner: BookScanner(), extensions: extensions,
            now: { 1_767_225_600_000 },
            inspect: { request, wantsPicture throws(PlaybackError) in
                log.add(inspected: request.items.joined(separator: " "))
                if wantsPicture { log.add(askedForPicture: request.items.joined(separator: " ")) }
                try await willInspect(request.items[0])
                let media = try await Self.inspect(request)
                return BookInspection(media: media, picture: wantsPicture ? Self.picture(in: media) : .notAsked)
            },
            picture: { request throws(PlaybackError) in
                log.add(askedForPicture: request.items.joined(separator: " "))
                return Self.picture(in: try await Self.inspect(request))
            }, report: { log.add($0) })
    }

    @discardableResult
    func add(_ items: [String] = [""], asOne: Bool = false) async throws -> ImportSummary {
        let paths = items.map { $0.isEmpty ? root : root + "/" + $0 }
        return try await importer().add(asOne ? [BookSource(items: paths)] : paths.map { BookSource(items: [$0]) })
    }

    @discardableResult
    func rescan() async throws -> ImportSummary { try await importer().rescan() }

    func books() async throws -> [Book] {
        var books: [Book] = []
        for line in try await store.books(after: nil, offset: 0, limit: 1000) {
            books.append(try #require(try await store.book(id: line.id)))
        }
        return books
    }

    /// Inspects files: each byte is a second, and a file that begins with “bad” cannot be opened.
    private static func inspect(_ request: ItemRequest) async throws(PlaybackError) -> LoadedMedia {
        do throws(ItemError) {
            let content = try await ItemResolver().resolve(request).content
            var tracks: [TrackDescription] = []
            for case .file(let path) in content.tracks {
                let data = FileManager.default.contents(atPath: path) ?? Data()
                if data.starts(with: Data("bad".utf8)) {
                    throw ItemError(.unsupported, "\(path): no audio that an engine knows")
                }
                tracks.append(
                    TrackDescription(
                        timeline: TimelineTrack(
                            unitsPerSecond: 1000, duration: Int64(data.count) * 1000, confidence: .exact),
                        format: .init(sampleRate: 1000, channels: 1), encoding: .int16, codec: "mp3", title: nil))
            }
            return LoadedMedia(
                content: content,
                description: MediaDescription(
                    title: nil, author: "Somebody", tracks: tracks,
                    chapters: [Chapter(title: "One", track: 0, start: 0, end: nil, source: "id3")], nativeRates: nil))
        } catch {
            throw PlaybackError(error)
        }
    }

    /// Returns the text behind “picture:” in the first file that has it; a file with “picture?” cannot be read.
    private static func picture(in media: LoadedMedia) -> EmbeddedPicture {
        var found = EmbeddedPicture.absent
        for case .file(let path) in media.content.tracks {
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            if text.contains("picture?") { found = .unknown("it is damaged") }
            if let place = text.range(of: "picture:") {
                return .found(CoverPicture(mediaType: "image/png", bytes: Array(text[place.upperBound...].utf8)))
            }
        }
        return found
    }

    static func place(_ uri: String, track: Int, units: Int64 = 7, _ updated: Int64 = 1) -> SavedPlace {
        SavedPlace(
            owner: .main, uri: uri, kind: .audio, engine: EngineID("ffmpeg"),
            position: MediaPosition(track: track, units: units), provenance: .heard, updatedAt: updated)
    }

    func place(of uri: String) async -> MediaPosition? {
        if case .progress(let place) = await store.place(of: uri, owner: .main) { place.position } else { nil }
    }
}
