// SPDX-License-Identifier: Apache-2.0

import AudioSession
import EngineBridge
import EngineCatalog
import Foundation
import ItemResolver
import LibraryStore
import MediaPlayback
import PlaybackCore
import PulseOutput
import SoftwareOutputs
import TransitionLog

/// The outputs of this program by name: the sound server, and one without a device that keeps time.
struct Outputs: OutputProvider {
    func outputs(named name: String) -> [any AudioOutput] { name == "null" ? [NullOutput()] : [PulseOutput()] }
}

/// Plays a file to its end, and prints state and position each second: `EmbeddedPlayer FILE [OUTPUT]`.
///
/// Engines and their runner are those of the Rostrum under `ROSTRUM_PREFIX`. Places are saved, so that the next start
/// resumes where this one was heard last.
@main struct EmbeddedPlayer {
    static func main() async throws {
        let arguments = CommandLine.arguments, environment = ProcessInfo.processInfo.environment
        guard arguments.count > 1 else { return print("usage: EmbeddedPlayer FILE [OUTPUT]") }
        let prefix = environment["ROSTRUM_PREFIX"] ?? "/usr/local"
        let folder = (environment["HOME"] ?? ".") + "/.embedded-player"

        // The ports: engines in processes of their own, places in a library, every decision in a log.
        let engines = InstalledEngines(
            EngineCatalog(SearchPath(environment: environment, program: prefix + "/bin/rostrum")),
            runner: prefix + "/bin/rostrum-engine-runner", reactor: try EngineReactor())
        let library = LibraryStore(path: folder + "/library.sqlite")
        let mirror = StateMirror()
        let log = TransitionLog(path: folder + "/transitions.jsonl") { mirror.snapshot }
        let player = MediaPlaybackController(
            engines: engines, outputs: Outputs(), store: library, resolver: ItemResolver(), log: log,
            mirror: mirror, outputName: arguments.count > 2 ? arguments[2] : "auto", history: library,
            places: library.journal)

        let item = ItemRequest(
            items: [URL(fileURLWithPath: arguments[1]).path],
            extensions: KnownExtensions(of: await engines.installed()))
        let changes = await player.observe()
        let seconds = Task {
            while !Task.isCancelled {
                show(await player.snapshot())
                try await Task.sleep(for: .seconds(1))
            }
        }
        var code: Int32 = 0
        do throws(PlaybackError) {
            try await player.play(PlayRequest(item: item))  // Returns when the first sound is heard.
            for await case .finished(_, let error, _) in changes {
                if let error { throw error }
                break
            }
            show(await player.snapshot())
        } catch {
            FileHandle.standardError.write(Data("EmbeddedPlayer: \(error.message)\n".utf8))
            code = 1
        }
        seconds.cancel()
        await player.shutDown()
        exit(code)
    }

    /// Prints one line, such as `playing at 12.3 of 1790.0 s: The Lamp`.
    static func show(_ now: PlaybackSnapshot) {
        guard let media = now.media, let position = now.position else { return }
        let place = media.timeline.seconds(of: position) ?? .nan, length = media.timeline.duration ?? .nan
        print("\(now.state.status) at \(String(format: "%.1f of %.1f s", place, length)): \(media.title)")
    }
}
