// SPDX-License-Identifier: Apache-2.0

/// The type of a document, as the server states it.
public struct ContentType: Sendable, Hashable {
    /// The type without parameters, in lower case; `nil` if the server states none that can be one.
    public let name: String?
    /// The name of the encoding of a text.
    public let charset: String?

    /// The types to ask for; what the session reads best comes first.
    public static let wanted =
        "text/html, application/xhtml+xml, application/epub+zip, text/markdown;q=0.9, text/plain;q=0.9,"
        + " application/pdf;q=0.8, application/xml;q=0.8, text/*;q=0.7, */*;q=0.1"

    private static let documents: Set<String> = [
        "application/xhtml+xml", "application/epub+zip", "application/pdf", "application/x-pdf", "application/xml",
        "application/x-fictionbook+xml", "application/x-fictionbook", "application/ssml+xml", "application/x-subrip", "application/srt",
        "application/x-tex", "application/x-latex", "application/zip", "application/x-zip-compressed",
        "application/octet-stream", "binary/octet-stream",
    ]
    /// Lists of recordings, and recordings that their type does not call so.
    private static let recordings: Set<String> = [
        "application/ogg", "application/mp4", "application/x-mpegurl", "application/vnd.apple.mpegurl",
        "application/dash+xml",
    ]

    /// Parses the value of the header.
    public init(_ header: String) {
        let parts = Self.parts(header)
        let type = parts.first?.lowercased() ?? ""
        name = FetchReply.isName(type) && type.utf8.contains(UInt8(ascii: "/")) ? type : nil
        charset =
            parts.dropFirst().lazy.compactMap { part -> String? in
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, Self.trimmed(pair[0]).lowercased() == "charset" else { return nil }
                let value = Self.trimmed(pair[1]).filter { $0 != "\"" && $0 != "'" }
                return FetchReply.isName(value) ? value : nil
            }.first
    }

    /// The reason why this is no document, as one line; `nil` if it is one, or if the server does not say.
    public var refusal: String? {
        guard let name else { return nil }
        switch name.prefix(while: { $0 != "/" }) {
        case "text": return nil
        case "audio", "video": return "a recording (\(name)), which `rostrum play` plays"
        case "image": return "a picture (\(name)), which has no text to read"
        default:
            if Self.recordings.contains(name) { return "a recording (\(name)), which `rostrum play` plays" }
            return Self.documents.contains(name) ? nil : "no document that is read aloud (\(name))"
        }
    }

    /// Splits at semicolons outside quotes.
    private static func parts(_ header: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in header.utf8.prefix(1000) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
        }
        return parts.map { trimmed(String(decoding: $0, as: UTF8.self)[...]) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
