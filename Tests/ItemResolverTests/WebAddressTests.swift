// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore
import Testing

@testable import ItemResolver

@Suite struct `Web addresses` {
    @Test(
        arguments: [
            ("http://Host/a.mp3", "http://host/a.mp3", nil, "a.mp3"),
            (
                "HTTPS://user:pa%20ss@Host:8443/My%20Book.m4b?x=1#t=5", "https://host:8443/My%20Book.m4b",
                "Authorization: Basic dXNlcjpwYSBzcw==", "My Book.m4b"
            ),
            ("http://u@h", "http://h/", "Authorization: Basic dTo=", "h"),
            ("http://u:p@ss@h/", "http://h/", "Authorization: Basic dTpwQHNz", "h"),
            ("http://@h/", "http://h/", nil, "h"), ("http://[::1]:80/x", "http://[::1]:80/x", nil, "x"),
            ("http://h?token=a@b/c", "http://h/", nil, "h"),
        ] as [(String, String, String?, String)])
    func `the URL loses its credentials`(_ text: String, _ uri: String, _ header: String?, _ name: String) throws {
        let address = try #require(WebAddress(text))
        #expect(address.uri == uri)
        #expect(address.authorization == header)
        #expect(address.name == name)
    }

    @Test func `a query opens the item, but is not part of its identity`() async throws {
        let item = try await resolve(["http://h/a.mp3?token=hunter2"])
        #expect(item.content.uri == "http://h/a.mp3")
        #expect(item.content.title == "a")
        #expect(item.items == ["http://h/a.mp3?token=hunter2"])
        #expect(item.content.tracks == [.url("http://h/a.mp3?token=hunter2", headers: [])])
        let two = try await resolve(["http://h/a.mp3?token=hunter2", "http://h/b.mp3?token=hunter2"])
        let again = try await resolve(["http://h/a.mp3", "http://h/b.mp3?token=3"])
        #expect(two.content.uri == again.content.uri)
        #expect(two.content.trackURI(1) == "http://h/b.mp3")
    }

    @Test func `an address or headers that are too long are rejected and not quoted in the error`() async throws {
        let address = "http://h/a.mp3?token="
        let longest = address + String(repeating: "s", count: 16_384 - address.utf8.count)
        #expect(try await resolve([longest]).items == [longest])
        let long = await failure([longest + "s"])
        #expect(long?.reason == .unsupported && long?.message.contains("sss") == false)
        let header = "X: " + String(repeating: "s", count: 16_384 - 5)
        #expect(try await resolve(["http://h/a.mp3"], headers: [header]).content.kind == .audio)
        // The credentials in the URL count as a header, too.
        let full = await failure(["http://u:p@h/a.mp3"], headers: [header])
        #expect(full?.reason == .unsupported && full?.message.contains("sss") == false)
    }

    @Test func `a request can set the identity of an address, but not of a file`() async throws {
        let known = KnownExtensions(audio: ["mp3"])
        func uri(_ items: [String]) async throws(ItemError) -> String {
            try await ItemResolver().resolve(ItemRequest(items: items, identity: "my book", extensions: known))
                .content.uri
        }
        #expect(try await uri(["http://h/get?a=1"]) == "identity:my%20book")
        #expect(try await uri(["http://g/x.mp3"]) == "identity:my%20book")
        do throws(ItemError) {
            _ = try await uri(["/etc/hostname"])
            Issue.record("a file has another name than its path")
        } catch {
            #expect(error.reason == .unsupported)
        }
    }

    @Test(arguments: [
        "", "http:/h", "http:///p", "http://:80/", "ftp://h/", "http://h/a b", "http://h/\r\nX: y", "http",
    ])
    func `text that is no http URL is rejected`(_ text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test func `headers accompany the URL, are not part of the URI, and must be single lines`() async throws {
        let item = try await resolve(["http://u:p@h/a.mp3"], headers: ["X-Key: secret"])
        #expect(
            item.content.tracks == [
                .url("http://h/a.mp3", headers: ["X-Key: secret", "Authorization: Basic dTpw"])
            ])
        #expect(item.items == ["http://h/a.mp3"])
        let own = try await resolve(["http://u:p@h/a.txt"], headers: ["authorization: Bearer t"])
        #expect(own.content.tracks == [.url("http://h/a.txt", headers: ["authorization: Bearer t"])])
        #expect(own.content.kind == .text)
        for header in ["secret", ": secret", "A: secret\r\nB: x"] {
            let error = await failure(["http://h/a.mp3"], headers: [header])
            #expect(error?.reason == .unsupported)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test(arguments: [
        ("2", "10"), ("a2b", "a10a"), ("CD 9", "cd 10"), ("1", "a"), ("a", "B"), ("01", "2"), ("01", "1"),
        ("x99999999999999999999998", "x99999999999999999999999"), ("Te\u{301}a", "t\u{e9}b"), ("a", "a1"),
    ])
    func `names are sorted as a person sorts them`(_ a: String, _ b: String) {
        #expect(NaturalOrder(a) < NaturalOrder(b))
        #expect(!(NaturalOrder(b) < NaturalOrder(a)))
        #expect((NaturalOrder(a) < NaturalOrder(b)) != (NaturalOrder(b) < NaturalOrder(a)))
    }
}
