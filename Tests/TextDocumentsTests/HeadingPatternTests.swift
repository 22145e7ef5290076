// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextDocuments

struct HeadingPatternTests {
    @Test(
        arguments: [
            ("CHAPTER ONE", .numbered(.chapter, hasTitle: false)),
            ("Chapter 1. In which nothing at all happens", .numbered(.chapter, hasTitle: true)),
            ("“Chapter One: of a very long story”", .numbered(.chapter, hasTitle: true)),
            ("— Chapter Two. The end of it all", nil),
            ("The First Book: of Moses the prophet", .numbered(.part, hasTitle: true)),
            ("Erstes Kapitel. In dem er nach Hause kommt", .numbered(.chapter, hasTitle: true)),
            ("Glava: глава пятая", nil), ("Глава 5. О том, как он пришёл", .numbered(.chapter, hasTitle: true)),
            ("Premier livre. Où l’on voit le roi", .numbered(.part, hasTitle: true)),
            ("第三章 門", .numbered(.chapter, hasTitle: true)),
            ("Table of Contents —", .standalone(isContents: true)),
            ("* * * Preface * * *", .standalone(isContents: false)),
            ("Lời nói đầu", .standalone(isContents: false)), ("To the “Reader”", nil),
            ("THE END OF THE WHOLE MATTER", .capitals), ("XIV", .numeral(14, isRoman: true)),
            // Prose, of which most lines are quickly seen to be no headings.
            ("Alice was beginning to get very tired", nil), ("“Oh dear! Oh dear! I shall be late”", nil),
            ("Don’t you see that he is there", nil), ("book of his that he had never read", nil),
            ("Élan vital was what he called it", nil), ("3. there were many of them there", nil),
            ("One two three four five", nil), ("", nil), ("—", nil),
        ] as [(String, HeadingPattern?)])
    func `a line is a heading by its words`(line: String, pattern: HeadingPattern?) {
        #expect(HeadingPattern.match(line[...]) == pattern)
    }
}
