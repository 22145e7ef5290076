// SPDX-License-Identifier: Apache-2.0

/// The request of the session to the process that reads documents, in one message; the descriptors come with it.
///
/// They are the document, open for reading; two files, open for writing: the reading text and the script; and the listener's
/// dictionary, open for reading, if there is one.
public struct DocumentOrder: Sendable, Hashable {
    /// The version of what is made of a document; it changes whenever the same file gives another text or script.
    public static let version = 3

    /// The kind of file, and so what is made of it.
    public enum Form: String, Sendable, CaseIterable {
        /// A document that is read aloud.
        case document
        /// The feed of a podcast, of which its episodes are wanted; the file for the text takes them.
        case feed
        /// An OPML file, of which its feeds are wanted; the file for the text takes them.
        case subscriptions
    }

    public var form = Form.document
    /// The address of the file, from which relative addresses in a feed are taken.
    public var base: String?
    /// The name of the file, which hints at the format.
    public var name: String
    /// The encoding that a server states.
    public var charset: String?
    /// The language that the listener states, a BCP 47 tag.
    public var language: String?
    /// The names of the parts that are left out.
    public var skipped: [String]
    public var saysEmoji: Bool
    /// The most characters of one utterance.
    public var longestUtterance: Int
    /// Lines as the listener's dictionary has them, which hold for this reading as if they stood at its end.
    public var pronunciations: [String]
    /// `true` if the reply is to name the entries of the dictionary that were applied.
    ///
    /// What is kept of a document does not have them.
    public var namesPronunciations: Bool

    public init(
        name: String, charset: String? = nil, language: String? = nil, skipped: [String] = [], saysEmoji: Bool = false,
        longestUtterance: Int = 200, pronunciations: [String] = [], namesPronunciations: Bool = false
    ) {
        self.name = name
        self.charset = charset
        self.language = language
        self.skipped = skipped
        self.saysEmoji = saysEmoji
        self.longestUtterance = longestUtterance
        self.pronunciations = pronunciations
        self.namesPronunciations = namesPronunciations
    }

    /// One line for each member: its name, a space, its value.
    public var encoded: [UInt8] {
        var lines = ["name \(name)"]
        if form != .document { lines.append("form \(form.rawValue)") }
        if let base { lines.append("base \(base)") }
        if let charset { lines.append("charset \(charset)") }
        if let language { lines.append("language \(language)") }
        lines += skipped.map { "skip \($0)" }
        if saysEmoji { lines.append("emoji") }
        lines.append("longest \(longestUtterance)")
        lines += pronunciations.map { "pronunciation \($0)" }
        if namesPronunciations { lines.append("names") }
        return MessageLines.encode(lines)
    }

    public init(decoding bytes: [UInt8]) {
        self.init(name: "")
        for (key, value) in MessageLines.decode(bytes) {
            switch key {
            case "name": name = value
            case "form": form = Form(rawValue: value) ?? form
            case "base": base = value
            case "charset": charset = value
            case "language": language = value
            case "skip": skipped.append(value)
            case "emoji": saysEmoji = true
            case "longest": longestUtterance = Int(value) ?? longestUtterance
            case "pronunciation": pronunciations.append(value)
            case "names": namesPronunciations = true
            default: break
            }
        }
    }
}

/// The progress and the outcome of reading a document.
///
/// A document of some length is handed over with its beginning: `begun`, then `made` again and again. The last reply is
/// `read` or `failed`.
public enum DocumentReply: Sendable, Hashable {
    /// The whole text is there, and the beginning of the script.
    case begun(warnings: [String])
    /// The script has been made up to a byte of the text.
    case made(end: Int)
    /// The pronunciations are the entries of the dictionary that were applied, a line each, if the order asks for them.
    case read(warnings: [String], pronunciations: [String] = [])
    case failed(kind: String, message: String)

    private static let mostWarnings = 20
    private static let mostPronunciations = 20
    /// The most bytes of a line that foreign text is part of.
    private static let longestLine = 1000

    public var encoded: [UInt8] {
        switch self {
        case .begun(let warnings): Self.encode("begun", warnings)
        case .made(let end): MessageLines.encode(["made \(end)"])
        case .read(let warnings, let pronunciations): Self.encode("read", warnings, pronunciations)
        case .failed(let kind, let message): MessageLines.encode(["failed \(kind)", "message \(Self.cut(message))"])
        }
    }

    /// Returns `nil` for a message that is no reply: it comes from a process that parses foreign files.
    public init?(decoding bytes: [UInt8]) {
        let lines = MessageLines.decode(bytes)
        switch lines.first?.key {
        case "begun": self = .begun(warnings: Self.values("warning", lines, Self.mostWarnings))
        case "made":
            guard let end = Int(lines[0].value), (0...Self.largestText).contains(end) else { return nil }
            self = .made(end: end)
        case "read":
            self = .read(
                warnings: Self.values("warning", lines, Self.mostWarnings),
                pronunciations: Self.values("pronunciation", lines, Self.mostPronunciations))
        case "failed":
            guard let message = lines.first(where: { $0.key == "message" })?.value, !message.isEmpty else { return nil }
            self = .failed(kind: lines[0].value, message: message)
        default: return nil
        }
    }

    /// More than any text has bytes.
    private static let largestText = Int(UInt32.max)

    private static func encode(_ key: String, _ warnings: [String], _ pronunciations: [String] = []) -> [UInt8] {
        MessageLines.encode(
            [key] + warnings.prefix(mostWarnings).map { "warning \(cut($0))" }
                + pronunciations.prefix(mostPronunciations).map { "pronunciation \(cut($0))" })
    }

    private static func values(_ key: String, _ lines: [(key: String, value: String)], _ most: Int) -> [String] {
        lines.filter { $0.key == key }.prefix(most).map(\.value)
    }

    private static func cut(_ line: String) -> String {
        line.utf8.count <= longestLine ? line : String(decoding: line.utf8.prefix(longestLine), as: UTF8.self)
    }
}
