// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import Testing

@Suite struct `What of an address is identity` {
    @Test(arguments: [
        ("http://h/a.mp3?token=one", "http://h/a.mp3"),
        ("https://h:81/b/a.m4b?id=3&Expires=9#t=1-2", "https://h:81/b/a.m4b#t=1-2"),
        ("http://h/a.mp3", "http://h/a.mp3"), ("http://h/a.mp3#t=5?", "http://h/a.mp3#t=5?"),
        ("http://h/stream?token=abc&X-Amz-Date=1", "http://h/stream"), ("file:///a?b.mp3", "file:///a?b.mp3"),
        ("queue:1-2", "queue:1-2"), ("http://h.com?token=x", "http://h.com"),
    ])
    func `a path that names a file is all of it`(_ address: String, _ uri: String) {
        #expect(WebIdentity.uri(of: address) == uri)
    }

    @Test func `else what the query asks for tells items apart, and cannot be read`() {
        let one = WebIdentity.uri(of: "http://h/get.php?book=hunter2&token=old")
        #expect(one == WebIdentity.uri(of: "http://h/get.php?token=new&book=hunter2"))
        #expect(one != WebIdentity.uri(of: "http://h/get.php?book=hunter3&token=old"))
        #expect(one.hasPrefix("http://h/get.php#q=") && !one.contains("hunter2"))
        // What is known is known by the same again.
        #expect(WebIdentity.uri(of: one) == one)
    }

    @Test func `a name that was given is no address`() {
        #expect(WebIdentity.uri(named: "my book") == "identity:my%20book")
        #expect(WebIdentity.uri(of: "identity:my%20book") == "identity:my%20book")
    }
}
