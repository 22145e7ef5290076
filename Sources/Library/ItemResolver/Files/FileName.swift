// SPDX-License-Identifier: Apache-2.0

/// What the name of a file says.
enum FileName {
    static func last(_ path: some StringProtocol) -> String {
        path.split(whereSeparator: { $0 == "/" }).last.map { String($0) } ?? String(path)
    }

    /// Lower case, without the dot; nil: none.
    static func fileExtension(_ path: some StringProtocol) -> String? {
        let name = last(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let text = name[name.index(after: dot)...]
        return text.isEmpty ? nil : text.lowercased()
    }

    /// The name without its extension, if what follows the last dot looks like one: `Mr. Smith` has none.
    static func title(ofFile path: some StringProtocol) -> String {
        let name = last(path)
        guard let ending = fileExtension(name), ending.count <= 8,
            ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), ending.contains(where: \.isLetter)
        else { return name }
        return String(name.dropLast(ending.count + 1))
    }

    static func folder(of path: some StringProtocol) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return String(path[..<slash])
    }

    /// Without `.`, repeated slashes, and a slash at the end.
    ///
    /// `..` stays: what it means depends on links.
    static func normalized(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
