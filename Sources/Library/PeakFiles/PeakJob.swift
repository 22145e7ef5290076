// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import MediaPlayback
public import PlaybackCore

/// The making of one track's peaks: an engine process of its own reads them, what is looked at first.
///
/// What is made is on disk at once, so the job can be stopped, or killed, and goes on later. If the process dies, another
/// one takes over; if several die without a segment between them, the job fails, and the next wish begins again.
public actor PeakJob {
    /// A part of the track that a client looks at.
    public struct Wish: Sendable, Hashable {
        /// Frames of the track; `nil` for all of it.
        public var range: Range<Int64>?
        public var columns: Int
        /// The frame that is heard, or `nil` for the middle of the range.
        public var playhead: Int64?

        public init(range: Range<Int64>?, columns: Int, playhead: Int64? = nil) {
            (self.range, self.columns, self.playhead) = (range, columns, playhead)
        }
    }

    /// The peaks of that part, as far as they are made.
    public struct Answer: Sendable, Hashable {
        /// Frames a second.
        public var sampleRate: Int
        /// Frames of the track: what the columns cover.
        public var range: Range<Int64>
        /// The length of the track in frames, to whole peaks; until it is known, what its file states.
        public var length: Int64
        public var framesPerPeak: Int
        /// One peak for each column; `nil` where none is made yet.
        public var columns: [Peak?]
        public var silences: [Silence]
        public var progress: Progress
    }

    /// The state of the making.
    public struct Progress: Sendable, Hashable {
        public var done: Int
        /// The number of segments, as far as it is known.
        public var total: Int
        public var isComplete: Bool
        /// The reason why the peaks are not kept on disk, or why the job does not go on.
        public var fault: String?

        /// The share that is done, 0 to 1.
        public var share: Double { isComplete ? 1 : min(1, Double(done) / Double(max(1, total))) }
    }

    private let content: Content
    private let engine: EngineID
    private let provider: any PeakSourceProvider
    private let cache: PeakCache
    private let key: String
    private let report: @Sendable (Progress) -> Void

    private var sheet: PeakSheet?
    /// The order of segments; `nil` until the first wish, before which none is made.
    private var order: SegmentOrder?
    private var aiming: CheckedContinuation<Void, Never>?
    /// The number of peaks that the track is said to have.
    private var estimate: Int?
    private var failure: EngineError?
    private var work: Task<Void, Never>?
    /// Those who wait for the track to be opened.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The number of processes in a row that may die without making a segment.
    private static let patience = 3
    /// The maximum number of columns in an answer.
    public static let mostColumns = 4096

    /// Creates a job, which does nothing until something is wished for.
    ///
    /// - Parameters:
    ///   - content: The item; of its tracks only one is read.
    ///   - key: What identifies the content of the track and the engine: see ``PeakCache/open(_:sampleRate:)``.
    ///   - report: Is called with the progress after each segment, on any thread.
    public init(
        _ content: Content, track: Int, engine: EngineID, provider: any PeakSourceProvider, cache: PeakCache,
        key: String, report: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
        var one = content
        // The other tracks would be opened, to be described.
        one.tracks = content.tracks.indices.contains(track) ? [content.tracks[track]] : []
        one.cue = []
        one.clip = nil
        self.content = one
        (self.engine, self.provider, self.cache, self.key, self.report) = (engine, provider, cache, key, report)
    }

    /// Returns the rate of the track, which may have to be opened for that.
    public func sampleRate() async throws(EngineError) -> Int { try await open().sampleRate }

    /// Goes on if something is missing that was begun; returns `false` if there is nothing to do.
    public func goOn() -> Bool {
        guard let sheet, !sheet.isComplete, failure == nil, sheet.fault == nil else { return false }
        start()
        return true
    }

    private func open() async throws(EngineError) -> PeakSheet {
        if sheet == nil, let finished = cache.finished(key) { sheet = finished }
        start()
        if sheet == nil { await withCheckedContinuation { waiting.append($0) } }
        if let sheet { return sheet }
        throw failure ?? EngineError(.unavailable, message: "the reading of “\(content.title)” was ended; try again")
    }

    /// Returns what there is of a part of the track, and sees to the rest of it first, then to the rest of the track.
    ///
    /// Waits until the track is open, if no peak of it was ever made.
    public func look(at wish: Wish) async throws(EngineError) -> Answer {
        let sheet = try await open()
        let frames = Int64(PeakLevels.finest)
        let end = max(1, Int64(sheet.count ?? max(estimate ?? 0, 1)) * frames)
        let asked = wish.range ?? 0..<end
        // A part without an end ends with the track.
        let upper = asked.upperBound == .max ? max(end, asked.lowerBound &+ 1) : asked.upperBound
        guard asked.lowerBound >= 0, asked.lowerBound < upper, upper <= 1 << 53 else {
            if order == nil { aim(0..<1, nil) }
            throw EngineError(.usage, message: "no part from \(asked.lowerBound) to \(asked.upperBound)")
        }
        let range = asked.lowerBound..<upper
        aim(range, wish.playhead)
        let columns = sheet.columns(max(1, min(wish.columns, Self.mostColumns)), of: range)
        return Answer(
            sampleRate: sheet.sampleRate, range: range, length: end, framesPerPeak: columns.framesPerPeak,
            columns: columns.columns, silences: sheet.silences(in: range), progress: progress)
    }

    /// The progress, for those who were not told.
    public var progress: Progress {
        Progress(
            done: sheet?.doneCount ?? 0, total: sheet?.expectedSegments(estimate: estimate) ?? 1,
            isComplete: sheet?.isComplete ?? false, fault: failure?.message ?? sheet?.fault?.message)
    }

    /// `true` while a process works.
    public var isWorking: Bool { work != nil }

    /// Ends the process; what is made stays, and a later wish goes on.
    public func stop() async {
        work?.cancel()
        aiming?.resume()
        aiming = nil
        await work?.value
    }

    private func aim(_ range: Range<Int64>, _ playhead: Int64?) {
        let frames = Int64(PeakLevels.finest * PeakLevels.segment)
        let most = Int64(PeakLevels.mostSegments)
        let visible =
            Int(min(range.lowerBound / frames, most))..<Int(min((range.upperBound - 1) / frames + 1, most + 1))
        let heard = playhead.map { min(max(0, $0) / frames, most) }
        let middle = (visible.lowerBound + visible.upperBound) / 2
        order = SegmentOrder(visible: visible, center: heard.map { Int($0) } ?? middle)
        aiming?.resume()
        aiming = nil
    }

    // MARK: Work

    private func start() {
        guard work == nil, sheet?.isComplete != true else { return }
        failure = nil
        work = Task {
            await run()
            work = nil
            admit()
        }
    }

    /// Lets those go on who wait for the track to be opened.
    private func admit() {
        for asker in waiting { asker.resume() }
        waiting = []
    }

    private func run() async {
        var deaths = 0
        while !Task.isCancelled, sheet?.isComplete != true {
            let before = sheet?.doneCount ?? 0
            do throws(EngineError) {
                let source = try await provider.startPeakSource(engine)
                let result = await read(source)
                await source.shutDown()
                try result.get()
                return
            } catch {
                deaths = (sheet?.doneCount ?? 0) > before ? 1 : deaths + 1
                guard error.isOfTheProcess, deaths < Self.patience else {
                    failure = error
                    return report(progress)
                }
            }
        }
    }

    /// Reads with one process until nothing is missing, or something fails.
    private func read(_ source: any PeakSource) async -> Result<Void, EngineError> {
        do throws(EngineError) {
            let media = try await source.load(
                LoadRequest(content: content, start: .start, generation: 1, rate: 1, voice: nil))
            guard let track = media.tracks.first else {
                throw EngineError(.misbehaved, message: "the engine \(engine) describes no track")
            }
            let rate = track.timeline.unitsPerSecond
            guard (1_000...384_000).contains(rate) else {
                throw EngineError(.usage, message: "“\(content.title)” is not audio: it has no waveform")
            }
            estimate = track.timeline.duration.map { Int($0 / Int64(PeakLevels.finest)) }
            if sheet == nil { sheet = cache.open(key, sampleRate: Int(rate)) }
            admit()
            if order == nil, !Task.isCancelled { await withCheckedContinuation { aiming = $0 } }
            while let next = next, !Task.isCancelled {
                let peaks = try await source.peaks(
                    track: 0, framesPerPeak: PeakLevels.finest, first: Int64(next) * Int64(PeakLevels.segment),
                    count: PeakLevels.segment)
                guard sheet?.take(next, peaks) == true else {
                    sheet?.discard()
                    sheet = nil
                    throw EngineError(
                        .badContent, message: "“\(content.title)” ends elsewhere than before: was its file changed?")
                }
                report(progress)
            }
            if !Task.isCancelled {
                sheet?.finish()
                report(progress)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private var next: Int? {
        guard let sheet, let order, !sheet.isComplete else { return nil }
        return order.next(of: sheet.expectedSegments(estimate: estimate)) { sheet.isDone($0) }
    }
}
