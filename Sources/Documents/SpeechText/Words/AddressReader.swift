// SPDX-License-Identifier: Apache-2.0

/// Says web and e-mail addresses as one would on the telephone.
struct AddressReader {
    let words: NumberWords

    /// Parts of a path that are said; what comes behind is for machines.
    private static let mostParts = 3
    private static let mostLetters = 120

    static func isAddress(_ core: String) -> Bool {
        guard core.utf8.count >= 5, core.utf8.count <= 4096, core.utf8.contains(0x2E) || core.utf8.contains(0x3A) else {
            return false
        }
        if core.contains("://") || core.hasPrefix("www.") || core.hasPrefix("mailto:") { return true }
        let parts = core.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count == 2 { return !parts[0].isEmpty && isHost(parts[1]) }
        let host = core.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard isHost(host), let ending = host.split(separator: ".").last else { return false }
        return endings.contains(ending.lowercased())
    }

    /// The endings by which a name without "www" is known for an address.
    private static let endings: Set<String> = [
        "com", "org", "net", "edu", "gov", "io", "uk", "de", "fr", "es", "eu", "info", "at", "ch", "nl", "se", "it",
        "pl", "ru", "jp",
        "dev", "app",
    ]

    private static func isHost(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.unicodeScalars.allSatisfy { $0.isSpoken || $0 == "-" || $0 == "_" }
            }
    }

    func words(of address: String) -> String {
        var rest = Substring(address.prefix(Self.mostLetters))
        for scheme in ["https://", "http://", "ftp://", "mailto:", "file://"] where rest.lowercased().hasPrefix(scheme)
        {
            rest = rest.dropFirst(scheme.count)
        }
        if rest.lowercased().hasPrefix("www.") { rest = rest.dropFirst(4) }
        if let query = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<query] }
        let parts = rest.split(separator: "/").prefix(1 + Self.mostParts)
        let names = parts.map { said($0) }.filter { !$0.isEmpty }
        guard !names.isEmpty else { return words.slash }
        return names.joined(separator: " \(words.slash) ")
    }

    private func said(_ part: Substring) -> String {
        var said: [String] = []
        var piece = ""
        func finish() {
            if !piece.isEmpty { said.append(piece) }
            piece = ""
        }
        for character in part {
            let word =
                switch character {
                case ".": words.dot
                case "@": words.at
                case "-": words.dash
                case "_": words.underscore
                case "+": words.plus
                default: ""
                }
            if !word.isEmpty {
                finish()
                said.append(word)
            } else if character.unicodeScalars.allSatisfy({ $0.isSpoken || $0.isMark }) {
                piece.append(character)
            } else {
                finish()
            }
        }
        finish()
        return said.joined(separator: " ")
    }
}
