// SPDX-License-Identifier: Apache-2.0

/// The operations on the clips of the library.
public struct ClipAction: Sendable, Hashable, Codable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case add, list, show, play, range, edit, export, `import`, delete, repair
    }

    /// The order of a list: by book and place, or the newest first.
    public enum Order: String, Sendable, Hashable, Codable {
        case book, made
    }

    /// The largest number of clips in one list or one import, because the size of a message is limited.
    public static let mostClips = 200
    /// The largest size of a note in bytes.
    public static let longestNote = 16_384
    /// The largest number of tags, and the largest size of one in bytes.
    public static let mostTags = 32
    public static let longestTag = 128
    /// The largest number of words to search for.
    public static let mostWords = 64
    /// The formats of an export of sound.
    public static let soundFormats = ["m4a", "mp3", "opus", "flac", "wav", "mp4"]
    /// The formats of an export of the words of a text.
    public static let textFormats = ["txt", "md"]
    /// The formats of an export.
    public static let formats = soundFormats + textFormats
    /// The most bytes of a quote.
    public static let longestQuote = 1 << 16

    static let method = "clips"

    public var action: Verb
    /// The IDs, or their unique beginnings, for `show`, `play`, `edit`, `export` and `delete`.
    public var ids: [String] = []
    /// The source for `add`, without which it is what the owner plays; one recording, for `list`.
    public var items: [String] = []
    /// The owner whose item is meant, for `add`; the one that plays, for `play` and `range`.
    public var owner: String?
    /// The start as ``TimeExpression``, for `add`, `range` and `edit`; a relative one
    /// moves it, for `edit`, and counts from the current place, for `add`.
    public var start: String?
    /// The end as ``TimeExpression``; a relative one moves it, for `edit`, and counts for `add` from the current place
    /// if the start does, otherwise from the start.
    public var end: String?
    public var note: String?
    public var tags: [String]?
    /// The words that must occur, for `list`.
    public var words: [String]?
    /// The earliest time of making in milliseconds since 1970, for `list`.
    public var since: Int64?
    /// The time of making that is too late, for `list`.
    public var before: Int64?
    public var order: Order?
    public var offset: Int?
    public var limit: Int?
    /// One of ``formats``, for `export`; without it, the clip's own encoding.
    public var format: String?
    /// The absolute path of a folder, or of a file for a single clip, for `export`.
    public var path: String?
    /// `true` to replace files, for `export`.
    public var force: Bool?
    /// The clips to bring in, for `import`.
    public var clips: [ClipInfo]?
    /// `true` to repeat the clip, for `play` and `range`.
    public var loop: Bool?
    public var rate: Double?
    public var volume: Double?
    public var output: String?
    /// `true` if the player stays attached, for `play`.
    public var attach: Bool?

    public init(_ action: Verb, ids: [String] = [], items: [String] = []) {
        self.action = action
        self.ids = ids
        self.items = items
    }

    /// Decodes an action, any parameter of which may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        action = try members.decodeIfPresent(Verb.self, forKey: .action) ?? .list
        ids = try members.decodeIfPresent([String].self, forKey: .ids) ?? []
        items = try members.decodeIfPresent([String].self, forKey: .items) ?? []
        owner = try members.decodeIfPresent(String.self, forKey: .owner)
        start = try members.decodeIfPresent(String.self, forKey: .start)
        end = try members.decodeIfPresent(String.self, forKey: .end)
        note = try members.decodeIfPresent(String.self, forKey: .note)
        tags = try members.decodeIfPresent([String].self, forKey: .tags)
        words = try members.decodeIfPresent([String].self, forKey: .words)
        since = try members.decodeIfPresent(Int64.self, forKey: .since)
        before = try members.decodeIfPresent(Int64.self, forKey: .before)
        order = try members.decodeIfPresent(Order.self, forKey: .order)
        offset = try members.decodeIfPresent(Int.self, forKey: .offset)
        limit = try members.decodeIfPresent(Int.self, forKey: .limit)
        format = try members.decodeIfPresent(String.self, forKey: .format)
        path = try members.decodeIfPresent(String.self, forKey: .path)
        force = try members.decodeIfPresent(Bool.self, forKey: .force)
        clips = try members.decodeIfPresent([ClipInfo].self, forKey: .clips)
        loop = try members.decodeIfPresent(Bool.self, forKey: .loop)
        rate = try members.decodeIfPresent(Double.self, forKey: .rate)
        volume = try members.decodeIfPresent(Double.self, forKey: .volume)
        output = try members.decodeIfPresent(String.self, forKey: .output)
        attach = try members.decodeIfPresent(Bool.self, forKey: .attach)
    }

    /// Takes over how a clip is to be played.
    public mutating func take(_ play: PlayParameters) {
        (owner, loop, attach) = (play.owner, play.loop, play.attach)
        (rate, volume, output) = (play.rate, play.volume, play.output)
    }

    /// The way in which a clip is to be played.
    public var play: PlayParameters {
        var play = PlayParameters()
        (play.owner, play.loop, play.attach) = (owner, loop, attach)
        (play.rate, play.volume, play.output) = (rate, volume, output)
        return play
    }

    /// Returns the format of an exported file: the one that was asked for, or that the name of the file says.
    public static func format(_ format: String?, ofFile path: String) throws(SessionError) -> String {
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.dropFirst().lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        guard formats.contains(suffix) else {
            if let format { return format }
            throw SessionError(
                .usage,
                "clip export: \(name) says no format; end the name in .\(formats.joined(separator: ", .")), or give --format"
            )
        }
        guard format == nil || format == suffix else {
            throw SessionError(
                .usage,
                "clip export: \(name) is no name for \(format ?? ""); end it in .\(format ?? ""), or leave --format out (formats: \(formats.joined(separator: ", ")))"
            )
        }
        return suffix
    }

    func validate() throws(SessionError) {
        let isOfOne = [.show, .play, .edit].contains(action)
        guard !isOfOne || ids.count == 1 else { throw usage("give the id of one clip; see `rostrum clip list`") }
        guard ids.count <= Self.mostClips else { throw usage("more than \(Self.mostClips) clips; name fewer at once") }
        for id in ids where id.isEmpty || id.utf8.count > 128 { throw usage("bad id; see `rostrum clip list`") }
        guard note?.utf8.count ?? 0 <= Self.longestNote else {
            throw usage("the note is longer than \(Self.longestNote) bytes; shorten it")
        }
        guard note?.utf8.contains(0) != true else { throw usage("the note contains a zero byte; leave it out") }
        guard words?.count ?? 0 <= Self.mostWords else { throw usage("more than \(Self.mostWords) words; give fewer") }
        try Self.check(tags: tags ?? [])
        if let owner { try Limits.check(owner: owner) }
        switch action {
        case .add:
            if start == nil && end != nil { throw usage("an end without a start; give --start as well") }
            for time in [start, end].compactMap(\.self) { _ = try TimeExpression(time, relativeAllowed: true) }
        case .edit:
            for time in [start, end].compactMap(\.self) { _ = try TimeExpression(time, relativeAllowed: true) }
            if start == nil && end == nil && note == nil && tags == nil {
                throw usage("say what to change; see --help")
            }
        case .show: break
        case .play:
            guard owner != "main" else {
                throw usage("bad owner: main plays books; leave --owner out, or give the clip one")
            }
            try play.validate()
        case .range:
            guard owner != nil, let start, let end else { throw usage("owner, start and end are needed") }
            for time in [start, end] { _ = try TimeExpression(time) }
        case .delete:
            guard !ids.isEmpty else { throw usage("give the ids of the clips; see `rostrum clip list`") }
        case .export:
            guard !ids.isEmpty else { throw usage("give the ids of the clips; see `rostrum clip list`") }
            guard path?.hasPrefix("/") == true else { throw usage("give an absolute path") }
            if let format, !Self.formats.contains(format) {
                throw usage("no format \(format); choose one of \(Self.formats.joined(separator: ", "))")
            }
        case .list:
            guard (1...Self.mostClips).contains(limit ?? 1), offset ?? 0 >= 0 else {
                throw usage("give a limit of 1 to \(Self.mostClips) and an offset from 0")
            }
        case .import:
            guard let clips, (1...Self.mostClips).contains(clips.count) else {
                throw usage("give 1 to \(Self.mostClips) clips at once")
            }
            for clip in clips { try clip.validate() }
        case .repair: break
        }
    }

    static func check(tags: [String]) throws(SessionError) {
        let areFew = tags.count <= mostTags
        let areShort = tags.allSatisfy {
            !$0.isEmpty && $0.utf8.count <= longestTag
                && !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
        }
        guard areFew, areShort else {
            throw SessionError(
                .usage, "clip: bad tags; give at most \(mostTags), each of one line and at most \(longestTag) bytes")
        }
    }

    private func usage(_ message: String) -> SessionError {
        SessionError(.usage, "clip \(action.rawValue): \(message)")
    }
}
