// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `The engines that run` {
    private let ffmpeg = EngineID("ffmpeg")
    private let espeak = EngineID("espeak")
    private let book = Content(uri: "a", kind: .audio, tracks: [.file(path: "/a")], title: "a")

    @discardableResult
    private func add(_ id: EngineID, to pool: inout EnginePool, continuing content: Content? = nil) -> EnginePool.Live {
        let description = MediaDescription(title: nil, author: nil, tracks: [], chapters: [], nativeRates: nil)
        let engine = FakeEngine(id, description: description, failure: nil, tape: Tape(), gate: Gate())
        return pool.add(engine, continuing: content) { _ in Task {} }
    }

    @Test func `have numbers that tell each process apart from the one before it`() {
        var pool = EnginePool()
        let first = add(ffmpeg, to: &pool)
        let other = add(espeak, to: &pool)
        let second = add(ffmpeg, to: &pool)
        #expect(Set([first.serial, other.serial, second.serial]).count == 3)
        #expect(pool[ffmpeg]?.serial == second.serial && pool.live.count == 2)
    }

    @Test func `have nothing open at first, unless they continue for another process`() {
        var pool = EnginePool()
        let first = add(ffmpeg, to: &pool)
        #expect(first.loaded == nil && first.given == nil)
        let next = add(ffmpeg, to: &pool, continuing: book)
        #expect(next.loaded == book && next.given == book)
    }

    @Test func `answer late if they were asked for something else since, or another process runs`() {
        var pool = EnginePool()
        let serial = add(ffmpeg, to: &pool).serial
        let turn = pool.noteEmpty(ffmpeg)
        #expect(pool.isTurn(ffmpeg, turn, serial: serial))
        pool.noteLoaded(ffmpeg, book)
        let later = pool.noteEmpty(ffmpeg)
        #expect(pool[ffmpeg]?.loaded == nil)
        #expect(!pool.isTurn(ffmpeg, turn, serial: serial) && pool.isTurn(ffmpeg, later, serial: serial))
        add(ffmpeg, to: &pool)
        for _ in 1...2 { pool.noteEmpty(ffmpeg) }
        #expect(!pool.isTurn(ffmpeg, later, serial: serial))
    }

    @Test func `are removed by a number only while that process runs`() {
        var pool = EnginePool()
        let first = add(ffmpeg, to: &pool).serial
        let second = add(ffmpeg, to: &pool).serial
        #expect(pool.remove(ffmpeg, serial: first) == nil && pool[ffmpeg] != nil)
        #expect(pool.remove(ffmpeg, serial: second)?.serial == second && pool[ffmpeg] == nil)
        #expect(pool.remove(ffmpeg) == nil)
    }

    @Test func `are all removed at once`() {
        var pool = EnginePool()
        add(ffmpeg, to: &pool)
        add(espeak, to: &pool)
        let removed = pool.removeAll()
        #expect(Set(removed.map(\.engine.id)) == [ffmpeg, espeak])
        #expect(pool.live.isEmpty)
    }

    @Test func `are retired by one task, which is cancelled when they are used again or removed`() {
        var pool = EnginePool()
        add(ffmpeg, to: &pool)
        let tasks = (1...3).map { _ in Task.endless() }
        pool.retire(ffmpeg, by: tasks[0])
        pool.retire(ffmpeg, by: tasks[1])
        #expect(tasks.map(\.isCancelled) == [true, false, false])
        pool.keep(ffmpeg)
        #expect(tasks[1].isCancelled && pool[ffmpeg]?.retirement == nil)
        pool.retire(ffmpeg, by: tasks[2])
        #expect(!tasks[2].isCancelled)
        _ = pool.remove(ffmpeg)
        #expect(tasks[2].isCancelled)
    }

    @Test func `lose their prepared processes, once, when they are not in use`() {
        var pool = EnginePool()
        pool.notePrewarmed(ffmpeg)
        pool.notePrewarmed(espeak)
        var taken: [[EngineID]] = []
        for used in [ffmpeg, ffmpeg, espeak] { taken.append(pool.takeSpares { $0 == used }) }
        #expect(taken == [[espeak], [], [ffmpeg]])
    }
}
