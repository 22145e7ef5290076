// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import BookTimeline
import Clocks
import ControlSocket
import EngineCatalog
import FileTestSupport
import Foundation
import ItemResolver
import LibraryStore
import PairedWorks
import ReadingList
import SessionProtocol
import SettingsFile
import TaskChains
import TrackIndexes
import TransitionLog
import WaitTestSupport

@testable import MediaPlayback
@testable import PlaybackCore

/// A session with everything but sound, engines and the desktop, in which a listener and guests do as a sequence says.
actor SessionRoom {
    /// One session on the room's library.
    struct Session: Sendable {
        let stage = RoomStage()
        let log = RoomLog()
        let clock = ManualClock()
        let engines: RoomEngines
        let store: LibraryStore
        let mortal: MortalLibrary
        let controller: MediaPlaybackController
        let service: PlaybackService

        /// Begins as `rostrumd` does.
        init(in folder: String) async {
            engines = RoomEngines(stage)
            store = LibraryStore(path: folder + "/data/library.sqlite", deadline: .seconds(60))
            mortal = MortalLibrary(store, ClipFolder(path: folder + "/data/clips"))
            let alignments = AlignmentFolder(folder: folder + "/alignments")
            let works = PairedWorks(
                pairs: store, books: store, texts: BookScanner(), resolver: ItemResolver(), alignments: alignments)
            controller = MediaPlaybackController(
                engines: engines, outputs: RoomOutputs(stage: stage), store: store, resolver: ItemResolver(), log: log,
                clock: clock, history: store, books: store, scanner: BookScanner(), places: store.journal, works: works,
                wallClock: { WallClock.milliseconds() })
            let events = TransitionLog(path: folder + "/transitions.jsonl") { StateMirror().snapshot }
            let registry = EngineRegistry(path: folder + "/engines.json")
            let subscribers = Subscribers()
            service = PlaybackService(
                controller: controller,
                engines: EngineAdministration(
                    EngineCatalog(SearchPath(folders: []), registry: registry), registry: registry),
                library: LibraryAdministration(
                    books: store, covers: store, scanner: BookScanner(), controller: controller, works: works,
                    alignments: alignments,
                    watches: LibraryWatch(settings: store, scanner: BookScanner(), delay: .seconds(5)) { _ in }),
                clips: ClipAdministration(
                    clips: mortal, books: store, files: mortal, controller: controller, settings: Settings()),
                peaks: PeakService(
                    controller: controller, provider: engines, folder: folder + "/peaks",
                    keys: TrackIndexes(folder: folder + "/indexes")
                ) { _ in },
                reading: ReadingAdministration(NoWeb.list(folder + "/reading"), documents: NoWeb(), places: store),
                works: PresentWork(works) { await works.activity(of: $0) }, subscribers: subscribers, log: events,
                logPath: folder + "/transitions.jsonl",
                endsByItself: false, idle: .seconds(60), settings: SettingsNews(folder + "/settings.json", log: events))
            await controller.launch()
            await service.makeLeftClipFiles()
        }

        var state: PlaybackState {
            get async { await controller.machine.state }
        }
    }

    /// A clip as its last answer showed it.
    struct KnownClip: Sendable, Hashable {
        var start: Int64
        var end: Int64
        var note: String
    }

    let folder: TemporaryFolder
    var session: Session
    var listener = Listener()
    var clients: [Guest: ClientID] = [:]
    private var lastClient: UInt64 = 1
    /// The clients that left with the present move.
    var leavers: [ClientID] = []
    /// The clients that are attached to each guest's owner.
    var attached: [Guest: Set<ClientID>] = [:]
    /// The part that each guest asked for last.
    var parts: [Guest: Range<Int64>] = [:]
    var clips: [String: KnownClip] = [:]
    /// The ids in the order of making.
    var ids: [String] = []
    /// `true` if files may be missing or left over, because a cut failed or a session was killed.
    var isDirty = false
    /// What was heard since an engine crashed, in milliseconds.
    var sinceCrash = 10_000
    private(set) var faults: [String] = []
    private var past: [SessionMove] = []

    init() async throws {
        folder = try TemporaryFolder()
        session = await Session(in: folder.path)
        for guest in Guest.allCases { clients[guest] = nextClient() }
    }

    func nextClient() -> ClientID {
        lastClient += 1
        return ClientID(rawValue: lastClient)
    }

    func fault(_ words: String) { faults.append(words) }

    /// Returns what is wrong after the sequence, or at the first move after which something was.
    static func faults(after moves: [SessionMove]) async throws -> [String] {
        let room = try await SessionRoom()
        for (index, move) in moves.enumerated() {
            guard await room.isInTime({ await $0.step(move) }) else {
                return await ["move \(index), \(move), does not end:", room.words] + room.session.log.last.suffix(25)
            }
            if await !room.faults.isEmpty {
                await room.abandon()
                return await ["after move \(index), \(move):"] + room.faults + room.session.log.last.suffix(25)
            }
        }
        guard await room.isInTime({ await $0.finish() }) else {
            return await ["the end does not come:", room.words] + room.session.log.last.suffix(25)
        }
        let faults = await room.faults
        await room.abandon()
        return faults.isEmpty ? [] : await ["at the end:"] + faults + room.session.log.last.suffix(25)
    }

    /// Carries something out; returns `false` if that takes far too long.
    private func isInTime(_ work: @escaping @Sendable (SessionRoom) async -> Void) async -> Bool {
        let isOver = Watched(false)
        let task = Task {
            await work(self)
            isOver.change { $0 = true }
        }
        let limit = Task {
            try? await ContinuousClock().sleep(for: .seconds(10))
            if !Task.isCancelled { isOver.end() }
        }
        _ = await isOver.wait { $0 }
        limit.cancel()
        if !isOver.value { task.cancel() }
        return isOver.value
    }

    /// The state of the session in words.
    private var words: String {
        get async {
            let state = await session.state
            return
                "\(state.phase) \(state.intent) \(state.stream) \(state.status) \(state.owner) generation \(state.generation), leaving \(state.leaving.count), seeks \(state.seeks.count), waiting \(String(describing: state.waiting)), look-up \(String(describing: state.lookUp)); audible \(String(describing: session.stage.audible)); has seen all: \(session.log.hasSeen(session.stage.sent))"
        }
    }

    private func abandon() async {
        for door in ["load clip", "cut"] { session.stage.open(door) }
        await session.mortal.die()
        await session.controller.shutDown()
        await session.store.close()
    }

    /// Carries out one move, waits until everything that follows from it has happened, and looks at what there is.
    func step(_ move: SessionMove) async {
        let before = await session.state.owner
        let sent = session.stage.sent
        let wasCalling = session.stage.isCalling
        var tookFocus = false
        switch move {
        case .held(let first, let door, let others): await hold(first, at: door, while: others)
        case .together(let moves): await together(moves)
        case .restart(let killed): return await restart(killed: killed)
        default: tookFocus = await carryOut(move)
        }
        // A connection says it once more, when the last request of a client is over that is gone.
        for client in leavers { await session.service.disconnected(client) }
        leavers = []
        guard await settle() else { return }
        let state = await session.state
        let isCompound = if case .held = move { true } else if case .together = move { true } else { false }
        let isCalling = wasCalling || session.stage.isCalling
        let isUnknown = isCompound && (isCalling || listener.isHeld)
        if isUnknown {
            // Calls and guests meet in an order that is not known.
            adopt(state)
            listener.isHeld =
                state.held.last { $0.owner == .main }?.holds?.contains(.interruption) ?? false
        } else if state.owner != .main, before == .main, isCalling {
            adopt(state)
        } else if state.owner == .main, before != .main, listener.isHeld, !tookFocus {
            listener.isPlaying = false
        }
        if state.owner == .main {
            listener.isHeld = false
        } else if !isUnknown {
            let now = session.stage.sent
            if now.began > sent.began { listener.isHeld = true }
            if now.ended > sent.ended { listener.isHeld = false }
        }
        await inspect(state)
    }

    /// Takes over from the session whether the book is to play.
    private func adopt(_ state: PlaybackState) {
        guard listener.book != nil else { return }
        listener.isPlaying =
            state.owner == .main
            ? state.intent == .play : state.held.last { $0.owner == .main }?.isPlaying ?? false
    }

    /// Waits until nothing is under way any more.
    func settle() async -> Bool {
        let limit = ContinuousClock.now + .seconds(5)
        var turns = 0
        while ContinuousClock.now < limit {
            let state = await session.state
            if isSettled(state) {
                // What the output was asked for may still change the state.
                await session.controller.output.last?.value
                await session.controller.desk.calls.last?.value
                if await session.state == state { return true }
                continue
            }
            turns += 1
            // What waits for its time after a failure gets it.
            if turns % 4_000 == 0, state.attempt > 0 { session.clock.advance(by: .milliseconds(100)) }
            await Task.yield()
        }
        fault("it did not settle: \(await words)")
        return false
    }

    private func isSettled(_ state: PlaybackState) -> Bool {
        guard state.leaving.isEmpty, state.seeks.isEmpty, state.lookUp == nil, state.waiting == nil,
            state.phase != .loading, session.log.hasSeen(session.stage.sent)
        else { return false }
        let audible = session.stage.audible
        guard state.phase == .ready, state.wantsSound else { return audible == nil }
        return state.stream == .sounding && audible?.generation == state.generation && audible?.rate == state.rate
    }

    /// Ends the session, looks at what it saved, and begins another one.
    func restart(killed: Bool) async {
        if killed {
            await session.mortal.die()
            isDirty = true
        } else if let words = await faultOfFiles() {
            return fault(words)
        }
        session.stage.call(false)
        await session.service.end()
        await session.controller.shutDown()
        await session.mortal.die()
        for words in session.log.failures { fault("not saved: \(words)") }
        await checkPlaces()
        await session.store.close()
        listener.restart()
        attached = [:]
        parts = [:]
        for guest in Guest.allCases { clients[guest] = nextClient() }
        session = await Session(in: folder.path)
        _ = await settle()
    }

    /// Lets everybody leave, and looks at what is left.
    private func finish() async {
        _ = session.stage.takeCutFailure()
        for move in [SessionMove.call(false)] + Guest.allCases.map(SessionMove.leave)
            + Guest.allCases.map(SessionMove.release)
        {
            await step(move)
            if !faults.isEmpty { return }
        }
        let state = await session.state
        if state.owner != .main || !state.held.isEmpty {
            fault("\(state.owner) has audio focus, and \(state.held.map(\.owner)) wait, although all have left")
        }
        await step(.time(milliseconds: 400))
        if isDirty, faults.isEmpty {
            var repair = ClipAction(.repair)
            repair.owner = nil
            if case .failure(let error) = await perform(.manageClips(repair), ClientID(rawValue: 1)) {
                fault("repair: \(error.message)")
            }
        }
        if faults.isEmpty { await restart(killed: false) }
        if faults.isEmpty { await checkAllFiles() }
    }
}
