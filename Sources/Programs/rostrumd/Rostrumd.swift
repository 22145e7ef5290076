// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioSession
import ControlSocket
import DocumentBridge
import EngineBridge
import EngineCatalog
import EngineConfinement
import EngineTransport
import Glibc
import ItemResolver
import LibraryStore
import MediaPlayback
import PairedWorks
import PlaybackCore
import ReadingList
import SessionProtocol
import SettingsFile
import TrackIndexes
import TransitionLog

@main
enum Main {
    static func main() {
        TerminationSignals.ofProgram.block()
        OpenFiles.raiseLimit()
        // Engines that speak with voices of the listener find them by this variable, which is set before there are threads.
        if let folders = try? UserFolders.current() {
            setenv(Confinement.voicesVariable, folders.data + "/voices", 0)
        }
        Task.detached {
            await Rostrumd.main()
            exit(0)
        }
        TerminationSignals.ofProgram.read()
    }
}

/// The session: this type knows every part and connects them.
struct Rostrumd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrumd",
        abstract: "Run the listening session. `rostrum` starts it when needed; it can also be a service.",
        version: "rostrumd \(RostrumVersion.current)",
        subcommands: [
            CheckEngineCommand.self, ExaminationCommand.self, ListVoicesCommand.self, ReadTextCommand.self,
        ])

    @Option(help: "The output: auto, pulse[:SINK], alsa[:PCM] or null.")
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
        // The file is read for each address that is opened, so that a change applies to the next one.
        let settings = folders.config + "/settings.json"
        let trust = { @Sendable in SettingsFile(settings).read().settings.trust }
        // The author of an engine may run it in a debugger through a runner of their own, so the deadlines are long.
        if let runner = getenv("ROSTRUM_ENGINE_RUNNER").map({ String(cString: $0) }), !runner.isEmpty {
            guard runner.hasPrefix("/") else {
                throw SessionError(.usage, "ROSTRUM_ENGINE_RUNNER is not an absolute path: \(runner)")
            }
            return InstalledEngines(
                catalog, runner: runner, reactor: reactor, deadlines: .patient, indexes: indexes, trust: trust)
        }
        return InstalledEngines(
            catalog, runner: ProgramFolder.beside("rostrum-engine-runner"), reactor: reactor, indexes: indexes,
            trust: trust)
    }

    /// Goes on with what played before a restart; returns when the command is taken up.
    private static func resume(_ controller: MediaPlaybackController, _ log: TransitionLog) async {
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        Task {
            await CommandTurn.$current.withValue(CommandTurn { turn.yield() }) {
                do throws(PlaybackError) {
                    try await controller.resume(owner: .main, origin: .restart)
                } catch {
                    log.complain("cannot go on with what played before the restart: \(error.message)")
                }
            }
            turn.finish()
        }
        for await _ in turns { return }
    }

    /// The time after which nothing is waited for any more; whatever requested the end allows 2 s.
    private static let endLimit = Duration.milliseconds(1500)

    private func serve() async throws(SessionError) {
        let folders = try UserFolders.current()
        let socket = try ListeningSocket.open(
            in: folders, adopting: SocketActivation.descriptor(at: folders.socket))
        // While waiting for the lock there is nothing to shut down in order; until here, signals have their default
        // effect.
        let signals = TerminationSignals.ofProgram
        signals.take()
        if let readyDescriptor {
            // The starting process waits for one byte; the end of the pipe without it means that the start failed.
            _ = write(readyDescriptor, [1], 1)
            close(readyDescriptor)
        }

        let mirror = StateMirror()
        let log = TransitionLog(path: folders.transitionLog) { mirror.snapshot }
        let news = SettingsNews(folders.config + "/settings.json", log: log)
        // A disk that takes longer does not keep the session from its start; the settings follow.
        let settings = await news.take(within: .seconds(2)) ?? Settings()
        // Without this folder, no decision about engines can be stored; an attempt to do so reports that.
        try? PrivateFolder.create(folders.config)
        let registry = EngineRegistry(path: folders.config + "/engines.json")
        let complaint = registry.repair()
        let catalog = EngineCatalog(SearchPath.current(), registry: registry)
        let engines = try Self.engines(catalog, folders)
        // The user may want to unmount the file system from which the session was started.
        _ = chdir("/")
        let (faults, fault) = AsyncStream.makeStream(of: PlaceStoreError.self, bufferingPolicy: .bufferingNewest(1))
        let library = LibraryStore(
            path: folders.data + "/library.sqlite", log: folders.transitionLog,
            recovered: { [log] in log.tell(recovered: $0) }, complain: { fault.yield($0) })
        let (documents, readingList) = (DocumentReader(folders), ReadingList(folders))
        let resolver = DocumentResolver(ItemResolver(), documents: documents, web: readingList)
        let alignments = AlignmentFolder(folder: folders.cache + "/alignments")
        let works = PairedWorks(
            pairs: library, books: library, texts: BookScanner(), resolver: resolver, alignments: alignments)
        let controller = MediaPlaybackController(
            engines: engines, outputs: DeviceOutputs(), store: library, resolver: resolver, log: log,
            mirror: mirror, outputName: output, settings: settings.playback, history: library, books: library,
            scanner: BookScanner(), places: library.journal, works: works)
        if let complaint { log.complain(complaint) }
        let clips = ClipAdministration(
            clips: library, books: library, files: ClipFolder(path: folders.data + "/clips"),
            controller: controller, settings: settings)
        let subscribers = Subscribers()
        let peaks = PeakService(
            controller: controller, provider: engines, folder: folders.cache + "/peaks",
            keys: TrackIndexes(folder: folders.cache + "/indexes")
        ) { [subscribers] in subscribers.tell($0) }
        let service = PlaybackService(
            controller: controller, engines: EngineAdministration(catalog, registry: registry),
            library: LibraryAdministration(
                books: library, covers: library, scanner: BookScanner(), controller: controller, works: works,
                alignments: alignments,
                watches: LibraryWatch(
                    settings: library, scanner: BookScanner(), delay: settings.watchDelay
                ) { [log] in log.complain($0) }),
            clips: clips, peaks: peaks,
            reading: ReadingAdministration(readingList, documents: documents, places: library),
            works: PresentWork(works) { await works.activity(of: $0) },
            subscribers: subscribers, log: log,
            logPath: folders.transitionLog, endsByItself: autostart,
            idle: settings.sessionIdle, settings: news)
        // A session that a command starts does what that says.
        let goesOn = RestartMark(folders).take() && !autostart
        // Before any client or remote can say otherwise.
        if goesOn { await Self.resume(controller, log) }
        let desktop = DesktopPresence(settings)
        let remotes = RemoteDisplay(service, books: library, settings: settings)
        await service.watch(remotes, desktop)
        let server = try ControlServer(socket, service: service)

        ServiceNotification.ready()
        let watchdogAnswers = Task { await ServiceNotification.answerWatchdog(for: controller) }
        defer { watchdogAnswers.cancel() }
        let listening = Task { for await fault in faults { await controller.note(saveFault: fault) } }
        defer { listening.cancel() }
        let launch = Task { [autostart] in
            await controller.launch(forCommand: autostart || goesOn)
            await service.makeLeftClipFiles()
            await service.library.beginWatching()
        }
        let isSignalled = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await signals.first()
                return true
            }
            group.addTask {
                await service.ended()
                return false
            }
            group.addTask {
                await server.isOver()
                return false
            }
            let isSignalled = await group.next() ?? false
            group.cancelAll()
            return isSignalled
        }
        ServiceNotification.stopping()
        if isSignalled, mirror.isPlaying(for: .main) { RestartMark(folders).set() }
        launch.cancel()
        // A part that hangs must not keep the session from ending, nor keep decisions from being written to disk.
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
        async let left: Void? = remotes?.stop()
        async let withdrawn: Void = desktop.stop()
        async let rendered: Void = service.end()
        await controller.shutDown()
        await engines.endSpares()
        await rendered
        await closed
        _ = await left
        await withdrawn
        await log.flush()
        watchdog.cancel()
    }
}
