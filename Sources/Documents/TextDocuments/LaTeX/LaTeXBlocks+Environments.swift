// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The environments of LaTeX.
extension LaTeXBlocks {
    /// The longest name of an environment, in bytes.
    private static let longestName = 40

    mutating func begin() throws(DocumentError) {
        guard let argument = scan.argument(), argument.count <= Self.longestName else { return }
        let name = scan.string(argument)
        while scan.option() != nil {}
        for _ in 0..<(LaTeXCommands.environmentArguments[name] ?? 0) {
            if BraceTable.verbatim.contains(name) { scan.skipVerbatimArgument() } else { _ = scan.argument() }
            while scan.option() != nil {}
        }
        if BraceTable.verbatim.contains(name) {
            if let body = body(of: name) { try code(body, isSaid: name != "comment" && !name.hasPrefix("filec")) }
            return
        }
        if LaTeXCommands.formulas.contains(name) {
            if let body = body(of: name) { try display(body) }
            return
        }
        if LaTeXCommands.pictures.contains(name) {
            _ = body(of: name)
            return
        }
        if inline == 0 { try close() } else { assembly.space() }
        guard environments.count < assembly.limits.depth else {
            ignored += 1
            return
        }
        environments.append(Environment(name: name, kind: Self.kind(of: name)))
        if LaTeXCommands.lists.contains(name) { lists += 1 }
    }

    mutating func end() throws(DocumentError) {
        guard let argument = scan.argument(), argument.count <= Self.longestName else { return }
        let name = scan.string(argument)
        if name == "document", !isNote {
            try close()
            isDone = inline == 0
            return
        }
        if inline == 0 { try close() } else { assembly.space() }
        if ignored > 0 {
            ignored -= 1
            return
        }
        guard let index = environments.lastIndex(where: { $0.name == name }) else { return }
        let ended = environments[index...].count { LaTeXCommands.lists.contains($0.name) }
        lists = max(0, lists - ended)
        environments.removeSubrange(index...)
    }

    private static func kind(of name: String) -> TextBlock.Kind {
        if LaTeXCommands.tables.contains(name) { return .table }
        if LaTeXCommands.lists.contains(name) { return .listItem }
        if LaTeXCommands.quotes.contains(name) { return .quote }
        return name == "verse" ? .verse : .paragraph
    }

    /// Takes all up to the end of an environment, which must be in the source.
    private mutating func body(of name: String) -> Range<Int>? {
        guard !missing.contains(name) else { return nil }
        let end = "\\end{\(name)}"
        guard let found = LaTeXScanner.find(end, in: scan.bytes, from: scan.position) else {
            missing.insert(name)
            return nil
        }
        // It may end outside of the argument that is read.
        guard found + end.utf8.count <= scan.end else { return nil }
        let body = scan.position..<found
        scan.position = found + end.utf8.count
        return body
    }

    /// Reads lines as they stand.
    private mutating func code(_ body: Range<Int>, isSaid: Bool) throws(DocumentError) {
        guard isSaid else { return }
        if inline == 0 { try close() } else { assembly.space() }
        var start = body.lowerBound
        while start < body.upperBound {
            let end = scan.bytes[start..<body.upperBound].firstIndex(of: 0x0A) ?? body.upperBound
            let isBlank = scan.bytes[start..<end].allSatisfy { $0 <= 0x20 }
            if !isBlank || assembly.hasText {
                let trimmed = scan.bytes[start..<end].last == 0x0D ? end - 1 : end
                try assembly.verbatim(isBlank ? start..<start : start..<trimmed, of: source)
                assembly.line()
            }
            start = end + 1
        }
        if inline == 0 { try assembly.close(isNote ? .note : .code) }
    }
}
