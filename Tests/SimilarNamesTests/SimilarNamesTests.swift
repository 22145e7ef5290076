// SPDX-License-Identifier: Apache-2.0

import SimilarNames
import Testing

@Suite struct SimilarNamesTests {
    private static let names = [
        "de", "en-gb", "en-gb-scotland", "en-us", "es", "es-419", "German", "Scots Gaelic", "GERMAN",
    ]

    @Test(arguments: [
        ("en-bg", ["en-gb", "en-us"]), ("EN_GB", ["en-gb"]), ("en", ["en-gb", "en-us", "en-gb-scotland"]),
        ("en-gb-scotlnd", ["en-gb-scotland", "en-gb"]), ("germna", ["German"]), ("es-410", ["es-419", "es"]),
        ("xyzzy", []), ("", []), ("en-us", ["en-us", "en-gb"]),
    ])
    func `the nearest come first, and what is far away does not come`(name: String, nearest: [String]) {
        #expect(SimilarNames.nearest(to: name, among: Self.names) == nearest)
    }

    @Test func `a name of any length is compared in no time`() {
        let long = String(repeating: "e", count: 1 << 20)
        #expect(SimilarNames.nearest(to: long, among: [long, "e"]) == [long, "e"])
    }
}
