// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioSession
import ControlSocket
import EngineBridge
import EngineCatalog
import EngineTransport
import Glibc
import ItemResolver
import LibraryStore
import MediaPlayback
import SessionProtocol
import SettingsFile
import TrackIndexes
import TransitionLog

@main
enum Main {
    static func main() {
        TerminationSignals.ofProgram.block()
        OpenFiles.raiseLimit()
        Task.detached {
            await Rostrumd.main()
            exit(0)
        }
        TerminationSignals.ofProgram.read()
    }
}

/// The session: the one place that knows every part and puts them together.
struct Rostrumd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrumd",
        abstract: "The listening session. Started when a command needs it, or as a service.",
        version: "rostrumd \(RostrumVersion.current)",
        subcommands: [CheckEngineCommand.self])

    @Option(help: "Where to play: auto, pulse[:SINK], alsa[:PCM] or null.")
    var output = "auto"

    @Flag(help: .hidden)
    var autostart = false

    @Option(name: .customLong("ready-fd"), help: .hidden)
    var readyDescriptor: Int32?

    func run() async throws {
        do throws(SessionError) {
            try await serve()
        } catch {
            let line = Array("rostrumd: \(error.message)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            throw ExitCode(error.code.rawValue)
        }
    }

    private static func engines(
        _ catalog: EngineCatalog, _ folders: UserFolders
    ) throws(SessionError) -> InstalledEngines {
        let indexes = TrackIndexes(folder: folders.cache + "/indexes")
        let reactor: EngineReactor
        do throws(SystemError) {
            reactor = try EngineReactor()
        } catch {
            throw SessionError(.defect, "cannot wait for engines: \(error)")
        }
        // Counts from the next address that is opened, so it is read then.
        let settings = folders.config + "/settings.json"
        let trust = { @Sendable in SettingsFile.read(settings).0.trust }
        // An author's own, which runs ours in a debugger: who looks at an engine has all the time.
        if let runner = getenv("ROSTRUM_ENGINE_RUNNER").map({ String(cString: $0) }), !runner.isEmpty {
            guard runner.hasPrefix("/") else {
                throw SessionError(.usage, "ROSTRUM_ENGINE_RUNNER is not the whole path of a program: \(runner)")
            }
            return InstalledEngines(
                catalog, runner: runner, reactor: reactor, deadlines: .patient, indexes: indexes, trust: trust)
        }
        return InstalledEngines(
            catalog, runner: Program.beside("rostrum-engine-runner"), reactor: reactor, indexes: indexes,
            trust: trust)
    }

    /// After which nothing is waited for any more: who asked for the end has 2 s.
    private static let endLimit = Duration.milliseconds(1500)

    private func serve() async throws(SessionError) {
        let folders = try UserFolders.current()
        let socket = try ListeningSocket.open(in: folders)
        // Who waits for the lock has nothing to end in order: until here a signal does what it does to any program.
        let signals = TerminationSignals.ofProgram
        signals.take()
        if let readyDescriptor {
            // Whoever started this waits for one byte; an end without one means that it failed.
            _ = write(readyDescriptor, [1], 1)
            close(readyDescriptor)
        }

        let mirror = StateMirror()
        let log = TransitionLog(path: folders.transitionLog) { mirror.snapshot }
        var news = SettingsNews(folders.config + "/settings.json", log: log)
        let settings = news.take() ?? SettingsFile.Settings()
        // Without it nothing can be decided about engines, which says so when it is tried.
        try? PrivateFolder.create(folders.config)
        let registry = EngineRegistry(path: folders.config + "/engines.json")
        let complaint = registry.repair()
        let catalog = EngineCatalog(SearchPath.current(), registry: registry)
        let engines = try Self.engines(catalog, folders)
        // Whoever started the session may want to unmount where it did so.
        _ = chdir("/")
        let (faults, fault) = AsyncStream.makeStream(of: PlaceStoreError.self, bufferingPolicy: .bufferingNewest(1))
        let library = LibraryStore(path: folders.data + "/library.sqlite", log: folders.transitionLog) {
            fault.yield($0)
        }
        let controller = MediaPlaybackController(
            engines: engines, outputs: DeviceOutputs(), store: library, resolver: ItemResolver(), recorder: log,
            mirror: mirror, outputName: output, settings: settings.playback, history: library, books: library,
            scanner: BookScanner(), places: library.journal)
        if let complaint { log.complain(complaint) }
        let service = PlaybackService(
            controller: controller, engines: EngineAdministration(catalog, registry: registry),
            library: LibraryAdministration(
                books: library, covers: library, scanner: BookScanner(), controller: controller), log: log,
            logPath: folders.transitionLog, endsByItself: autostart,
            idle: settings.sessionIdle, settings: news)
        await service.watch()
        let server = try ControlServer(socket, service: service)

        let listening = Task { for await fault in faults { await controller.note(saveFault: fault) } }
        defer { listening.cancel() }
        let launch = Task { [autostart] in await controller.launch(forCommand: autostart) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signals.first() }
            group.addTask { await service.ended() }
            group.addTask { await server.isOver() }
            await group.next()
            group.cancelAll()
        }
        launch.cancel()
        // A part that hangs must not keep the session from ending, nor what was decided from the disk.
        let watchdog = Task {
            try await Task.sleep(for: Self.endLimit)
            Task {
                try await Task.sleep(for: .milliseconds(250))
                _exit(0)
            }
            await controller.settle()
            await log.flush()
            _exit(0)
        }
        async let closed: Void = server.stop()
        async let rendered: Void = service.end()
        await controller.shutDown()
        await engines.endSpares()
        await rendered
        await closed
        await log.flush()
        watchdog.cancel()
    }
}
