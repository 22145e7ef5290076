// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// The engine that is checked, as its manifest describes it.
public struct EngineDescription: Sendable, Hashable {
    public var id: String
    /// Path of the module.
    public var module: String
    /// `audio`, `text`.
    public var kinds: [String]
    /// File name extensions, lower case.
    public var extensions: [String]
    /// A file to check it with, in place of what the kit makes.
    public var content: String?

    public init(id: String, module: String, kinds: [String], extensions: [String], content: String?) {
        self.id = id
        self.module = module
        self.kinds = kinds
        self.extensions = extensions
        self.content = content
    }

    /// What `init(arguments:)` understands.
    var arguments: [String] {
        [id, module, kinds.joined(separator: ","), extensions.joined(separator: ",")] + (content.map { [$0] } ?? [])
    }

    /// nil if they are none.
    init?(arguments: ArraySlice<String>) {
        let words = Array(arguments)
        guard (4...5).contains(words.count) else { return nil }
        self.init(
            id: words[0], module: words[1], kinds: words[2].split(separator: ",").map(String.init),
            extensions: words[3].split(separator: ",").map(String.init), content: words.count == 5 ? words[4] : nil)
    }

    func plays(_ kind: UInt32) -> Bool { kinds.contains(kind == ROSTRUM_KIND_AUDIO ? "audio" : "text") }
}
