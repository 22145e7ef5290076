// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The commands of LaTeX that say something.
extension LaTeXBlocks {
    mutating func command() throws(DocumentError) {
        let start = scan.position
        scan.position += 1
        let name = scan.name()
        let end = scan.position
        if name.utf8.first.map(LaTeXScanner.isLetter) == true { scan.skipSpace() }
        if try structure(name) { return }
        if let level = LaTeXCommands.sections[name] { return try heading(level) }
        if LaTeXCommands.notes.contains(name) {
            scan.skipOptions()
            if let argument = scan.argument() { notes.append(argument) }
            return
        }
        if LaTeXCommands.files.contains(name) {
            if scan.argument() != nil { namesFiles = true }
            return
        }
        if let count = LaTeXCommands.silent[name] { return dropArguments(count) }
        if try verbatim(name) { return }
        try character(name, from: start)
        if formula > 0, scan.position > end, scan.bytes[scan.position - 1] <= 0x20 { assembly.space() }
    }

    /// Reads what begins, ends and divides blocks.
    ///
    /// Returns `false` for any other command.
    private mutating func structure(_ name: String) throws(DocumentError) -> Bool {
        switch name {
        case "\\", "newline", "linebreak", "tabularnewline", "cr":
            scan.skipOptions()
            if kind == .table || kind == .verse || formula > 0 { assembly.line() } else { assembly.space() }
        case "begin": try begin()
        case "end": try end()
        case "item", "bibitem":
            try close()
            let label = scan.option()
            if name == "bibitem" { _ = scan.argument() }
            if name == "item", let label {
                try readInline(label)
                assembly.space()
            }
        case "par", "bigskip", "medskip", "smallskip", "newpage", "clearpage", "cleardoublepage", "pagebreak":
            try paragraph()
        case "[":
            let start = scan.position
            guard let end = find("\\]", within: 20_000) else { return true }
            scan.position = end + 2
            try display(start..<end)
        case "(":
            let start = scan.position
            guard let end = find("\\)", within: 2000) else { return true }
            scan.position = end + 2
            try formula(start..<end)
        case "title", "author":
            scan.skipOptions()
            let argument = scan.argument()
            if name == "title" { title = argument ?? title } else { author = argument ?? author }
        case "maketitle": try sayTitle()
        case "caption", "captionof":
            if name == "captionof" { _ = scan.argument() }
            scan.skipOptions()
            guard let argument = scan.argument() else { return true }
            try close()
            try readInline(argument)
            if inline == 0 {
                try assembly.close(.caption)
                try sayNotes()
            }
        case "texorpdfstring":
            if let argument = scan.argument() { try readInline(argument) }
            _ = scan.argument()
        case "def", "gdef", "edef", "xdef", "let": definition(name)
        case "frac", "dfrac", "tfrac":
            guard let above = scan.argument(), let below = scan.argument() else { return true }
            try readInline(above)
            try assembly.decoded("/".utf8, from: nil, of: source)
            try readInline(below)
        case "left", "right": if scan.byte == 0x2E { scan.position += 1 }
        default: return false
        }
        return true
    }

    private mutating func heading(_ level: Int) throws(DocumentError) {
        scan.skipOptions()
        guard let argument = scan.argument() else { return }
        guard inline == 0, !isNote else { return try readInline(argument) }
        try close()
        try readInline(argument)
        if let block = try assembly.close(.heading, level: level) { assembly.section(block, level: level) }
        try sayNotes()
    }

    private mutating func sayTitle() throws(DocumentError) {
        guard inline == 0, !isNote else { return }
        try close()
        if let title {
            try readInline(title)
            try assembly.close(.heading, level: 1, matter: .front)
        }
        if let author {
            try readInline(author)
            try assembly.close(.paragraph, matter: .front)
        }
        try sayNotes()
    }

    private mutating func dropArguments(_ count: Int) {
        scan.skipOptions()
        for _ in 0..<count {
            if scan.argument() == nil, scan.byte == 0x5C {
                scan.position += 1
                _ = scan.name()
            }
            scan.skipOptions()
        }
    }

    private mutating func definition(_ name: String) {
        if scan.byte == 0x5C {
            scan.position += 1
            _ = scan.name()
        }
        if name == "let" {
            if scan.byte == 0x3D { scan.position += 1 }
            if scan.byte == 0x5C {
                scan.position += 1
                _ = scan.name()
            }
            return
        }
        let reach = scan.bytes[scan.position..<min(scan.end, scan.position + 200)]
        guard let brace = reach.firstIndex(of: 0x7B), !reach[..<brace].contains(0x0A) else { return }
        scan.position = brace
        _ = scan.argument()
    }

    /// Reads what has its text as it stands: `\verb`, addresses.
    private mutating func verbatim(_ name: String) throws(DocumentError) -> Bool {
        switch name {
        case "url", "nolinkurl", "path":
            if let argument = scan.argument() { try assembly.words(argument, of: source) }
        case "verb", "lstinline", "mintinline":
            if name == "mintinline" { _ = scan.argument() }
            scan.skipOptions()
            if scan.byte == 0x7B {
                if let argument = scan.argument() { try assembly.words(argument, of: source) }
                return true
            }
            let start = scan.position + 1
            guard !scan.isAtEnd, start < scan.end else { return true }
            let line = scan.bytes[start..<min(scan.end, start + 1000)]
            guard let close = line.firstIndex(of: scan.byte), !line[..<close].contains(0x0A) else { return true }
            try assembly.words(start..<close, of: source)
            scan.position = close + 1
        default: return false
        }
        return true
    }

    /// Reads a command that stands for a character; of any other, only its argument's text is read.
    private mutating func character(_ name: String, from start: Int) throws(DocumentError) {
        if formula > 0, let text = LaTeXSymbols.formula[name] {
            return try assembly.decoded(Array(text.utf8), from: start..<scan.position, of: source)
        }
        if formula == 0, let accent = LaTeXSymbols.accents[name] { return try accented(accent, from: start) }
        guard let text = LaTeXSymbols.text[name] else {
            let place = scan.position
            // `\foo[option]{text}`, but not `\foo [text]`.
            if scan.option() != nil, scan.byte != 0x7B { scan.position = place }
            return
        }
        if text == " " { return assembly.space() }
        if text.hasSuffix(" ") || text.hasPrefix(" ") {
            if text.hasPrefix(" ") { assembly.space() }
            try assembly.decoded(Array(text.trimming(\.isWhitespace).utf8), from: start..<scan.position, of: source)
            if text.hasSuffix(" ") { assembly.space() }
            return
        }
        try assembly.decoded(Array(text.utf8), from: start..<scan.position, of: source)
        if scan.starts(with: "{}") { scan.position += 2 }
    }

    /// Puts an accent on the letter behind it: `\'e`, `\'{e}`, `\'{\i}`, `\c c`.
    private mutating func accented(_ accent: Unicode.Scalar, from start: Int) throws(DocumentError) {
        var rest = scan
        let argument = rest.argument()
        if argument == nil { rest.skipSpace() }
        if let argument { (rest.position, rest.end) = (argument.lowerBound, argument.upperBound) }
        var letter: Unicode.Scalar?
        if rest.starts(with: "\\i") || rest.starts(with: "\\j") {
            letter = rest.starts(with: "\\i") ? "i" : "j"
            rest.position += 2
        } else if !rest.isAtEnd, rest.byte > 0x20, rest.byte != 0x5C, rest.byte != 0x7B {
            let head = rest.bytes[rest.position..<min(rest.end, rest.position + 4)]
            letter = String(decoding: head, as: UTF8.self).unicodeScalars.first
            rest.position += letter.map { UTF8.width($0) } ?? 0
        }
        guard let letter, letter.properties.isAlphabetic else { return }
        let text = Array(LaTeXSymbols.accented(letter, accent).utf8)
        if let argument {
            try assembly.decoded(text, from: start..<argument.upperBound + 1, of: source)
            try readInline(rest.position..<argument.upperBound)
            scan.position = argument.upperBound + 1
        } else {
            try assembly.decoded(text, from: start..<rest.position, of: source)
            scan.position = rest.position
        }
    }
}
