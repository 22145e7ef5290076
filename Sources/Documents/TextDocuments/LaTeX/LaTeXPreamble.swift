// SPDX-License-Identifier: Apache-2.0

/// The part before the text of a LaTeX document.
struct LaTeXPreamble {
    var title: Range<Int>?
    var author: Range<Int>?
    var language: String?
    /// The offset at which the text begins.
    var end: Int

    init(_ scanner: LaTeXScanner) {
        var scan = scanner
        let mark = "\\begin{document}"
        guard let begin = LaTeXScanner.find(mark, in: scan.bytes, from: scan.position) else {
            end = scan.position
            return
        }
        end = begin + mark.utf8.count
        scan.end = begin
        while !scan.isAtEnd {
            switch scan.byte {
            case 0x25: scan.position = scan.bytes[scan.position..<scan.end].firstIndex(of: 0x0A) ?? scan.end
            case 0x5C:
                scan.position += 1
                read(scan.name(), &scan)
            default: scan.position += 1
            }
        }
    }

    private mutating func read(_ name: String, _ scan: inout LaTeXScanner) {
        switch name {
        case "title":
            scan.skipOptions()
            title = scan.argument()
        case "author":
            scan.skipOptions()
            author = scan.argument()
        case "documentclass", "usepackage":
            guard let options = scan.option(), let package = scan.argument() else { return }
            guard name == "documentclass" || scan.string(package) == "babel" else { return }
            for option in scan.string(options).split(separator: ",") {
                let words = option.split(separator: "=").map { $0.trimming(\.isWhitespace) }
                guard let last = words.last, words.count == 1 || words.first == "main" else { continue }
                language = LaTeXSymbols.languages[String(last)] ?? language
            }
        case "setmainlanguage", "setdefaultlanguage":
            scan.skipOptions()
            if let argument = scan.argument() { language = LaTeXSymbols.languages[scan.string(argument)] ?? language }
        case "newcommand", "renewcommand", "providecommand", "def":
            // A command of the author's that holds another title.
            if scan.argument() == nil, scan.byte == 0x5C {
                scan.position += 1
                _ = scan.name()
            }
            scan.skipOptions()
            _ = scan.argument()
        default: break
        }
    }
}
