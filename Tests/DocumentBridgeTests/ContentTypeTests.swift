// SPDX-License-Identifier: Apache-2.0

import DocumentOrders
import Testing

/// The content type that a server states.
@Suite struct `A content type` {
    @Test(
        arguments: [
            ("Text/HTML; Charset=\"ISO-8859-15\"", "text/html", "ISO-8859-15"),
            ("text/plain ;\tx=\"a;charset=no\"; charset = 'koi8-r' ", "text/plain", "koi8-r"),
            ("text/plain; charset=; charset=utf-8", "text/plain", "utf-8"), ("", nil, nil), ("rubbish", nil, nil),
            ("; charset=utf-8", nil, "utf-8"), ("text/plain; charset=\"utf-8", "text/plain", "utf-8"),
            ("text/pl\u{7}ain; charset=utf\u{1B}8", nil, nil), ("text/\u{130}; charset=\u{130}", nil, nil),
            ("te xt/html; charset=u tf", nil, nil),
            // The sign of the unit kelvin has a small letter of one byte.
            ("text/\u{212A}", "text/k", nil),
        ] as [(String, String?, String?)])
    func `has names, or nothing`(header: String, name: String?, charset: String?) {
        let type = ContentType(header)
        #expect(type.name == name && type.charset == charset)
    }

    @Test func `has nothing that is too long`() {
        let long = String(repeating: "a", count: 127)
        #expect(ContentType("a/\(long)").name == nil && ContentType("a; charset=\(long)a").charset == nil)
        #expect(ContentType("a; charset=\(long)").charset == long)
        #expect(ContentType("text/html;" + String(repeating: " ", count: 1000) + "charset=utf-8").charset == nil)
    }

    @Test(
        arguments: [
            ("text/x-anything", nil), ("application/pdf", nil), ("", nil), ("audio/mpeg", "rostrum play"),
            ("APPLICATION/Ogg; x=y", "rostrum play"), ("image/png", "picture"), ("application/json", "no document"),
            ("/", "no document"),
        ] as [(String, String?)])
    func `is refused if it is no document`(header: String, says: String?) {
        let refusal = ContentType(header).refusal
        #expect((refusal == nil) == (says == nil))
        if let says { #expect(refusal?.contains(says) == true) }
    }
}
