// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2
internal import ReadingText

/// An element of XML, by the names that a feed's vocabulary has for it.
struct FeedElement {
    /// The local name in lower case, behind the usual prefix of its namespace if it has one; `?` in front of a foreign one.
    var name: String
    /// The values of attributes by their local names in lower case.
    var attributes: [String: String]

    subscript(attribute: String) -> String? { attributes[attribute] }
}

/// Receives the elements of a document, in order.
protocol FeedEventTaking: AnyObject {
    /// Takes the beginning of an element; returns whether its text is wanted, with that of the elements in it.
    func begin(_ element: FeedElement) -> Bool
    /// Takes the end of the element that began last, with its text if that is wanted.
    func end(_ text: [UInt8]?)
    /// `true` if nothing more is wanted.
    var isOver: Bool { get }
}

/// Reads XML without a tree, whose memory would grow with the document.
enum FeedEvents {
    /// The most bytes of the text of one element.
    private static let longestText = 256 << 10
    private static let longestAttribute = 8192

    /// Gives the elements of a file to a taker; a faulty file is read as far as it makes sense.
    ///
    /// - Returns: whether the file is sound.
    static func read(
        _ file: [UInt8], charset: String?, limits: ReadingLimits, to taker: any FeedEventTaking
    ) throws(DocumentError) -> Bool {
        guard file.count <= limits.fileSize else {
            throw DocumentError(.tooLarge, "it has more than the \(limits.fileSize >> 20) MiB that are read")
        }
        let decoded = try MarkupSource(file, charset: charset, limits: limits)
        let source = try MarkupPreparation.prepare(decoded, as: .xml, limits: limits)
        let reading = Reading(taker, limits)
        var events = cxml_events()
        events.start = { context, name, prefix, namespace, attributes, count, _ in
            guard let context, let name else { return false }
            return Reading.at(context).start(name, prefix, namespace, attributes, Int(count))
        }
        events.end = { context, _ in context.map { Reading.at($0).end() } ?? false }
        events.text = { context, bytes, count in
            guard let context, let bytes else { return false }
            return Reading.at(context).text(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        let context = Unmanaged.passUnretained(reading).toOpaque()
        let result = source.bytes.withUnsafeBytes { bytes in
            cxml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &events, context)
        }
        if reading.isInterrupted { throw DocumentError(.interrupted, "the reading of the feed was interrupted") }
        if result == CXML_NO_MEMORY { throw DocumentError(.tooLarge, "the XML is too large to be read") }
        reading.finish()
        return result == CXML_SOUND || taker.isOver
    }

    private final class Reading {
        let taker: any FeedEventTaking
        let limits: ReadingLimits
        var isInterrupted = false
        private var steps = 0
        private var depth = 0
        /// The elements whose text is wanted: their depths, and where their text begins in `characters`.
        private var wanted: [(depth: Int, start: Int)] = []
        private var characters: [UInt8] = []

        init(_ taker: any FeedEventTaking, _ limits: ReadingLimits) {
            self.taker = taker
            self.limits = limits
        }

        static func at(_ context: UnsafeMutableRawPointer) -> Reading {
            Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
        }

        func start(
            _ name: UnsafePointer<CChar>, _ prefix: UnsafePointer<CChar>?, _ namespace: UnsafePointer<CChar>?,
            _ fields: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
        ) -> Bool {
            depth += 1
            var attributes: [String: String] = [:]
            for index in 0..<(fields == nil ? 0 : min(count, 50)) {
                guard let fields, let name = fields[index * 5], let first = fields[index * 5 + 3],
                    let last = fields[index * 5 + 4], (0...longestAttribute).contains(last - first)
                else { continue }
                let value = UnsafeRawBufferPointer(start: first, count: last - first)
                let key = String(cString: name).lowercased()
                if attributes[key] == nil { attributes[key] = String(decoding: value, as: UTF8.self) }
            }
            let space = FeedNamespace.prefix(
                namespace.map { String(cString: $0) }, prefix.map { String(cString: $0) })
            let element = FeedElement(name: space + String(cString: name).lowercased(), attributes: attributes)
            if taker.begin(element) { wanted.append((depth, characters.count)) }
            return goesOn()
        }

        func end() -> Bool {
            if let last = wanted.last, last.depth == depth {
                wanted.removeLast()
                taker.end(Array(characters[last.start...]))
                if wanted.isEmpty { characters.removeAll(keepingCapacity: true) }
            } else {
                taker.end(nil)
            }
            depth -= 1
            return goesOn()
        }

        func text(_ piece: UnsafeRawBufferPointer) -> Bool {
            if !wanted.isEmpty, characters.count < longestText { characters += piece }
            return goesOn()
        }

        /// Ends the elements that a file which breaks off leaves open.
        func finish() {
            while depth > 0, !taker.isOver { _ = end() }
        }

        private func goesOn() -> Bool {
            steps += 1
            if steps & 0xFFF == 0, limits.isInterrupted() { isInterrupted = true }
            return !isInterrupted && !taker.isOver
        }
    }
}

/// The namespaces of feeds.
enum FeedNamespace {
    private static let known: [String: String] = [
        "http://www.w3.org/2005/atom": "atom:", "http://purl.org/atom/ns#": "atom:",
        "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
        "https://podcastindex.org/namespace/1.0": "podcast:",
        "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast:",
        "http://podlove.org/simple-chapters": "psc:",
        "http://purl.org/rss/1.0/modules/content/": "content:",
        "http://purl.org/dc/elements/1.1/": "dc:",
        "http://search.yahoo.com/mrss/": "media:", "http://search.yahoo.com/mrss": "media:",
        "http://purl.org/rss/1.0/": "", "http://backend.userland.com/rss2": "",
        "http://my.netscape.com/rdf/simple/0.9/": "",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    ]
    private static let prefixes: Set<String> = [
        "atom", "itunes", "podcast", "psc", "content", "dc", "media", "rdf",
    ]

    /// Returns the usual prefix of a namespace, with its colon.
    ///
    /// A feed that does not declare its prefix means the usual one.
    static func prefix(_ namespace: String?, _ prefix: String?) -> String {
        if let namespace {
            let key = namespace.lowercased()
            if let found = known[key] { return found }
            // "https" in place of "http", and the other way round.
            let other: String = key.hasPrefix("https:") ? "http:" + key.dropFirst(6) : "https:" + key.dropFirst(5)
            if key.hasPrefix("http"), let found = known[other] { return found }
            if key.hasPrefix("http://podlove.org/simple-chapters") { return "psc:" }
            return prefix == nil ? "" : "?"
        }
        guard let prefix = prefix?.lowercased() else { return "" }
        return prefixes.contains(prefix) ? prefix + ":" : "?"
    }
}
