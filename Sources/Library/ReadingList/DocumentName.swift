// SPDX-License-Identifier: Apache-2.0

/// The names that tell the formats of documents of the web.
enum DocumentName {
    private static let types: [String: String] = [
        "text/html": "html", "application/xhtml+xml": "xhtml", "application/epub+zip": "epub",
        "application/pdf": "pdf", "text/markdown": "md", "application/x-fictionbook+xml": "fb2",
        "application/ssml+xml": "ssml", "text/vtt": "vtt", "application/x-subrip": "srt",
        "application/srt": "srt",
    ]
    /// The endings of addresses that say more than a server's `text/plain`.
    private static let texts: Set<String> = [
        "md", "markdown", "tex", "latex", "srt", "vtt", "html", "htm", "fb2", "ssml",
    ]
    private static let others: Set<String> = ["epub", "pdf", "zip", "xhtml", "txt"]

    /// The ending by a media type, or else by the address; `txt` if neither tells.
    static func suffix(contentType: String?, url: String) -> String {
        if let contentType, let suffix = types[contentType.lowercased()] { return suffix }
        let last = file(of: url)
        guard let dot = last.lastIndex(of: ".") else { return "txt" }
        let ending = last[last.index(after: dot)...].lowercased()
        return texts.contains(ending) || others.contains(ending) ? ending : "txt"
    }

    /// The last part of the path, with the ending; the host if there is no path.
    static func name(of url: String, suffix: String) -> String {
        let last = file(of: url)
        return last.lowercased().hasSuffix("." + suffix) ? String(last) : "\(last).\(suffix)"
    }

    private static func file(of url: String) -> Substring {
        // Not by characters: an accent behind a slash would make another character of it.
        let path = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(Substring.init) ?? "document"
    }
}
