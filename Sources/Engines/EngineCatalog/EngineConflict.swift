// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
public import PlaybackCore

/// A file name extension that several engines play.
public struct EngineConflict: Sendable, Hashable {
    public var fileExtension: String
    /// The engines, in the order in which they are asked.
    public var engines: [EngineID]
    /// The engine that is chosen by content: the first in the search path.
    public var winner: EngineID

    public init(fileExtension: String, engines: [EngineID], winner: EngineID) {
        self.fileExtension = fileExtension
        self.engines = engines
        self.winner = winner
    }

    /// Returns the conflicts that an engine is part of; engines that are not used do not count.
    public static func of(_ entry: EngineCatalog.Entry, among all: [EngineCatalog.Entry]) -> [EngineConflict] {
        entry.engine.extensions.compactMap { name in
            let able = all.filter { other in
                (other.engine.state == .available || other.engine.path == entry.engine.path)
                    && other.engine.extensions.contains(name)
                    && other.engine.kinds.contains(where: entry.engine.kinds.contains)
            }
            guard able.count > 1, let first = able.first(where: { $0.engine.state == .available }) else { return nil }
            return EngineConflict(fileExtension: name, engines: able.map(\.engine.id), winner: first.engine.id)
        }
    }
}
