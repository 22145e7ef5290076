// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

struct LaTeXTests {
    @Test(arguments: [
        (
            "\\section{One \\emph{two}}\nText\nhere.\n\nNext % comment\n  line.",
            ["heading1: One two", "paragraph: Text here.", "paragraph: Next line."]
        ),
        ("a comm% note\nent and 50\\% \\& \\#1 \\_ \\$5", ["paragraph: a comment and 50% & #1 _ $5"]),
        ("``Quoted'' and `it's' --- or 1--2~x-y\\ldots", ["paragraph: “Quoted” and ‘it’s’ — or 1–2 x-y…"]),
        (
            "caf\\'e na\\\"{\\i}ve \\c{c}a \\ss{} \\v s \\AA \\o l \\\"{u}ber \\^{o}t\\H{o}",
            ["paragraph: café naïve ça ß š Åøl über ôtő"]
        ),
        (
            "\\textbf{bold} \\unknown[opt]{kept} {\\it x} \\foo{a}{b}\\label{l}\\cite[p.~1]{k} end~\\ref{l}.",
            ["paragraph: bold kept x a b end ."]
        ),
        (
            "a\\footnote{The \\emph{note}.\n\nMore.} b\n\nc",
            ["paragraph: a b", "note: The note.", "note: More.", "paragraph: c"]
        ),
        (
            "x\n\\begin{itemize}\n\\item one\n\\item two\n\\begin{enumerate}\\item[(a)] deep\\end{enumerate}\n\\end{itemize}\ny",
            ["paragraph: x", "listItem1: one", "listItem1: two", "listItem2: (a) deep", "paragraph: y"]
        ),
        ("\\begin{quote}Q\\end{quote}\\begin{verse}a\\\\\nb\\end{verse}", ["quote: Q", "verse: a\nb"]),
        ("\\begin{verbatim}\n\\x{ % $\n  y\n\\end{verbatim}\nz", ["code: \\x{ % $\n  y", "paragraph: z"]),
        ("\\begin{lstlisting}[language=C]\nint a;\n\\end{lstlisting}", ["code: int a;"]),
        ("a $x^2 \\le \\alpha$ b \\[ \\frac{1}{n} \\] c", ["paragraph: a x^2 ≤ α b", "formula: 1/n", "paragraph: c"]),
        (
            "\\begin{equation}\\label{e} E = m c^2 \\end{equation} and $$ a \\times b $$",
            ["formula: E = m c^2", "paragraph: and", "formula: a × b"]
        ),
        (
            "\\begin{table}[h]\\centering\\caption{Cap}\\begin{tabular}{l|r}\\hline a & b \\\\ \\hline 1 & 2\\\\\n\\end{tabular}\\end{table}",
            ["caption: Cap", "table: a, b\n1, 2"]
        ),
        (
            "\\begin{figure}\\includegraphics[width=3cm]{x.png}\\caption[short]{The \\textit{long}}\\end{figure}t",
            ["caption: The long", "paragraph: t"]
        ),
        ("\\begin{center}* * *\\end{center}\nt", ["sceneBreak: * * *", "paragraph: t"]),
        (
            "\\newcommand{\\x}[1]{body #1}\\def\\y#1{z}\\let\\a=\\b t \\verb|a_b{| \\url{http://a_b} \\href{u}{w}",
            ["paragraph: t a_b{ http://a_b w"]
        ),
        ("\\input{chapter} text", ["paragraph: text"]),
        ("\\begin{comment}no\\end{comment}\\begin{tikzpicture}\\draw;\\end{tikzpicture}yes", ["paragraph: yes"]),
        ("a } { b \\end{x} \\begin{y} c $ d", ["paragraph: a b", "paragraph: c d"]),
    ])
    func `commands become blocks`(source: String, expected: [String]) throws {
        let document = try LaTeXReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(outline(document) == expected)
        check(document, source: Array(source.utf8))
    }

    @Test func `a document has title, language and sections`() throws {
        let source = """
            \\documentclass[12pt]{book}
            \\usepackage[english,ngerman]{babel}
            \\newcommand{\\t}{\\title{Wrong}}
            \\title{Das "Uber \\emph{Buch}} % x
            \\author{A. Schreiber\\thanks{Dank}}
            \\begin{document}
            \\maketitle
            \\tableofcontents
            \\chapter{Eins}
            "`Gr"u"se"', sagte er.
            \\section*{Zwei}
            Text.
            \\end{document}
            Never read.
            """
        let document = try LaTeXReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(document.title == "Das Über Buch" && document.author == "A. Schreiber" && document.language == "de")
        #expect(sections(document) == ["2 Eins", "3 Zwei"] || sections(document) == ["1 Eins", "2 Zwei"])
        #expect(outline(document).contains("paragraph: „Grüße“, sagte er."))
        #expect(!String(decoding: document.text, as: UTF8.self).contains("Never"))
        check(document, source: Array(source.utf8))
    }

    @Test func `a file that only includes others says so`() {
        let error = #expect(throws: DocumentError.self) {
            try LaTeXReader.read(
                Array("\\begin{document}\\input{a}\\include{b}\\end{document}".utf8), limits: ReadingLimits())
        }
        #expect(error?.kind == .empty)
        #expect(error?.message.contains("includes") == true)
    }

    @Test(arguments: [
        String(repeating: "{", count: 100_000), String(repeating: "\\footnote{", count: 50_000),
        String(repeating: "\\footnote{a", count: 5000) + String(repeating: "}", count: 5000),
        String(repeating: "\\section{", count: 3000) + String(repeating: "}", count: 3000),
        String(repeating: "\\begin{itemize}\\item ", count: 5000),
        String(repeating: "\\begin{verbatim}", count: 10_000),
        String(repeating: "$", count: 100_001), String(repeating: "\\[", count: 20_000),
        String(repeating: "\\", count: 99_999),
        String(repeating: "\\a[", count: 30_000),
        String(repeating: "\\frac{1}{\\frac{2}{", count: 2000) + String(repeating: "}}", count: 2000),
        String(repeating: "\\'", count: 30_000),
        String(repeating: "\\caption{\\title{", count: 1000) + String(repeating: "}}", count: 1000),
    ])
    func `text that is nested without end comes to an end`(source: String) {
        let clock = ContinuousClock()
        let time = clock.measure { _ = readHostile(Array(("x " + source + " y").utf8), .latex) }
        #expect(time < .seconds(20))
    }
}
