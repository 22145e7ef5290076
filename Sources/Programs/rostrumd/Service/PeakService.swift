// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import ControlSocket
import Glibc
import MediaPlayback
import PeakFiles
import PlaybackCore
import SessionProtocol
import Synchronization

/// The waveforms of tracks: it finds the file, and sees to it that one track at a time is being made.
///
/// The track that was asked for last is made first. What was interrupted for it goes on afterwards. Nothing that plays
/// waits for it.
actor PeakService {
    private let controller: MediaPlaybackController
    private let provider: any PeakSourceProvider
    private let cache: PeakCache
    private let folder: String
    private let keys: any TrackIndexStore
    private let tell: @Sendable (SessionNotification) -> Void
    /// The queue on which files are opened, because a disk may not answer.
    private let queue = BlockingQueue(label: "rostrum.peaks")

    private struct Job {
        var work: PeakJob
        var uri: String
    }

    private var jobs: [String: Job] = [:]
    /// The keys of the jobs, the one that was asked for last at the end.
    private var order: [String] = []

    /// The maximum number of tracks whose peaks are held ready, each with up to 3 MB in memory.
    private static let most = 8
    /// The time that opening a file may take.
    private static let patience = Duration.seconds(10)

    init(
        controller: MediaPlaybackController, provider: any PeakSourceProvider, folder: String,
        keys: any TrackIndexStore, tell: @escaping @Sendable (SessionNotification) -> Void
    ) {
        (self.controller, self.provider, self.folder, self.keys, self.tell) = (controller, provider, folder, keys, tell)
        cache = PeakCache(folder: folder)
    }

    /// Returns what there is of a part of a track's waveform, and sees to the rest.
    func look(at request: PeaksRequest, _ item: ItemRequest) async throws(PlaybackError) -> WaveformInfo {
        let (content, engine) = try await controller.content(of: item)
        guard content.kind == .audio else {
            throw PlaybackError(.badContent, message: "“\(content.title)” is a text: it has no waveform")
        }
        guard content.tracks.indices.contains(request.track) else {
            throw PlaybackError(
                .noInput,
                message: "“\(content.title)” has \(content.tracks.count) files, and no number \(request.track)")
        }
        let key = try await key(of: content, request.track, engine)
        let job = await job(key, content, request.track, engine)
        do throws(EngineError) {
            let rate = try await job.sampleRate()
            let answer = try await job.look(at: request.wish(rate: rate))
            return WaveformInfo(
                answer, request, content, file: answer.progress.isComplete ? cache.file(key) : nil)
        } catch {
            throw PlaybackError(error)
        }
    }

    /// Ends what is being made; it goes on when it is asked for again.
    func end() async {
        for job in jobs.values { await job.work.stop() }
    }

    private func key(of content: Content, _ track: Int, _ engine: EngineID) async throws(PlaybackError) -> String {
        guard case .file(let path) = content.tracks[track] else {
            throw PlaybackError(
                .badContent, message: "“\(content.title)” is not in a file: its waveform cannot be made")
        }
        let keys = keys
        let key = await queue.run(within: Self.patience) { () -> Result<String?, PlaybackError> in
            let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard raw >= 0 else {
                let reason = String(cString: strerror(errno))
                return .failure(PlaybackError(.noInput, message: "cannot open \(path): \(reason)"))
            }
            defer { close(raw) }
            return .success(keys.key(of: raw, engine: engine)?.name)
        }
        guard let key else {
            throw PlaybackError(.io, message: "the disk does not answer: cannot open \(path); try again")
        }
        // A file that is too short for a key has few peaks: they are made anew each time.
        return try key.get() ?? ""
    }

    private func job(_ key: String, _ content: Content, _ track: Int, _ engine: EngineID) async -> PeakJob {
        // What has no key is told apart by its path.
        let name = key.isEmpty ? content.trackURI(track) ?? content.uri : key
        for (other, job) in jobs where other != name && order.last == other { await job.work.stop() }
        order.removeAll { $0 == name }
        order.append(name)
        if let known = jobs[name] { return known.work }
        let progress = ProgressReport(uri: content.uri, track: track, tell)
        let job = PeakJob(
            content, track: track, engine: engine, provider: provider, cache: cache, key: key
        ) { [weak self] report in
            progress.tell(report)
            if report.isComplete { Task { await self?.goOn(after: name) } }
        }
        jobs[name] = Job(work: job, uri: content.uri)
        if order.count > Self.most {
            let oldest = order.removeFirst()
            await jobs.removeValue(forKey: oldest)?.work.stop()
        }
        return job
    }

    /// Goes on with what was interrupted.
    private func goOn(after name: String) async {
        guard order.last == name else { return }
        for other in order.reversed() where other != name {
            guard let job = jobs[other]?.work, await job.goOn() else { continue }
            order.removeAll { $0 == other }
            order.append(other)
            return
        }
    }
}

/// A sender of the progress: at once at the beginning, when somebody looks at what is made first, then at most four times
/// a second, and at the end.
private final class ProgressReport: Sendable {
    private let uri: String
    private let track: Int
    private let send: @Sendable (SessionNotification) -> Void
    // The lock is needed because a job reports on any thread.
    private let last = Mutex<(time: ContinuousClock.Instant, count: Int)?>(nil)
    private static let pause = Duration.milliseconds(250)
    /// The number of segments of which each is told at once: those of a screen and of what lies beside it.
    private static let first = 8

    init(uri: String, track: Int, _ send: @escaping @Sendable (SessionNotification) -> Void) {
        (self.uri, self.track, self.send) = (uri, track, send)
    }

    func tell(_ progress: PeakJob.Progress) {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            let count = last?.count ?? 0
            let isDue = count < Self.first || last.map { now - $0.time >= Self.pause } ?? true
            if isDue { last = (now, count + 1) }
            return isDue
        }
        guard isDue || progress.isComplete || progress.fault != nil else { return }
        send(
            .peaks(
                WaveformProgress(
                    uri: uri, track: track, progress: progress.share, isComplete: progress.isComplete,
                    fault: progress.fault)))
    }
}
