// SPDX-License-Identifier: Apache-2.0

import Glibc
import MarkupDocuments
import ReadingText
import Testing

@Suite(.enabled(if: corpus != nil, "there is no ../shared/media"))
struct MarkupCorpusTests {
    @Test(arguments: names(in: "html") + names(in: "epub") + names(in: "ssml").filter { !$0.hasSuffix(".expected") })
    func `every text is read, and its places are its own`(name: String) throws {
        let bytes = bytes(ofFile: "\(corpus ?? "")/\(name)")
        let format = try #require(MarkupFormat.detect(Array(bytes.prefix(MarkupFormat.prefixSize)), name: name))
        let document = try format.read(bytes, limits: ReadingLimits())
        check(document, sources: format == .epub ? nil : [bytes])
        #expect(!document.text.isEmpty)
    }

    @Test(arguments: [
        ("alicesadventures", "Alice's Adventures in Wonderland", 16, "CHAPTER I. Down the Rabbit-Hole"),
        ("childrens-literature", "Children's Literature", 31, "INTRODUCTORY"),
        ("georgia-pls-ssml", "Georgia", 10, "Minerals"),
        ("hefty-water", "Hefty Water", 4, "The Source"), ("wasteland", "The Waste Land", 6, "V. WHAT THE THUNDER SAID"),
        ("regime-anticancer-arabic", "Le Vrai Régime anti-cancer", 3, "Commencer la lecture"),
        ("w3c_pkg-dir_rtl-root-ltr", "CSS: הרפתקה חדשה!", 1, "Link to main page"),
    ])
    func `a book's title and contents are its own`(name: String, title: String, count: Int, chapter: String) throws {
        let document = try EPUBReader.read(bytes(ofFile: "\(corpus ?? "")/epub/\(name).epub"), limits: ReadingLimits())
        #expect(document.title == title)
        #expect(document.sections.count == count)
        #expect(document.sections.contains { $0.title == chapter })
    }

    @Test func `a real media overlay`() throws {
        let document = try EPUBReader.read(
            bytes(ofFile: "\(corpus ?? "")/epub/w3c_mol-navigation.epub"), limits: ReadingLimits())
        let recordings = document.blocks.flatMap(\.recordings)
        #expect(recordings.map(\.start) == [0, 1233, 7603, 0, 1365])
        #expect(recordings.last?.end == 7048)
    }

    /// `ROSTRUM_CUT_BOOKS=1` cuts each book at each kilobyte, which takes long; otherwise it is cut at ten places.
    @Test(arguments: names(in: "epub"))
    func `a book that is cut does no harm`(name: String) {
        let book = bytes(ofFile: "\(corpus ?? "")/\(name)")
        let step = getenv("ROSTRUM_CUT_BOOKS") == nil ? max(1024, book.count / 10) : 1024
        for length in stride(from: 0, to: book.count, by: step) { readHostile(Array(book[..<length]), .epub) }
    }
}
