// SPDX-License-Identifier: Apache-2.0

/// Reads the lines of a pronunciation dictionary.
struct DictionaryParser {
    static let largestFile = 1 << 20
    static let longestLine = 1000
    static let mostEntries = 20_000
    static let mostPatterns = 200
    static let mostWords = 16
    private static let mostMistakes = 100

    /// The entries that were read, also if there are mistakes in others.
    private(set) var entries: [PronunciationDictionary.Entry] = []
    private var mistakes: [PronunciationDictionaryError.Mistake] = []
    private var language: String?
    private var patterns = 0

    mutating func parse(_ bytes: [UInt8]) throws(PronunciationDictionaryError) -> [PronunciationDictionary.Entry] {
        guard bytes.count <= Self.largestFile else {
            throw failure("the dictionary has more than \(Self.largestFile >> 20) MiB; split it")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("the dictionary is not UTF-8; save it in that encoding")
        }
        var number = 0
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard mistakes.count < Self.mostMistakes else { break }
            guard line.count <= Self.longestLine else {
                mistake(number, "the line is longer than \(Self.longestLine) bytes")
                continue
            }
            read(Substring(line), number)
        }
        guard mistakes.isEmpty else { throw PronunciationDictionaryError(mistakes: mistakes) }
        return entries
    }

    private func failure(_ message: String) -> PronunciationDictionaryError {
        PronunciationDictionaryError(mistakes: [.init(line: 0, message: message)])
    }

    private mutating func mistake(_ line: Int, _ message: String) {
        // It quotes the line.
        mistakes.append(.init(line: line, message: Self.printable(message)))
    }

    /// Returns a text with a space in place of each control character.
    static func printable(_ text: String) -> String {
        let isSign = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isSign($0) ? $0 : " " }))
    }

    private mutating func read(_ line: Substring, _ number: Int) {
        var line = line.trimmingSpaces()
        // A byte order mark at the beginning of the file.
        if number == 1, line.unicodeScalars.first?.value == 0xFEFF {
            line = Substring(line.unicodeScalars.dropFirst()).trimmingSpaces()
        }
        guard let first = line.first, first != "#" else { return }
        if first == "[", line.last == "]", !line.hasPrefix("[[") {
            let tag = line.dropFirst().dropLast().trimmingSpaces().lowercased()
            if tag == "*" {
                language = nil
            } else if !tag.isEmpty, tag.utf8.count <= 35,
                tag.unicodeScalars.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == "-" })
            {
                language = LanguageTag.primary(tag)
            } else {
                mistake(number, "\"\(tag)\" is no language tag, such as [de]")
            }
            return
        }
        guard entries.count < Self.mostEntries else {
            return mistake(number, "there are more than \(Self.mostEntries) entries")
        }
        guard let (form, speech) = parts(of: line, number) else { return }
        entries.append(.init(form: form, speech: speech, language: language, line: number, text: String(line)))
    }

    private mutating func parts(
        of line: Substring, _ number: Int
    ) -> (PronunciationDictionary.Entry.Form, PronunciationDictionary.Entry.Speech)? {
        let form: PronunciationDictionary.Entry.Form
        var rest: Substring
        if line.first == "/" {
            guard let end = endOfPattern(line) else {
                mistake(number, "the pattern has no second slash; write /pattern/ = words")
                return nil
            }
            let pattern = String(line[line.index(after: line.startIndex)..<end]).replacingEscapedSlashes()
            rest = line[line.index(after: end)...]
            let ignoresCase = rest.first == "i"
            if ignoresCase { rest = rest.dropFirst() }
            patterns += 1
            guard patterns <= Self.mostPatterns else {
                mistake(number, "there are more than \(Self.mostPatterns) patterns")
                return nil
            }
            switch Pattern.check(pattern, ignoresCase: ignoresCase) {
            case .valid: break
            case .invalid(let place):
                mistake(
                    number, "the pattern is no regular expression" + (place.map { " (at character \($0 + 1))" } ?? ""))
                return nil
            case .matchesNothing:
                mistake(number, "the pattern fits an empty text; let it fit at least one character")
                return nil
            }
            form = .pattern(pattern, ignoresCase: ignoresCase)
        } else {
            let isQuoted = line.first == "\""
            let key: Substring
            if isQuoted {
                guard let end = line.dropFirst().firstIndex(of: "\"") else {
                    mistake(number, "the quotation mark is not closed")
                    return nil
                }
                key = line[line.index(after: line.startIndex)..<end]
                rest = line[line.index(after: end)...]
            } else {
                guard let sign = line.firstIndex(of: "=") else {
                    mistake(number, "there is no \"=\"; write word = how it is said")
                    return nil
                }
                key = line[..<sign]
                rest = line[sign...]
            }
            let isExact = isQuoted || key.unicodeScalars.contains { $0.isUpper }
            let words = WordSpans.words(of: String(key)).map { isExact ? $0 : $0.lowercased() }
            guard !words.isEmpty, words.count <= Self.mostWords else {
                mistake(number, "before the \"=\" must be one to \(Self.mostWords) words; use /…/ for signs")
                return nil
            }
            form = .words(words, isExact: isExact)
        }
        rest = rest.trimmingSpaces()
        guard rest.first == "=" else {
            mistake(number, "there is no \"=\" behind the written form")
            return nil
        }
        return speech(rest.dropFirst().trimmingSpaces(), number).map { (form, $0) }
    }

    private func endOfPattern(_ line: Substring) -> Substring.Index? {
        var isEscaped = false
        for index in line.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if line[index] == "\\" {
                isEscaped = true
            } else if line[index] == "/" {
                return index
            }
        }
        return nil
    }

    private mutating func speech(_ text: Substring, _ number: Int) -> PronunciationDictionary.Entry.Speech? {
        guard text.hasPrefix("[[") else { return .words(String(text)) }
        guard text.hasSuffix("]]"), text.utf8.count > 4 else {
            mistake(number, "the sounds are not closed; write [[sounds]]")
            return nil
        }
        let sounds = text.dropFirst(2).dropLast(2)
        guard
            sounds.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value < 0x7F && $0 != "[" && $0 != "]" || $0 == " " || $0.isASCII && $0 == "_"
            })
        else {
            mistake(number, "eSpeak NG's notation of sounds is ASCII, without brackets inside; see espeak-ng -x")
            return nil
        }
        return .phonemes(String(sounds))
    }
}

extension Substring {
    func trimmingSpaces() -> Substring {
        var rest = self
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return rest
    }
}

extension String {
    fileprivate func replacingEscapedSlashes() -> String {
        var result = ""
        var isEscaped = false
        for character in self {
            if isEscaped {
                if character != "/" { result.append("\\") }
                result.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        if isEscaped { result.append("\\") }
        return result
    }
}
