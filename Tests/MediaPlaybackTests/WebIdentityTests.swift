// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import Testing

@Suite struct `The identity of an address` {
    @Test(arguments: [
        ("http://h/a.mp3?token=one", "http://h/a.mp3"),
        ("https://h:81/b/a.m4b?id=3&Expires=9#t=1-2", "https://h:81/b/a.m4b#t=1-2"),
        ("http://h/a.mp3", "http://h/a.mp3"), ("http://h/a.mp3#t=5?", "http://h/a.mp3#t=5?"),
        ("http://h/stream?token=abc&X-Amz-Date=1", "http://h/stream"), ("file:///a?b.mp3", "file:///a?b.mp3"),
        ("queue:1-2", "queue:1-2"), ("http://h.com?token=x", "http://h.com"),
    ])
    func `is the path alone if that names a file`(_ address: String, _ uri: String) {
        #expect(WebIdentity.uri(of: address) == uri)
    }

    @Test func `otherwise includes the query, in a form that cannot be read`() {
        let one = WebIdentity.uri(of: "http://h/get.php?book=hunter2&token=old")
        #expect(one == WebIdentity.uri(of: "http://h/get.php?token=new&book=hunter2"))
        #expect(one != WebIdentity.uri(of: "http://h/get.php?book=hunter3&token=old"))
        #expect(one.hasPrefix("http://h/get.php#q=") && !one.contains("hunter2"))
        // An identity is its own identity.
        #expect(WebIdentity.uri(of: one) == one)
    }

    @Test func `is not derived from a given name`() {
        #expect(WebIdentity.uri(named: "my book") == "identity:my%20book")
        #expect(WebIdentity.uri(of: "identity:my%20book") == "identity:my%20book")
    }
}
