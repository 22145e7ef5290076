// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The source of a track, opened by the session.
public enum TrackSource: Sendable, Hashable {
    /// A file by its path, which the session opens read-only when the engine asks for it.
    case file(path: String)
    /// A file that a client handed over; the content owns it, and it is duplicated for each use.
    case descriptor(SharedDescriptor, name: String)
    /// An http or https address, with header lines that are never logged.
    case url(String, headers: [String])
}

extension TrackSource {
    /// A readable name without folders and extension: see ``FileTitle``.
    public var title: String {
        let path: Substring =
            switch self {
            case .file(let path): path[...]
            case .descriptor(_, let name): name[...]
            case .url(let url, _): url.prefix { $0 != "?" && $0 != "#" }
            }
        return FileTitle.title(path.split(separator: "/").last ?? path)
    }
}

/// An entry of a cue sheet in one of the content's tracks.
public struct CueEntry: Sendable, Hashable {
    /// Index into the content's tracks.
    public var track: Int
    /// The start in CD frames of 1/75 s, from the beginning of that track.
    public var start: Int64
    public var title: String?
    /// `true` if the sheet was only found beside the file; then chapters of the file itself take precedence.
    public var isBeside: Bool
    /// The exact start in milliseconds, if a list states it.
    public var milliseconds: Int64?
    /// The kind of list from which it comes.
    public var source = "cue"

    /// Creates a chapter of a recording of one track, as a list on a server states it.
    public init(milliseconds: Int64, title: String?, source: String) {
        (track, start, isBeside) = (0, Int64((Double(milliseconds) * 75 / 1000).rounded()), false)
        self.title = title
        self.milliseconds = milliseconds
        self.source = source
    }

    public init(track: Int, start: Int64, title: String?, isBeside: Bool = false) {
        self.track = track
        self.start = start
        self.title = title
        self.isBeside = isBeside
    }
}

/// The content that an engine is to play.
public struct Content: Sendable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var tracks: [TrackSource]
    /// The title to show until the engine knows better.
    public var title: String
    public var language: String?
    /// The author, if a list of items states it.
    public var author: String?
    /// `true` if title and author come from a list of items, which knows them better than the files.
    public var isListed = false
    /// The chapters from cue sheets and other lists.
    public var cue: [CueEntry]
    /// The document that was made of a text, whose track is then the reading text.
    public var document: TextDocument?
    /// The only part to play, for an engine that supports clips.
    public var clip: ClipRange?

    public init(
        uri: String, kind: ContentKind, tracks: [TrackSource], title: String, language: String? = nil,
        cue: [CueEntry] = []
    ) {
        self.uri = uri
        self.kind = kind
        self.tracks = tracks
        self.title = title
        self.language = language
        self.cue = cue
    }
}

extension Content {
    /// `true` if some of the content comes from a server.
    public var isRemote: Bool { tracks.contains { if case .url = $0 { true } else { false } } }

    /// Returns where a track comes from, to be shown; `nil` if it came through a pipe.
    public func trackURI(_ index: Int) -> String? {
        guard tracks.indices.contains(index) else { return nil }
        if tracks.count == 1 { return uri }
        switch tracks[index] {
        case .file(let path): return path
        case .url(let url, _): return WebIdentity.shown(url)
        case .descriptor: return nil
        }
    }
}
