// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import PeakFiles

@Suite(.timeLimit(.minutes(1)))
struct PeakJobTests {
    private static let segment = PeakLevels.segment

    /// A job, and the progress that it reports.
    private struct Rig {
        let folder: TemporaryFolder
        let fake: FakePeakSources
        let job: PeakJob
        let reports: AsyncStream<PeakJob.Progress>

        init(_ fake: FakePeakSources, in folder: TemporaryFolder? = nil) throws {
            self.folder = try folder ?? TemporaryFolder()
            self.fake = fake
            let (reports, report) = AsyncStream.makeStream(of: PeakJob.Progress.self)
            self.reports = reports
            let content = Content(
                uri: "/book", kind: .audio, tracks: [.file(path: "/book/1"), .file(path: "/book/2")], title: "book")
            job = PeakJob(
                content, track: 1, engine: EngineID("fake"), provider: fake,
                cache: PeakCache(folder: self.folder.path), key: "key"
            ) { report.yield($0) }
        }

        /// Returns the report with which the job has ended.
        func end() async -> PeakJob.Progress? {
            for await progress in reports where progress.isComplete || progress.fault != nil { return progress }
            return nil
        }

        func all() async throws(EngineError) -> PeakJob.Answer {
            try await job.look(at: PeakJob.Wish(range: nil, columns: 10))
        }
    }

    @Test func `a job makes all peaks and ends its process`() async throws {
        let count = 3 * Self.segment + 5
        let rig = try Rig(FakePeakSources(count: count, duration: Int64(count) * 512))
        let first = try await rig.all()
        #expect(first.sampleRate == 44_100 && first.range == 0..<Int64(count) * 512)
        #expect(await rig.end() == PeakJob.Progress(done: 4, total: 4, isComplete: true, fault: nil))
        let last = try await rig.all()
        #expect(last.columns.allSatisfy { $0 != nil } && last.progress.share == 1)
        await rig.job.stop()
        #expect(rig.fake.state.withLock { [$0.started, $0.ended] } == [1, 1])
        // What is finished starts no process any more.
        let again = try Rig(FakePeakSources(count: 1), in: rig.folder)
        #expect(try await again.all() == last)
        #expect(again.fake.state.withLock { $0.started } == 0)
    }

    /// What the track is said to have, in peaks; it has 2 segments and a half.
    @Test(arguments: [nil, 1, 4096, 10_240, 60_000, 9_000_000_000] as [Int64?])
    func `a track that is longer or shorter than it is said to be is made to its end`(_ said: Int64?) async throws {
        let rig = try Rig(FakePeakSources(count: 10_240, duration: said.map { $0 * 512 }))
        _ = try await rig.job.look(at: PeakJob.Wish(range: 0..<512, columns: 1))
        #expect(await rig.end()?.isComplete == true)
        #expect(try await rig.all().range == 0..<10_240 * 512)
    }

    @Test func `the part that is looked at comes first, also if that changes meanwhile`() async throws {
        let fake = FakePeakSources(count: 8 * Self.segment - 1, duration: Int64(8 * Self.segment - 1) * 512)
        fake.hold(true)
        let rig = try Rig(fake)
        let frames = Int64(Self.segment * 512)
        _ = try await rig.job.look(at: PeakJob.Wish(range: 5 * frames..<6 * frames, columns: 1))
        _ = try await rig.job.look(at: PeakJob.Wish(range: 2 * frames..<5 * frames, columns: 1, playhead: 3 * frames))
        fake.hold(false)
        _ = await rig.end()
        let asked = fake.state.withLock { $0.asked }
        #expect(Set(asked) == Set(0...7) && asked.count == 8)
        // The first request was under way when the other wish came.
        #expect(Array(asked.drop { ![2, 3, 4].contains($0) }.prefix(3)) == [3, 4, 2], "\(asked)")
    }

    @Test(arguments: [[0], [1], [3], [1, 3], [0, 1], [0, 2, 4]] as [Set<Int>])
    func `another process takes over from one that dies`(_ deadly: Set<Int>) async throws {
        let fake = FakePeakSources(count: 3 * Self.segment, duration: Int64(3 * Self.segment) * 512)
        fake.state.withLock { $0.deadly = deadly }
        let rig = try Rig(fake)
        _ = try await rig.all()
        #expect(await rig.end()?.isComplete == true)
        await rig.job.stop()
        #expect(fake.state.withLock { [$0.started, $0.ended] } == [deadly.count + 1, deadly.count + 1])
    }

    @Test func `a file that kills process after process ends the job, and what is made stays`() async throws {
        let fake = FakePeakSources(count: 3 * Self.segment, duration: Int64(3 * Self.segment) * 512)
        fake.state.withLock { $0.deadly = Set(1...1000) }
        let rig = try Rig(fake)
        _ = try await rig.job.look(at: PeakJob.Wish(range: 0..<512, columns: 1))
        #expect(await rig.end() == PeakJob.Progress(done: 1, total: 4, isComplete: false, fault: "the fake died"))
        #expect(fake.state.withLock { $0.started } == 3)
        fake.state.withLock { $0.deadly = [] }
        #expect(try await rig.job.look(at: PeakJob.Wish(range: 0..<512, columns: 1)).columns == [PeakMaterial.peak(0)])
        #expect(await rig.end()?.isComplete == true)
        #expect(fake.state.withLock { $0.asked.filter { $0 == 0 }.count } == 1)
    }

    @Test func `a job that is stopped goes on, in this session or in the next`() async throws {
        let fake = FakePeakSources(count: 6 * Self.segment, duration: Int64(6 * Self.segment) * 512)
        let folder = try TemporaryFolder()
        for made in 1...2 {
            fake.state.withLock { $0.answered = made }
            let rig = try Rig(fake, in: folder)
            _ = try await rig.job.look(at: PeakJob.Wish(range: 0..<512, columns: 1))
            for await _ in rig.reports { break }
            await rig.job.stop()
            #expect(await !rig.job.isWorking)
            #expect(await rig.job.progress.done == made)
        }
        fake.state.withLock { $0.answered = .max }
        let rig = try Rig(fake, in: folder)
        _ = try await rig.all()
        _ = await rig.end()
        #expect(try await rig.all().progress.isComplete)
        // No segment was made twice.
        let asked = fake.state.withLock { $0.asked }
        #expect(asked.count == Set(asked).count)
    }

    @Test func `an engine that lies about the end is found out, and nothing of it is kept`() async throws {
        let fake = FakePeakSources(count: 3 * Self.segment, duration: Int64(3 * Self.segment) * 512)
        let frames = Int64(Self.segment * 512)
        fake.state.withLock { state in
            state.answer = { first, peaks in first == Self.segment ? Array(peaks.prefix(7)) : peaks }
        }
        let rig = try Rig(fake)
        _ = try await rig.job.look(at: PeakJob.Wish(range: 2 * frames..<3 * frames, columns: 1))
        #expect(await rig.end()?.fault?.contains("was its file changed?") == true)
        #expect(rig.folder.names.isEmpty)
    }

    @Test func `an engine without end is stopped at the most segments that a track can have`() async throws {
        let fake = FakePeakSources(count: .max, duration: nil)
        fake.hold(true)
        let rig = try Rig(fake)
        let answer = try await rig.job.look(at: PeakJob.Wish(range: (1 << 53) - 1..<Int64.max, columns: 1))
        #expect(answer.columns == [nil])
        fake.hold(false)
        await rig.job.stop()
        #expect(fake.state.withLock { $0.asked.allSatisfy { $0 < PeakLevels.mostSegments } })
    }

    @Test func `an impossible part is refused`() async throws {
        let rig = try Rig(FakePeakSources(count: 10, duration: 5120))
        for range in [Int64.max - 1..<Int64.max, Int64.min..<Int64.min + 1] {
            await #expect(throws: EngineError.self) {
                try await rig.job.look(at: PeakJob.Wish(range: range, columns: 3))
            }
        }
        #expect(try await rig.job.look(at: PeakJob.Wish(range: nil, columns: -5)).columns.count == 1)
        #expect(try await rig.job.look(at: PeakJob.Wish(range: nil, columns: .max)).columns.count == 4096)
    }
}
