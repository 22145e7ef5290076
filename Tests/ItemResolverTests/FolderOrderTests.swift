// SPDX-License-Identifier: Apache-2.0

import ItemResolver
import Testing

struct `The order of a folder` {
    private static let series = [
        "file:///s/Book%2010", "file:///s/Book%202.m4b", "file:///s/book%203", "file:///s/Book%201", "file:///s/%FF",
    ]

    @Test(
        arguments: [
            ("file:///s/Book%201", "file:///s/Book%202.m4b"), ("file:///s/Book%202.m4b", "file:///s/book%203"),
            ("file:///s/book%203", "file:///s/Book%2010"), ("file:///s/Book%2010", "file:///s/%FF"),
            ("file:///s/%FF", nil), ("file:///s/Book%205", "file:///s/Book%2010"),
            ("file:///s/%zz", "file:///s/Book%201"),
        ] as [(String, String?)])
    func `is that of a person, by the decoded names`(_ book: String, _ next: String?) {
        for others in [Self.series, Self.series.reversed()] {
            #expect(FolderOrder.next(after: book, among: others) == next)
        }
    }

    @Test func `has a next book for each of two names that look the same`() {
        let alike = ["file:///s/%FE", "file:///s/%FF"]
        #expect(FolderOrder.next(after: alike[0], among: alike) == alike[1])
        #expect(FolderOrder.next(after: alike[1], among: alike) == nil)
        #expect(FolderOrder.next(after: alike[0], among: []) == nil)
    }
}
