// SPDX-License-Identifier: Apache-2.0

import MarkupDocuments
import ReadingText
import Testing

/// Some prose, long enough to be an article's.
let prose =
    "It was a bright cold day in April, and the clocks were striking thirteen, as they do in stories of this kind."

struct HTMLContentTests {
    @Test(arguments: [
        ("<p>one  <b>two</b>\n three</p><p> </p><p>&nbsp;</p>", ["paragraph: one two three"]),
        ("<h1>Title</h1><h3>Part</h3><p>x</p>", ["heading1: Title", "heading2: Part", "paragraph: x"]),
        (
            "<ul><li>a</li><li>b<ol><li><p>c</p></li></ol></li></ul>",
            ["listItem1: a", "listItem1: b", "listItem2: c"]
        ),
        ("<blockquote><p>a</p><p>b</p></blockquote>", ["quote: a", "quote: b"]),
        ("<pre>  if x:\n    y\n</pre>", ["code: if x:\ny"]),
        (
            "<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7</td></tr></table>",
            ["table: Name, Age\nAnn, 7"]
        ),
        ("<table><tr><td><p>Only <i>layout</i></p></td></tr></table>", ["paragraph: Only layout"]),
        (
            "<figure><img src=x alt='A cat on a mat'><figcaption>Our cat</figcaption></figure>",
            ["paragraph: (A cat on a mat)", "caption: Our cat"]
        ),
        ("<p>a <img src=x alt='photo'><img src=y alt='IMG_1.jpg'> b</p>", ["paragraph: a b"]),
        ("<p>a</p><hr><p>b</p><hr>", ["paragraph: a", "sceneBreak: ", "paragraph: b"]),
        ("<p>a</p><p>* * *</p><p>b</p>", ["paragraph: a", "sceneBreak: * * *", "paragraph: b"]),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字</p>", ["paragraph: 漢字"]),
        ("<p>a<br>b</p><p>c<br><br>d</p>", ["paragraph: a\nb", "paragraph: c", "paragraph: d"]),
        ("<div class=poem><div>one</div><div>two</div></div>", ["verse: one\ntwo"]),
        ("<p>see <math alttext='a+b'><mi>a</mi></math></p>", ["paragraph: see a+b"]),
        ("<math display=block alttext='a+b'><mi>a</mi></math>", ["formula: a+b"]),
        ("<p>10<sup>16</sup> cells</p>", ["paragraph: 10^16 cells"]),
        ("<p>soft\u{AD}ware zero\u{200B}width</p>", ["paragraph: software zerowidth"]),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", ["paragraph: Term", "listItem1: Meaning"]),
    ])
    func `elements become blocks`(body: String, blocks: [String]) throws {
        #expect(outline(try page("<html><body>\(body)</body></html>")) == blocks)
    }

    @Test(arguments: [
        "<p hidden>X</p>", "<div style='Display : none'>X</div>", "<p style=visibility:hidden>X</p>",
        "<p aria-hidden=true>X</p>",
        "<script>X</script>", "<style>X</style>", "<template><p>X</p></template>", "<noscript>X</noscript>",
        "<nav>X</nav>",
        "<div class='cookie-notice'>X</div>", "<div id=comments><p>X</p></div>", "<div class=share-bar>X</div>",
        "<footer>X</footer>", "<div role=navigation>X</div>", "<aside class=related><a href=/>X</a></aside>",
        "<button>X</button>",
        "<ul class=pagination><li>X</li></ul>", "<select><option>X</option></select>", "<svg><text>X</text></svg>",
        "<ul><li><a href=1>X 1</a></li><li><a href=2>X 2</a></li><li><a href=3>X 3</a></li></ul>",
        "<h2>More</h2><div class=related-posts>X</div>", "<a role=button href=#next>X</a>", "<p role=button>X</p>",
        "<table class='plainlinks metadata ambox ambox-content'><tr><td>X</td></tr></table>",
    ])
    func `parts beside the article are dropped`(part: String) throws {
        let html = "<body><div class=content><p>\(prose)</p><p>\(prose)</p>\(part)</div>\(part)</body>"
        let blocks = outline(try page(html))
        #expect(blocks == ["paragraph: \(prose)", "paragraph: \(prose)"])
    }

    @Test(arguments: [
        "<article>@</article>", "<main><div>@</div></main>", "<div id=content>@</div>",
        "<div><div><section>@</section></div></div>",
        "<table><tr><td>@</td></tr></table>", "<div class=sidebar-layout>@</div>", "@",
    ])
    func `the article is found`(shape: String) throws {
        let article = "<h1>Story</h1><p>\(prose)</p><p>\(prose)</p><ul><li>Point</li></ul>"
        let frame = "<div class=top><p>Sign in or register</p></div>"
        let html = "<body>\(frame)\(shape.replacing("@", with: article))<footer><p>© Nobody</p></footer></body>"
        let blocks = outline(try page(html))
        #expect(
            blocks.suffix(4) == ["heading1: Story", "paragraph: \(prose)", "paragraph: \(prose)", "listItem1: Point"])
    }

    @Test(arguments: [
        "<body>Hi</body>", "Hi", "<p>Hi", "<nav><a href=x>Hi</a></nav>", "<div class=sidebar>Hi</div>",
        "<footer>Hi</footer>",
        "<title>t</title><form>Hi</form>", "</div></p><b>Hi", "<frameset><noframes></noframes></frameset><p>Hi",
    ])
    func `text is never dropped altogether`(html: String) throws {
        // A frameset has no body.
        guard !html.contains("frameset") else {
            #expect(
                failure { () throws(DocumentError) in
                    try HTMLReader.read(Array(html.utf8), charset: nil, limits: ReadingLimits())
                }?.kind == .empty)
            return
        }
        #expect(try page(html).text == Array("Hi".utf8))
    }

    @Test(arguments: [
        ("<title>Story | The Site</title>", "Story"), ("<title>Story – My website</title>", "Story"),
        ("<title>The Site: Story of it</title><h1>Story of it</h1>", "Story of it"),
        ("<title>Well-known</title>", "Well-known"),
        (
            "<title>x</title><meta property='og:title' content='Shared | S'><meta property='og:site_name' content='S'>",
            "Shared"
        ),
        ("<h1>Only a heading</h1>", "Only a heading"),
    ])
    func `the title is the article's`(head: String, title: String) throws {
        #expect(try page("<html>\(head)<p>\(prose)</p>").title == title)
    }

    @Test(
        arguments: [
            ("<meta name=author content='Ann Other'>", "Ann Other"),
            ("<p><a rel=author href=x>Ann</a> wrote</p>", "Ann"),
            ("<p class=byline>By Ann Other</p>", "Ann Other"),
            ("<meta property='article:author' content='https://x.y'>", nil),
        ] as [(String, String?)])
    func `the author is named`(head: String, author: String?) throws {
        #expect(try page("<html>\(head)<p>\(prose)</p>").author == author)
    }

    @Test func `languages are those of blocks and words`() throws {
        let document = try page(
            "<html lang=en><p>one <i lang=fr>deux</i></p><p lang='de_AT'>drei</p><div lang=it><p>quattro</p></div>")
        #expect(document.language == "en")
        #expect(document.blocks.map(\.language) == ["en", "de-AT", "it"])
        #expect(pronunciations(document) == ["deux = language(\"fr\")"])
    }

    @Test func `notes stand behind the paragraph that refers to them`() throws {
        let document = try page(
            """
            <body><p>First.<sup><a href="#n1">1</a></sup> More<a href="#n2" role="doc-noteref">[2]</a>.</p><p>Second.</p>
            <ol><li id=n1>Note one. <a href="#r1">↩</a></li><li id=n2><a href="#r2">2.</a> Note two.</li></ol></body>
            """)
        #expect(
            outline(document) == [
                "paragraph: First. More.", "note: Note one.", "note: Note two.", "paragraph: Second.",
            ])
    }

    @Test func `a link to a chapter is no note`() throws {
        let document = try page(
            "<body><p><a href='#c'>1</a> <a href='#c'>Chapter</a></p><h2 id=c>One</h2><p>Text.</p></body>")
        #expect(outline(document) == ["paragraph: 1 Chapter", "heading1: One", "paragraph: Text."])
    }

    @Test func `origins are the bytes of the file`() throws {
        let html = "<p>Caf&eacute; &amp; <b>th\u{E9}</b>\r\nlast&#x41;</p>"
        let document = try page(html)
        #expect(document.text == Array("Café & th\u{E9} lastA".utf8))
        let origins = document.blocks[0].origins.map { origin in
            words(origin.range, document) + " < " + String(decoding: Array(html.utf8)[origin.source], as: UTF8.self)
        }
        #expect(
            origins == ["Caf < Caf", "é < &eacute;", "& < &amp;", "th\u{E9} < th\u{E9}", "last < last", "A < &#x41;"])
    }
}
