// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import AudiobookshelfClient

@Suite struct RecordedAnswerTests {
    private typealias Answer = RecordedAnswers.Answer

    /// Reads a body, and returns what is wrong with the result.
    private struct Kind: Sendable {
        var method: String
        /// The path, in which `*` stands for any one part.
        var path: String
        var isPage: @Sendable (String) -> Bool
        var fault: @Sendable (JSONValue) -> String?
    }

    private static func reader<Value: ServerValue>(
        _ method: String, _ path: String, _ type: Value.Type, having word: String? = nil, lacking other: String? = nil,
        _ check: @escaping @Sendable (Value, JSONValue) -> Bool = { _, _ in true }
    ) -> Kind {
        Kind(
            method: method, path: path,
            isPage: { query in
                word.map { query.contains($0) } != false && other.map { query.contains($0) } != true
            },
            fault: { body in
                guard let value = Value(body) else { return "is no \(type)" }
                return check(value, body) ? nil : "has lost something: \(value)"
            })
    }

    /// One by one, since a literal of all takes the compiler too long.
    private static let kinds: [Kind] = {
        var kinds: [Kind] = []
        kinds.append(
            reader("GET", "/status", StatusAnswer.self) { value, _ in value.version?.hasPrefix("2.") == true })
        kinds.append(
            reader("POST", "/login", LoginAnswer.self) { login, body in
                login.user.progress.count == (body["user"]?.count("mediaProgress") ?? -1)
                    && (login.accessToken ?? login.legacyToken) != nil && login.version?.hasPrefix("2.") == true
            })
        kinds.append(
            reader("POST", "/auth/refresh", LoginAnswer.self) { login, _ in login.accessToken != nil })
        kinds.append(
            reader("POST", "/api/authorize", LoginAnswer.self))
        kinds.append(
            reader("GET", "/api/me", UserAnswer.self) { user, body in
                user.progress.count == body.count("mediaProgress") && user.bookmarks.count == body.count("bookmarks")
            })
        kinds.append(
            reader("GET", "/api/me/progress/*/remove-from-continue-listening", UserAnswer.self))
        kinds.append(
            reader("GET", "/api/me/progress", ServerProgressList.self) {
                $0.progress.count == $1.count("mediaProgress")
            })
        kinds.append(
            reader("GET", "/api/me/progress/*", ServerMediaProgress.self) { progress, body in
                // One of them has a string in it, as the server lets anybody write.
                progress.currentTime == body.fraction("currentTime") && progress.lastUpdate != nil
            })
        kinds.append(
            reader("GET", "/api/me/progress/*/*", ServerMediaProgress.self) { progress, _ in progress.episode != nil })
        kinds.append(
            reader("GET", "/api/me/bookmarks/*", ServerBookmarkList.self) {
                $0.bookmarks.count == $1.count("bookmarks")
            })
        kinds.append(
            reader("POST", "/api/me/item/*/bookmark", ServerBookmark.self))
        kinds.append(
            reader("GET", "/api/me/items-in-progress", ServerItemList.self) { list, body in
                list.items.count == body.count("libraryItems")
                    && list.items.allSatisfy { $0.podcast == nil || $0.recentEpisode != nil }
            })
        kinds.append(
            reader("POST", "/api/items/batch/get", ServerItemList.self) { $0.items.count == $1.count("libraryItems") })
        kinds.append(
            reader("GET", "/api/libraries", ServerLibraries.self) { $0.libraries.count == $1.count("libraries") })
        kinds.append(
            reader("GET", "/api/libraries/*", ServerLibrary.self, lacking: "filterdata"))
        kinds.append(
            reader("GET", "/api/libraries/*", ServerFilterData.self, having: "filterdata"))
        kinds.append(
            reader("GET", "/api/libraries/*/items", ServerItemPage.self) { page, body in
                page.items.count == body.count("results") && page.total == body.whole("total")
                    && page.items.allSatisfy { $0.updatedAt != nil && $0.title != $0.id }
            })
        kinds.append(
            reader("GET", "/api/libraries/*/search", ServerSearch.self) { search, body in
                search.items.count == body.count("book") + body.count("podcast")
            })
        kinds.append(
            reader("GET", "/api/libraries/*/personalized", ServerShelves.self) { $0.shelves.count == $1.entries.count })
        kinds.append(
            reader("GET", "/api/libraries/*/recent-episodes", ServerEpisodePage.self) { page, body in
                page.episodes.count == body.count("episodes") && page.episodes.allSatisfy { $0.podcastTitle != nil }
            })
        kinds.append(
            reader("GET", "/api/podcasts/*/episode/*", ServerEpisode.self) { episode, _ in episode.audioFile?.ino != nil
            })
        kinds.append(
            reader("GET", "/api/items/*", ServerItem.self, lacking: "expanded=1"))
        kinds.append(
            reader("GET", "/api/items/*", ServerItem.self, having: "expanded=1") { item, body in
                guard let media = body["media"] else { return false }
                switch item.media {
                case .book(let book):
                    return book.tracks.count == media.count("tracks")
                        && book.audioFiles.count == media.count("audioFiles")
                        && book.chapters.count == media.count("chapters")
                        && book.tracks.allSatisfy { $0.ino != nil && $0.startOffset != nil && $0.path.relPath != nil }
                case .podcast(let podcast):
                    return podcast.episodes.count == media.count("episodes")
                        && podcast.episodes.allSatisfy { $0.audioFile?.ino != nil && $0.seconds != nil }
                }
            })
        kinds.append(
            reader("POST", "/api/items/*/play", ServerSession.self) { session, body in
                // What is transcoded has no files.
                session.playMethod != nil
                    && session.tracks.count == (session.playMethod == .transcode ? 0 : body.count("audioTracks"))
            })
        kinds.append(
            reader("POST", "/api/items/*/play/*", ServerSession.self) { session, _ in session.episode != nil })
        kinds.append(
            reader("GET", "/api/session/*", ServerSession.self))
        kinds.append(
            reader("GET", "/api/me/listening-sessions", ServerSessionPage.self) {
                $0.sessions.count == $1.count("sessions")
            })
        kinds.append(
            reader("GET", "/api/me/item/listening-sessions/*", ServerSessionPage.self) {
                $0.sessions.count == $1.count("sessions")
            })
        kinds.append(
            reader("POST", "/api/session/local-all", ServerSessionReports.self) {
                $0.reports.count == $1.count("results")
            })
        return kinds
    }()

    /// What a player of a user does not ask for.
    private static let others = [
        "/ping", "/init", "/logout", "/api/users", "/api/api-keys", "/api/libraries", "/api/me/listening-stats",
        "/api/me/sessions",
    ]

    private static func fits(_ path: String, _ pattern: String) -> Bool {
        let (parts, wanted) = (path.split(separator: "/"), pattern.split(separator: "/"))
        return parts.count == wanted.count && zip(parts, wanted).allSatisfy { $1 == "*" || $0 == $1 }
    }

    private static func kind(of answer: Answer) -> Kind? {
        kinds.first { $0.method == answer.method && fits(answer.path, $0.path) && $0.isPage(answer.query) }
    }

    private static func isJSON(_ body: JSONValue) -> Bool {
        switch body {
        case .object: body["$bytes"] == nil
        case .array: true
        default: false
        }
    }

    @Test(.enabled(if: RecordedAnswers.shared != nil, "there are no recordings in ../shared"))
    func `every recorded answer is read, with all that is in it`() throws {
        let recorded = try #require(RecordedAnswers.shared)
        var read: [String: Int] = [:]
        for answer in recorded.answers where (200..<300).contains(answer.status) && Self.isJSON(answer.body) {
            guard let kind = Self.kind(of: answer) else {
                #expect(
                    Self.others.contains { Self.fits(answer.path, $0) },
                    "\(answer.name): \(answer.method) \(answer.path) is of no kind")
                continue
            }
            let fault = kind.fault(answer.body)
            #expect(fault == nil, "\(answer.name): \(fault ?? "")")
            read["\(kind.method) \(kind.path)", default: 0] += 1
        }
        // Each kind is among them, from each version.
        for kind in Self.kinds {
            #expect(read["\(kind.method) \(kind.path)"] ?? 0 > 0, "\(kind.path) was not recorded")
        }
        for version in ["v2.20.0", "v2.25.1", "v2.26.0", "v2.33.0"] {
            #expect(recorded.answers.contains { $0.name.hasPrefix(version) && Self.kind(of: $0) != nil })
        }
    }

    @Test(.enabled(if: RecordedAnswers.shared != nil, "there are no recordings in ../shared"))
    func `a recorded answer with any one member null, absent, of another kind or added is read without a trap`() throws
    {
        let recorded = try #require(RecordedAnswers.shared)
        var changes = 0
        var seen: Set<String> = []
        for answer in recorded.answers where (200..<300).contains(answer.status) && Self.isJSON(answer.body) {
            guard let kind = Self.kind(of: answer), seen.insert(kind.path).inserted
            else { continue }
            for replacement in [.null, .string("x"), .int(.max), .double(-1e300), [], [:], .bool(true)] as [JSONValue] {
                for name in Self.names(of: answer.body) {
                    _ = kind.fault(Self.replacing(name, by: replacement, in: answer.body))
                    changes += 1
                }
            }
        }
        #expect(changes > 500)
    }

    /// The names of all members at any depth.
    private static func names(of value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: []) { names, member in
                names.insert(member.name)
                names.formUnion(Self.names(of: member.value))
            }
        case .array(let entries): entries.prefix(2).reduce(into: []) { $0.formUnion(Self.names(of: $1)) }
        default: []
        }
    }

    private static func replacing(_ name: String, by new: JSONValue, in value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                result[member.name] = member.name == name ? new : replacing(name, by: new, in: member.value)
            }
            return .object(result)
        case .array(let entries): return .array(entries.prefix(2).map { replacing(name, by: new, in: $0) })
        default: return value
        }
    }
}
