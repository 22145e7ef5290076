// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// The engine that is checked, as its manifest describes it.
public struct EngineDescription: Sendable, Hashable {
    public var id: String
    /// The path of the module.
    public var module: String
    /// The kinds of content: `audio`, `text`.
    public var kinds: [String]
    /// The file name extensions, in lower case.
    public var extensions: [String]
    /// The file to check the engine with, in place of the kit's own content.
    public var content: String?

    public init(id: String, module: String, kinds: [String], extensions: [String], content: String?) {
        self.id = id
        self.module = module
        self.kinds = kinds
        self.extensions = extensions
        self.content = content
    }

    /// The arguments that `init(arguments:)` parses.
    var arguments: [String] {
        [id, module, kinds.joined(separator: ","), extensions.joined(separator: ",")] + (content.map { [$0] } ?? [])
    }

    /// Parses a description, or returns `nil` if the arguments are invalid.
    init?(arguments: ArraySlice<String>) {
        let words = Array(arguments)
        guard (4...5).contains(words.count) else { return nil }
        self.init(
            id: words[0], module: words[1], kinds: words[2].split(separator: ",").map(String.init),
            extensions: words[3].split(separator: ",").map(String.init), content: words.count == 5 ? words[4] : nil)
    }

    func plays(_ kind: UInt32) -> Bool { kinds.contains(kind == ROSTRUM_KIND_AUDIO ? "audio" : "text") }
}
