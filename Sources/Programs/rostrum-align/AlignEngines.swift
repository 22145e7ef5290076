// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import DocumentBridge
import DocumentOrders
import EngineBridge
import EngineCatalog
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SettingsFile

/// The programs beside this one: engines, which run at the lowest priority, and the reader of documents.
struct AlignEngines {
    private let engines: InstalledEngines
    let documents: DocumentReader

    init() throws(AlignmentFailure) {
        let folders: UserFolders
        do throws(SessionError) { folders = try UserFolders.current() } catch {
            throw AlignmentFailure(.unavailable, error.message)
        }
        let reactor: EngineReactor
        do throws(SystemError) { reactor = try EngineReactor() } catch {
            throw AlignmentFailure(.system, "cannot wait for engines: \(error)")
        }
        // The processes run when nobody else wants to, so that they may be slow.
        var deadlines = EngineDeadlines()
        (deadlines.load, deadlines.seek, deadlines.render) = (.seconds(120), .seconds(120), .seconds(120))
        let registry = EngineRegistry(path: folders.config + "/engines.json")
        engines = InstalledEngines(
            EngineCatalog(SearchPath.current(), registry: registry), runner: Self.beside("rostrum-engine-runner"),
            reactor: reactor, deadlines: deadlines)
        let settings = folders.config + "/settings.json"
        documents = DocumentReader(
            program: Self.beside("rostrum-document-reader"), folder: folders.cache + "/documents",
            dictionary: folders.config + "/pronunciations.txt", deadline: deadlines.load
        ) { name in
            let reading = SettingsFile(settings).read().settings.reading
            return DocumentOrder(name: name, skipped: reading.skipped, saysEmoji: reading.saysEmoji)
        }
    }

    /// Starts a process of an engine, at the lowest priority of processor and disk.
    func start(_ name: String) async throws(EngineError) -> any PlaybackEngine {
        guard let engine = try await engines.startPeakSource(EngineID(name)) as? any PlaybackEngine
        else { throw EngineError(.unavailable, message: "no engine '\(name)' is installed: see rostrum engines") }
        return engine
    }

    private static func beside(_ name: String) -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return name }
        defer { free(path) }
        let own = String(cString: path)
        return own.lastIndex(of: "/").map { own[...$0] + name } ?? name
    }
}
