// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

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

    /// For a person.
    static func title(ofFile path: some StringProtocol) -> String { FileTitle.title(last(path)) }

    static func title(ofFolder path: some StringProtocol) -> String { FileTitle.title(ofFolder: last(path)) }

    /// What files that belong together have in common.
    static func stem(ofFile path: some StringProtocol) -> String { FileTitle.stem(last(path)) }

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
