// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The item that a user asked to hear.
public struct ItemRequest: Sendable, Hashable {
    /// Absolute paths, or `file:`, http or https URLs.
    ///
    /// `descriptor:N` names the N-th file descriptor, counted from 0. Several items make one queue of tracks.
    public var items: [String]
    public var descriptors: [SharedDescriptor]
    /// The names of the file descriptors, shown to the user and used as a hint for the format.
    public var descriptorNames: [String]
    /// Header lines as `NAME:VALUE`, for http and https.
    public var headers: [String]
    /// The identity of the item, in place of the one derived from its address.
    public var identity: String?
    /// `true` if the items are taken as text, whatever they look like.
    public var asText: Bool
    /// The wishes of the listener for a text, which hold as long as it is not resolved again.
    public var wishes = ReadingWishes()
    public var extensions: KnownExtensions

    public init(
        items: [String], descriptors: [SharedDescriptor] = [], descriptorNames: [String] = [], headers: [String] = [],
        identity: String? = nil, asText: Bool = false, extensions: KnownExtensions
    ) {
        self.items = items
        self.descriptors = descriptors
        self.descriptorNames = descriptorNames
        self.headers = headers
        self.identity = identity
        self.asText = asText
        self.extensions = extensions
    }
}

/// The file name extensions with the kind of content they promise; lower case, without the dot.
public struct KnownExtensions: Sendable, Hashable {
    public var audio: Set<String>
    public var text: Set<String>

    public init(audio: Set<String>, text: Set<String> = Self.plainText) {
        self.audio = audio
        self.text = text.union(Self.plainText)
    }

    /// Collects what the manifests of the available engines promise.
    ///
    /// An engine of both kinds promises text only for `plainText`.
    public init(of engines: [InstalledEngine]) {
        var audio: Set<String> = []
        var text = Self.plainText
        for engine in engines where engine.state == .available {
            let names = Set(engine.extensions.map { $0.lowercased() })
            if engine.kinds.contains(.audio) {
                audio.formUnion(names)
            } else if engine.kinds.contains(.text) {
                text.formUnion(names)
            }
        }
        self.audio = audio.subtracting(Self.plainText)
        self.text = text.subtracting(self.audio)
    }

    public static let plainText: Set<String> = ["txt", "text", "md", "markdown", "htm", "html", "xhtml"]
}

/// One item, ready to be loaded.
public struct ResolvedItem: Sendable, Hashable {
    public var content: Content
    /// The items to resolve to open it again, without credentials; empty if it cannot be opened again (a pipe).
    public var items: [String]
    /// One line for everything that was left out, with the reason.
    public var notes: [String]

    public init(content: Content, items: [String], notes: [String]) {
        self.content = content
        self.items = items
        self.notes = notes
    }
}

/// The reason why an item cannot be played.
public struct ItemError: Error, Sendable, Hashable {
    public enum Reason: String, Sendable {
        /// There is no such file.
        case missing
        /// The file may not be read, or reading it failed.
        case unreadable
        /// A folder where a file is needed, a socket, or a device.
        case notAFile
        /// A folder, playlist or cue sheet with nothing to play in it.
        case empty
        /// Something that cannot be played: a bad URL, a broken playlist, text and audio mixed.
        case unsupported
        /// The file system did not answer in time.
        case timedOut
    }

    public var reason: Reason
    /// One line that says what failed, on what, and what to do.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

/// Finds out what an ITEM of the command line is, without loading it.
public protocol ItemResolving: Sendable {
    /// Resolves an item; reads folders, playlists, cue sheets, and at most the first 4 KiB of a file.
    ///
    /// Never blocks the caller's thread, and answers within a deadline even if the file system does not.
    func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem
}
