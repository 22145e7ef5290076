// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// A namespace for the choice among the installed engines, by what their manifests promise.
enum EngineChoice {
    /// Returns the engine for an item: the one that is wanted, or the best one.
    ///
    /// Throws `unavailable` if there is none or it is not available, `notPermitted` if it is refused, and `badContent` if the
    /// wanted one does not play this kind.
    static func engine(
        _ wanted: EngineID?, for content: Content, among installed: [InstalledEngine]
    ) throws(PlaybackError) -> EngineID {
        let able = installed.filter { $0.state == .available && $0.kinds.contains(content.kind) }
        if let wanted {
            guard let engine = installed.first(where: { $0.id == wanted && $0.state == .available }) else {
                throw unavailable(wanted, among: installed)
            }
            guard engine.kinds.contains(content.kind) else {
                throw unable(wanted, content.kind, content.title)
            }
            return wanted
        }
        let name = content.tracks.first.map(fileExtension) ?? ""
        guard let best = best(of: able, for: name) else {
            // A matching engine may only be disabled or quarantined, which the user can change.
            let aside = installed.filter {
                [.disabled, .quarantined].contains($0.state) && $0.kinds.contains(content.kind)
                    && $0.opensByContent
            }
            if let engine = aside.first(where: { $0.extensions.contains(name) }) ?? aside.first {
                throw unavailable(engine.id, among: installed)
            }
            throw PlaybackError(
                .unavailable,
                message: "no engine for \(content.kind.rawValue) is installed; see rostrum engines")
        }
        return best.id
    }

    /// Returns the best engine according to the manifests; one that promises nothing (tones) is never a guess.
    static func best(of able: [InstalledEngine], for name: String) -> InstalledEngine? {
        able.first { $0.extensions.contains(name) } ?? able.first { $0.opensByContent }
    }

    static func fileExtension(_ source: TrackSource) -> String {
        let path: String =
            switch source {
            case .file(let path): path
            case .descriptor(_, let name): name
            case .url(let url, _): String(url.prefix { $0 != "?" && $0 != "#" })
            case .served(let track): track.fileName
            }
        guard let dot = path.lastIndex(of: "."), path.lastIndex(of: "/").map({ $0 < dot }) ?? true else { return "" }
        return path[path.index(after: dot)...].lowercased()
    }

    static func unable(_ engine: EngineID, _ kind: ContentKind, _ title: String) -> PlaybackError {
        PlaybackError(
            .badContent, message: "engine “\(engine)” does not play \(kind.rawValue); “\(title)” is that")
    }

    static func unavailable(_ id: EngineID, among installed: [InstalledEngine]) -> PlaybackError {
        if let engine = installed.first(where: { $0.id == id }) {
            return PlaybackError(
                engine.state == .refused ? .notPermitted : .unavailable,
                message: "engine “\(id)” is \(engine.state.rawValue): \(engine.reason ?? "see rostrum engines")")
        }
        return PlaybackError(.unavailable, message: "there is no engine “\(id)”; see rostrum engines")
    }
}
