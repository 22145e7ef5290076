// SPDX-License-Identifier: Apache-2.0

/// The feeds in an OPML file.
public struct SubscriptionList: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        /// The address of a feed.
        public var url: String
        public var title: String?

        public init(url: String, title: String? = nil) {
            self.url = url
            self.title = title
        }
    }

    /// The feeds in the order of the file, each once.
    public var entries: [Entry] = []
    /// One line for everything that was left out.
    public var warnings: [String] = []

    public init(entries: [Entry] = []) { self.entries = entries }

    /// The list as OPML 2.0.
    public var opml: String {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<opml version=\"2.0\">",
            "  <head><title>Podcasts</title></head>", "  <body>",
        ]
        for entry in entries {
            let title = Self.escaped(entry.title ?? entry.url)
            lines.append(
                "    <outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" xmlUrl=\"\(Self.escaped(entry.url))\"/>"
            )
        }
        return (lines + ["  </body>", "</opml>", ""]).joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default:
                // XML has no other control characters, and no character of the two at the end of the plane.
                if scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF {
                    escaped += " "
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }

    /// The list as a process that parses it hands it over.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        func add(_ key: String, _ value: String) {
            bytes += "\(key) ".utf8
            bytes += value.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
            bytes.append(0x0A)
        }
        for warning in warnings.prefix(FeedLimits.warnings) { add("warning", warning) }
        for entry in entries {
            add("url", entry.url)
            if let title = entry.title { add("title", title) }
        }
        return bytes
    }

    /// Returns `nil` for a message that no honest process sends.
    public init?(decoding bytes: [UInt8]) {
        guard bytes.count <= FeedLimits.message else { return nil }
        for line in bytes.split(separator: 0x0A) {
            let key = line.prefix { $0 != 0x20 }
            guard key.count < line.count else { return nil }
            let value = String(decoding: line.dropFirst(key.count + 1), as: UTF8.self)
            switch String(decoding: key, as: UTF8.self) {
            case "url":
                guard entries.count < FeedLimits.subscriptions, let url = FeedAddress.web(value) else { return nil }
                entries.append(Entry(url: url))
            case "title":
                guard !entries.isEmpty else { return nil }
                entries[entries.count - 1].title = value.line(to: FeedLimits.title)
            case "warning":
                guard warnings.count < FeedLimits.warnings else { return nil }
                warnings += [value.line(to: FeedLimits.title)].compactMap(\.self)
            default: return nil
            }
        }
    }
}
