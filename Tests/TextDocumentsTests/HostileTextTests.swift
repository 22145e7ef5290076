// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

/// Files that are cut or changed are read or refused; nothing ends the process, and what is read keeps its promises.
struct HostileTextTests {
    private static let markdown = """
        ---
        title: T
        ---
        # H *i*

        a **b** `c` [d](e) &amp; \\* ü[^1]
        > - q
        >   1. r

        | a | b |
        |---|---|
        | 1 | 2 |

        ```x
        code
        ```
        [^1]: note
        """
    private static let subtitles =
        "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000\n<v A>Hello &amp; {\\an8}ü\n\n1\n00:00:02,000 --> 00:00:03,000\n- you.\n"
    private static let latex = """
        \\documentclass[german]{a}\\title{T}\\begin{document}\\maketitle
        \\section{A \\emph{b}} ``q'' \\'e \\"{u} $x^2$ \\[ \\frac{1}{2} \\]\\footnote{n \\url{x}}
        \\begin{itemize}\\item[a] b\\end{itemize}\\begin{tabular}{ll}a&b\\\\c&d\\end{tabular}
        \\begin{verbatim}
        v
        \\end{verbatim}\\verb|x|\\caption[o]{c}\\def\\x#1{y}\\end{document}
        """
    private static let plain =
        "\u{FEFF}Chapter 1\r\n\r\nThe Title\n\n* * *\n\n- item\n\u{3000}字。\u{85}第一章\u{2028}[Note x]\n=====\n"
    private static let pdf = PDFFixture(
        pages: [
            PDFFixture.column(["A line of words that is divi-", "ded. 1 x", "- item"], x: 72, y: 700)
                + [PDFFixture.Line(x: 72, y: 740, size: 20, text: "Title", isBold: true)]
        ], outline: ["Title"], title: "T"
    ).bytes

    private static let samples: [(TextFormat, [UInt8])] = [
        (.markdown, Array(markdown.utf8)), (.webVTT, Array(subtitles.utf8)), (.latex, Array(latex.utf8)),
        (.plain, Array(plain.utf8)),
    ]

    @Test func `a file that is cut anywhere`() {
        for (format, file) in Self.samples {
            for length in 0...file.count { readHostile(Array(file.prefix(length)), format) }
        }
    }

    @Test func `a file with a byte that is another`() {
        for (format, file) in Self.samples {
            for index in file.indices {
                for byte: UInt8 in [file[index] ^ 1, file[index] ^ 0x80, 0, 0x0A, 0x5C, 0x7B, 0x3C, 0xFF] {
                    var changed = file
                    changed[index] = byte
                    readHostile(changed, format)
                }
            }
        }
    }

    @Test func `parts of a file again and again, in any order`() {
        var random = SystemRandomNumberGenerator()
        for (format, file) in Self.samples {
            for _ in 0..<100 {
                var mixed: [UInt8] = []
                for _ in 0..<20 {
                    let start = Int.random(in: 0..<file.count, using: &random)
                    mixed += file[start..<min(file.count, start + Int.random(in: 1...40, using: &random))]
                }
                readHostile(mixed, format)
            }
        }
    }

    @Test func `a reference of Markdown to no note, over two lines`() {
        #expect(readHostile(Array("a[^\nééé1] b".utf8), .markdown)?.text.starts(with: "a[^".utf8) == true)
    }

    @Test func `a PDF that is cut or changed`() {
        for length in stride(from: 0, through: Self.pdf.count, by: 7) {
            readHostile(Array(Self.pdf.prefix(length)), .pdf)
        }
        for index in stride(from: 0, to: Self.pdf.count, by: 5) {
            for byte: UInt8 in [Self.pdf[index] ^ 1, 0x39, 0xFF] {
                var changed = Self.pdf
                changed[index] = byte
                readHostile(changed, .pdf)
            }
        }
    }

    @Test(.enabled(if: Corpus.folder != nil, "there is no ../shared/media"))
    func `any format reads any text`() throws {
        for path in Corpus.files("nasty") + Corpus.files("html") + Corpus.files("markdown") {
            let file = try #require(bytes(ofFile: path))
            for format in TextFormat.allCases { readHostile(file, format) }
        }
    }
}
