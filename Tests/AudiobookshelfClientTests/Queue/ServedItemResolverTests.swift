// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import AudiobookshelfClient

@Suite struct ServedItemResolverTests {
    private let server = BookServer()

    private var resolver: ServedItemResolver {
        ServedItemResolver(OtherResolver(), accounts: OneAccount(server: server))
    }

    private func resolve(_ items: [String], asText: Bool = false) async throws -> ResolvedItem {
        try await resolver.resolve(ItemRequest(items: items, asText: asText, extensions: KnownExtensions(audio: [])))
    }

    private func addresses(_ item: ResolvedItem) async -> [Result<TrackAddress, ItemError>] {
        var found: [Result<TrackAddress, ItemError>] = []
        for case .served(let track) in item.content.tracks { found.append(await track.open()) }
        return found
    }

    @Test(arguments: ["audiobookshelf://acc-1/book", "audiobookshelf://Home/book", "AUDIOBOOKSHELF://acc-1/book"])
    func `a book is a queue of its files, under an identity that stays`(_ name: String) async throws {
        let item = try await resolve([name])
        #expect(item.content.uri == "audiobookshelf://acc-1/book" && item.items == [item.content.uri])
        #expect(item.content.title == "Lamp" && item.content.kind == .audio && item.content.isRemote)
        #expect(item.content.tracks.map(\.title) == ["01", "02"])
        #expect(item.content.cue.map(\.track) == [0, 1] && item.content.cue.map(\.start) == [0, 375])
        #expect(
            await addresses(item) == [
                .success(TrackAddress(url: "http://server.test/api/items/book/file/11", headers: ["Authorization: Bearer t0"])),
                .success(TrackAddress(url: "http://server.test/api/items/book/file/12", headers: ["Authorization: Bearer t0"])),
            ])
        // The first opening asks for nothing but the item.
        #expect(server.asked == ["GET /api/items/book?expanded=1"])
    }

    @Test func `a track that is opened again is asked for first, so that a login that ended is renewed`() async throws {
        let item = try await resolve(["audiobookshelf://acc-1/book"])
        _ = await addresses(item)
        server.change { $0.token = "t1" }
        let again = await addresses(item)
        #expect(try again[0].get().headers == ["Authorization: Bearer t1"])
        #expect(server.asked.suffix(2) == ["HEAD /api/items/book/file/11", "HEAD /api/items/book/file/12"])
    }

    @Test func `a file with another number is found again by its path`() async throws {
        let item = try await resolve(["audiobookshelf://acc-1/book"])
        _ = await addresses(item)
        server.change { $0.inos = [21, 22] }
        let again = await addresses(item)
        #expect(try again.map { try $0.get().url } == [21, 22].map { "http://server.test/api/items/book/file/\($0)" })
    }

    @Test func `a file that is gone, or is another one now, is not played in its place`() async throws {
        let item = try await resolve(["audiobookshelf://acc-1/book"])
        _ = await addresses(item)
        server.change { ($0.inos, $0.bytes) = ([21, 22], 999) }
        guard case .failure(let error) = await addresses(item)[0] else { return #expect(Bool(false), "it was played") }
        #expect(error.reason == .missing)
    }

    @Test func `a server that is away is an error of input and output, so that playback comes back`() async throws {
        let item = try await resolve(["audiobookshelf://acc-1/book"])
        _ = await addresses(item)
        server.change { $0.isGone = true }
        guard case .failure(let error) = await addresses(item)[0] else { return #expect(Bool(false), "it was played") }
        #expect(error.reason == .timedOut)
        server.change { $0.isGone = false }
        #expect(await addresses(item).allSatisfy { if case .success = $0 { true } else { false } })
    }

    @Test(arguments: [
        (["audiobookshelf://acc-1/gone"], false, ItemError.Reason.missing),
        (["audiobookshelf://other/book"], false, .missing), (["audiobookshelf://acc-1"], false, .unsupported),
        (["audiobookshelf://acc-1/../x"], false, .unsupported), (["audiobookshelf://acc-1/a/b/c"], false, .unsupported),
        (["audiobookshelf://acc-1/book", "/x.mp3"], false, .unsupported), (["audiobookshelf://acc-1/book"], true, .unsupported),
        (["audiobookshelf://acc-1/book/ep"], false, .missing),
    ])
    func `what is no item of a server is refused with a reason`(
        _ items: [String], _ asText: Bool, _ reason: ItemError.Reason
    ) async throws {
        do {
            _ = try await resolve(items, asText: asText)
            Issue.record("it was resolved")
        } catch let error as ItemError {
            #expect(error.reason == reason && !error.message.contains("\n"), "\(error.message)")
        }
    }

    @Test func `what is of no server is left to the other resolver`() async throws {
        #expect(try await resolve(["/x.mp3"]).content.uri == "other:/x.mp3")
        #expect(server.asked.isEmpty)
    }

    @Test func `two tracks are equal by their names, and messages do not show what they were given`() async throws {
        let one = try await resolve(["audiobookshelf://acc-1/book"])
        let other = try await resolve(["audiobookshelf://acc-1/book"])
        #expect(one.content == other.content && one.content.tracks[0] != one.content.tracks[1])
        _ = await addresses(one)
        #expect(!"\(one.content.tracks[0])".contains("Bearer"))
    }
}

/// A server with one book of two files.
private final class BookServer: ServerExchange {
    struct State: Sendable {
        var token = "t0"
        var inos = [11, 12]
        var bytes = 100
        var isGone = false
        var asked: [String] = []
    }

    // Reason for the lock: the test changes the state between the requests of its task.
    private let state = Mutex(State())
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    var asked: [String] { state.withLock(\.asked) }

    func address(of endpoint: ServerEndpoint) async throws(ServerRequestError) -> TrackAddress {
        TrackAddress(
            url: "http://server.test" + endpoint.target,
            headers: ["Authorization: Bearer \(state.withLock(\.token))"])
    }

    func answer(to endpoint: ServerEndpoint) async throws(ServerRequestError) -> HTTPAnswer {
        let answer = state.withLock { state -> HTTPAnswer? in
            state.asked.append("\(endpoint.method.rawValue) \(endpoint.target)")
            if state.isGone { return nil }
            if endpoint.target == "/api/items/book?expanded=1" { return .of(Self.book(state)) }
            let isThere = state.inos.contains { endpoint.target == "/api/items/book/file/\($0)" }
            return .of(isThere ? "" : "Not Found", status: isThere ? 200 : 404)
        }
        guard let answer else { throw .failure(ServerFailure(.unreachable, "no connection")) }
        return answer
    }

    private static func book(_ state: State) -> String {
        let tracks = state.inos.enumerated().map { index, ino in
            """
            {"ino":"\(ino)","index":\(index + 1),"duration":10,
             "metadata":{"filename":"0\(index + 1).mp3","relPath":"0\(index + 1).mp3","size":\(state.bytes)}}
            """
        }
        return """
            {"id":"book","libraryId":"l","mediaType":"book","media":{"metadata":{"title":"Lamp"},
             "tracks":[\(tracks.joined(separator: ","))],"chapters":[{"start":0,"title":"One"},{"start":15}]}}
            """
    }
}

private struct OneAccount: CatalogAccounts {
    let server: BookServer

    func accounts() async -> [CatalogAccount] {
        [CatalogAccount(id: "acc-1", name: "Home", address: "http://server.test/path")]
    }

    func exchange(for id: String) async -> (any ServerExchange)? { id == "acc-1" ? server : nil }
}

private struct OtherResolver: ItemResolving {
    func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        let item = request.items.first ?? ""
        return ResolvedItem(
            content: Content(uri: "other:\(item)", kind: .audio, tracks: [], title: item), items: [item], notes: [])
    }
}
