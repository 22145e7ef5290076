// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Content for an engine to play.
struct Material: Sendable {
    enum Source: Sendable {
        /// A file with these bytes.
        case bytes([UInt8])
        /// A pipe that delivers these bytes, and cannot be sought.
        case pipe([UInt8])
        case file(String)
        /// A pipe that stays open and never delivers.
        case silentPipe
        /// A track that the host does not have.
        case missing
        /// A source for which the host does not answer until it is interrupted.
        case waiting
    }

    var kind: UInt32
    /// The sources, one for each track.
    var sources: [Source]
    /// The file name that the host gives with each source.
    var fileName: String
    /// `true` if the kit made the material: ``Signal`` or ``Prose``.
    var isOurs = true

    var isAudio: Bool { kind == ROSTRUM_KIND_AUDIO }
    var name: String { isOurs ? (isAudio ? "the kit's WAV" : "the kit's text") : fileName }

    static var signal: Material {
        Material(
            kind: ROSTRUM_KIND_AUDIO,
            sources: Signal.lengths.indices.map { .bytes(Signal.wav(track: $0)) }, fileName: "signal.wav")
    }
    static var prose: Material {
        Material(kind: ROSTRUM_KIND_TEXT, sources: [.bytes(Prose.bytes)], fileName: "prose.txt")
    }

    /// Returns material for each kind of content that the engine plays, or nothing if it plays nothing that the kit
    /// makes.
    static func all(for engine: EngineDescription) -> [Material] {
        if let path = engine.content { return [content(path, for: engine)] }
        // An engine that lists no extensions plays anything, or makes a sound of its own.
        func lists(_ names: [String]) -> Bool {
            engine.extensions.isEmpty || !Set(engine.extensions).isDisjoint(with: names)
        }
        var materials: [Material] = []
        if engine.plays(ROSTRUM_KIND_AUDIO), lists(["wav", "wave"]) { materials.append(signal) }
        if engine.plays(ROSTRUM_KIND_TEXT), lists(["txt", "text", "md", "markdown"]) { materials.append(prose) }
        return materials
    }

    private static func content(_ path: String, for engine: EngineDescription) -> Material {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let looksLikeText = ["txt", "text", "md", "markdown", "html", "xhtml", "epub", "rst", "tex"].contains(suffix)
        let isText = engine.plays(ROSTRUM_KIND_TEXT) && (looksLikeText || !engine.plays(ROSTRUM_KIND_AUDIO))
        return Material(
            kind: isText ? ROSTRUM_KIND_TEXT : ROSTRUM_KIND_AUDIO,
            sources: isText ? [.file(path)] : [.file(path), .file(path)], fileName: name, isOurs: false)
    }

    /// Returns the same material with every source replaced.
    func with(_ source: Source) -> Material {
        var other = self
        other.sources = sources.map { _ in source }
        return other
    }
}
