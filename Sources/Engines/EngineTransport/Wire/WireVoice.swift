// SPDX-License-Identifier: Apache-2.0

/// An engine's description of one of its voices.
public struct WireVoice: Sendable, Hashable {
    public var name: String
    /// A BCP 47 tag.
    public var language: String
    public var about: String?

    public init(name: String, language: String, about: String?) {
        self.name = name
        self.language = language
        self.about = about
    }

    /// The most bytes that it takes in a message.
    public var size: Int { 13 + name.utf8.count + language.utf8.count + (about?.utf8.count ?? 0) }

    /// `true` if the voice can be named, and its language, each in one line that a terminal only shows.
    public var isPlausible: Bool {
        [name, language].allSatisfy { text in
            (1...Self.longest).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.isTreacherous)
        } && (about?.utf8.count ?? 0) <= Self.longest
    }

    /// The most bytes of each of its texts.
    public static let longest = 500

    func write(to writer: inout WireWriter) {
        writer.put(name)
        writer.put(language)
        writer.put(about)
    }

    init(from reader: inout WireReader) throws(WireError) {
        name = try reader.string()
        language = try reader.string()
        // Unlike a name, it need not be said back to the engine as it was.
        about = try reader.optionalString()?.harmless
        guard isPlausible else { throw WireError("an invalid voice") }
    }
}
