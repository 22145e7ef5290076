// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// Takes apart the names of files.
enum FileName {
    static func last(_ path: some StringProtocol) -> String {
        path.split(whereSeparator: { $0 == "/" }).last.map { String($0) } ?? String(path)
    }

    /// Returns the extension in lower case without the dot, or `nil` if there is none.
    static func fileExtension(_ path: some StringProtocol) -> String? {
        let name = last(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let text = name[name.index(after: dot)...]
        return text.isEmpty ? nil : text.lowercased()
    }

    /// Returns a title for people.
    static func title(ofFile path: some StringProtocol) -> String { FileTitle.title(last(path)) }

    static func title(ofFolder path: some StringProtocol) -> String { FileTitle.title(ofFolder: last(path)) }

    /// Returns the part of the name that files which belong together have in common.
    static func stem(ofFile path: some StringProtocol) -> String { FileTitle.stem(last(path)) }

    static func folder(of path: some StringProtocol) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return String(path[..<slash])
    }

    /// Removes `.`, repeated slashes, and a slash at the end.
    ///
    /// `..` stays, because its meaning depends on symbolic links.
    static func normalized(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
