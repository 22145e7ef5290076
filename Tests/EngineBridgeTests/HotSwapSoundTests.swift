// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import FileTestSupport
import Glibc
import MediaPlayback
import PlaybackCore
import SoftwareOutputs
import Synchronization
import Testing
import TransitionRecords
import WaitTestSupport

extension EngineBridgeTests {
    /// A book of compressed sound moves to a copy of its file, while it plays, while it is paused, and with a seek.
    ///
    /// What is heard is compared, sample by sample, with what the engine renders by itself. `ROSTRUM_SWAPS` is the number of
    /// times for each format and rate.
    @Suite(.timeLimit(.minutes(20)), .enabled(if: !BuildProducts.isSanitized))
    struct HotSwapSoundTests {
        struct Case: Sendable, CustomTestStringConvertible {
            var format: String
            var rate: Double
            var testDescription: String { "\(format) at \(rate)×" }
        }

        static let times = getenv("ROSTRUM_SWAPS").flatMap { Int(String(cString: $0)) }
        static let cases: [Case] = {
            guard times != nil else {
                return [
                    Case(format: "mp3", rate: 1), Case(format: "m4b", rate: 2), Case(format: "opus", rate: 1),
                    Case(format: "flac", rate: 2),
                ]
            }
            return ["mp3", "m4b", "opus", "flac"].flatMap { format in
                [1.0, 2.0].map { Case(format: format, rate: $0) }
            }
        }()

        private static let uri = "https://books.example/book"
        private static let target = 40.0

        @Test(arguments: cases)
        func `the joint is exact to the sample`(_ swap: Case) async throws {
            let folder = try TemporaryFolder()
            try BookFiles.make(swap.format, in: folder)
            let reactor = try EngineReactor()
            let engines = OnlyFFmpeg(reactor: reactor)
            let first = folder.path + "/server.\(swap.format)"
            let whole = try await engines.rendering(of: first, from: 0, rate: swap.rate)
            let rest = try await engines.rendering(of: first, from: Self.target, rate: swap.rate)
            for time in 0..<(Self.times ?? 1) {
                let sound = HeardSound()
                let controller = MediaPlaybackController(
                    engines: engines, outputs: FastOutput(sound), store: NoStore(), resolver: BookFiles(uri: Self.uri),
                    log: NoLog())
                try await play(swap, in: folder, by: controller, sound)
                await controller.shutDown()
                let heard = sound.samples
                let found = HeardSound.follow(heard, whole)
                try #require(found.end > 2 * 44_100, "time \(time): it ends after \(found.end) samples: \(found)")
                #expect(found.pauses.count == 1, "time \(time): of the pause, and of nothing else")
                #expect(HeardSound.goesOn(heard, from: found.heardEnd, in: rest), "time \(time): after \(found)")
            }
        }

        /// Plays, and moves to a copy in the middle of the sound, during a pause, and just before a seek.
        private func play(
            _ swap: Case, in folder: TemporaryFolder, by controller: MediaPlaybackController, _ sound: HeardSound
        ) async throws {
            @Sendable func move(_ name: String) async throws {
                let files = ItemRequest(
                    items: ["\(folder.path)/\(name).\(swap.format)"], extensions: KnownExtensions(audio: []))
                try await controller.swap(Self.uri, to: files)
            }
            @Sendable func isThere(_ name: String) async -> Bool {
                await controller.snapshot().state.current?.item.items == ["\(folder.path)/\(name).\(swap.format)"]
            }
            let item = ItemRequest(
                items: ["\(folder.path)/server.\(swap.format)"], extensions: KnownExtensions(audio: []))
            var request = PlayRequest(item: item)
            request.rate = swap.rate
            try await controller.play(request)
            await sound.wait(seconds: 1)
            try await move("local")
            #expect(await isThere("local"))
            await sound.wait(seconds: 4)
            await controller.pause()
            try await move("moved")
            try await controller.resume()
            await until { await isThere("moved") }
            await sound.wait(seconds: 4)
            let last = Task { try await move("server") }
            try await controller.seek(.seconds(Self.target))
            try await last.value
            #expect(await isThere("server"))
            await sound.wait(seconds: 4)
        }
    }
}

/// The sound that a device took, at the time when it would be heard.
private final class HeardSound: Sendable {
    /// Reason for the lock: written by the output's thread, read by the test; held for an append or a copy.
    private let all = Mutex<[Float]>([])
    private let count = Watched(0)

    var samples: [Float] { all.withLock(\.self) }

    func take(_ samples: UnsafeBufferPointer<Float>) {
        let total = all.withLock {
            $0.append(contentsOf: samples)
            return $0.count
        }
        count.change { $0 = total }
    }

    func wait(seconds: Int) async {
        let wanted = count.value + seconds * BookFiles.sampleRate
        if await count.wait(until: { $0 >= wanted }) { return }
        didNotCome("\(wanted) samples", "\(count.value)", #_sourceLocation)
    }

    /// The sound that was heard, up to a frame that is not the next one of what was rendered.
    struct Found {
        /// The frames that were rendered and heard.
        var end = 0
        /// The frame of what was heard behind them.
        var heardEnd = 0
        /// The frames of silence of each pause.
        var pauses: [Int] = []
    }

    /// The frames of a fade at a beginning, or of both fades of a pause.
    private static let fade = 2_000
    private static let longestPause = 50_000

    /// Follows what was heard in what was rendered; only fades may differ, and only silence may come in between.
    static func follow(_ heard: [Float], _ rendered: [Float]) -> Found {
        var found = Found()
        var (frame, place) = (fade, fade)
        while frame < heard.count, place < rendered.count {
            if heard[frame] != rendered[place] {
                guard let silence = pause(heard, frame, rendered, place) else { break }
                found.pauses.append(silence)
                frame += fade + silence
                place += fade
            }
            frame += 1
            place += 1
        }
        (found.end, found.heardEnd) = (place, frame)
        return found
    }

    /// Returns the frames of silence between two fades, if the sound behind them is the one that follows.
    private static func pause(_ heard: [Float], _ frame: Int, _ rendered: [Float], _ place: Int) -> Int? {
        let behind = rendered.dropFirst(place + fade).prefix(500)
        guard behind.count == 500 else { return nil }
        let silence = (0..<longestPause).first { silence in
            heard.dropFirst(frame + fade + silence).prefix(500).elementsEqual(behind)
        }
        guard let silence else { return nil }
        let zeros = heard.dropFirst(frame).prefix(fade + silence).count { $0 == 0 }
        return zeros >= silence ? silence : nil
    }

    /// Returns whether what was heard goes over to the beginning of other sound within a moment, and stays there.
    static func goesOn(_ heard: [Float], from frame: Int, in rendered: [Float]) -> Bool {
        let moment = 12_000
        let rest = Array(heard.dropFirst(frame + moment))
        guard rest.count > 44_100 else { return false }
        let begin = (0..<2 * moment).first { place in
            rest.prefix(500).elementsEqual(rendered.dropFirst(place).prefix(500))
        }
        guard let begin, begin <= moment + 2 * fade else { return false }
        return zip(rest, rendered.dropFirst(begin)).allSatisfy(==)
    }
}

/// A minute of noise in a format, as three files with the same bytes.
private struct BookFiles: ItemResolving {
    static let sampleRate = 44_100
    let uri: String

    static func make(_ format: String, in folder: TemporaryFolder) throws {
        let encoders = [
            "mp3": "libmp3lame -b:a 64k", "m4b": "aac -aac_pns 0 -b:a 64k", "opus": "libopus -b:a 32k", "flac": "flac",
        ]
        let encoder = try #require(encoders[format])
        let rate = format == "opus" ? 48_000 : sampleRate
        let command = """
            cd '\(folder.path)' && ffmpeg -nostdin -v error -bitexact \
            -f lavfi -i anoisesrc=d=60:c=pink:r=\(rate):a=0.4:seed=7 -c:a \(encoder) server.\(format) \
            && cp server.\(format) local.\(format) && cp server.\(format) moved.\(format)
            """
        let run = try #require(popen(command, "r"))
        try #require(pclose(run) == 0, "ffmpeg failed")
    }

    func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        ResolvedItem(
            content: Content(
                uri: uri, kind: .audio, tracks: request.items.map { .file(path: $0) }, title: "Book"),
            items: request.items, notes: [])
    }
}

/// The real engine, each time in a process of its own.
private struct OnlyFFmpeg: EngineProvider {
    let reactor: EngineReactor
    private static let id = EngineID("ffmpeg")

    func installed() async -> [InstalledEngine] {
        [
            InstalledEngine(
                id: Self.id, name: "FFmpeg", version: "1", vendor: "test", license: "LGPL-2.1-or-later", abi: "1.0",
                kinds: [.audio], extensions: ["mp3", "m4b", "opus", "flac"], schemes: [], hosting: .isolated,
                state: .available, path: BuildProducts.folder, reason: nil)
        ]
    }

    func start() throws(EngineError) -> HostedEngine {
        try HostedEngine(
            EngineLaunch(
                id: Self.id, module: BuildProducts.folder + "/libFFmpegEngine.so",
                hosting: .isolated(runner: BuildProducts.runner)), reactor: reactor)
    }

    func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine { try start() }
    func start(_ id: EngineID, inPlaceOf gone: any PlaybackEngine) async throws(EngineError) -> any PlaybackEngine {
        throw EngineError(.unavailable, message: "no engine may end here")
    }
    func prewarm(_ id: EngineID) async {}
    func endSpare(_ id: EngineID) async {}
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String? {
        Issue.record("the engine died: \(error.message)")
        return nil
    }

    /// Returns what is rendered of a file when nothing happens.
    func rendering(of path: String, from seconds: Double, rate: Double) async throws -> [Float] {
        let engine = try start()
        let content = Content(uri: path, kind: .audio, tracks: [.file(path: path)], title: "Book")
        let media = try await engine.load(LoadRequest(content))
        let format = try #require(media.tracks.first?.format)
        #expect(format.channels == 1)
        let place = MediaPosition(track: 0, units: Int64((seconds * Double(format.sampleRate)).rounded()))
        let source = engine.source
        source.discard(before: 2)
        try await engine.seek(to: place, generation: 2)
        let renderer = StreamRenderer(
            source: source, format: format, generation: 2, settings: StreamSettings(rate: rate),
            aheadFrames: 48_000, softens: false)
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: 4_096)
        rendering: while true {
            let rendered = renderer.render(into: &buffer, frames: buffer.count)
            samples += buffer.prefix(rendered.frames)
            renderer.heard(upTo: renderer.written)
            switch rendered.condition {
            case .ended: break rendering
            case .starved: try #require(source.waitForSound())
            default: break
            }
        }
        await engine.shutDown()
        return samples
    }
}

/// A device on a fast clock, with enough sound ahead for a busy machine, and no more than an engine's ring has at 2×.
private struct FastOutput: OutputProvider {
    let sound: HeardSound
    init(_ sound: HeardSound) { self.sound = sound }

    func outputs(named name: String) -> [any AudioOutput] {
        [NullOutput(clock: FastClock(), depth: .seconds(3), capture: { samples, _ in sound.take(samples) })]
    }
}

/// A clock on which time passes twelve times as fast.
private struct FastClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private static let speed = 12
    private let origin = ContinuousClock.now

    var now: Instant { Instant(offset: origin.duration(to: .now) * Self.speed) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: origin.advanced(by: deadline.offset / Self.speed), tolerance: nil)
    }
}

/// A library that remembers nothing.
private struct NoStore: PlaceStore {
    func prepare() async -> [String] { [] }
    func place(of uri: String, owner: OwnerID) async -> PlaceLookup { .empty }
    func save(_ place: SavedPlace, durably: Bool) async throws(PlaceStoreError) {}
    func remember(_ preferences: ItemPreferences, of uri: String, owner: OwnerID) async throws(PlaceStoreError) {}
    func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem? { nil }
    func setLastItem(_ item: LastItem) async throws(PlaceStoreError) {}
    func setting(_ key: SettingKey) async throws(PlaceStoreError) -> String? { nil }
    func set(_ key: SettingKey, to value: String?) async throws(PlaceStoreError) {}
}

private struct NoLog: TransitionLogging {
    func record(_ entry: TransitionEntry) {}
    func flush() async {}
    func subscribe() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}
