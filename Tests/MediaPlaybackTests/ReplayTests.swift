// SPDX-License-Identifier: Apache-2.0

import AudioSession
import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import RandomTestSupport
import Testing
import TransitionLog
import TransitionReplay

/// The controller with everything around it faked, and a real log.
@Suite(.timeLimit(.minutes(2))) struct `A recorded session` {
    /// Plays a session of random commands, and returns the lines of its log.
    private func record(seed: UInt64, in folder: TemporaryFolder, limit: Int64 = 8 << 20) async -> [[UInt8]] {
        let path = folder.path + "/\(seed)/transitions.jsonl"
        let mirror = StateMirror()
        let log = TransitionLog(path: path, limit: limit) { mirror.snapshot }
        let rig = Rig(
            failures: [EngineID("neural"): EngineError(.failed, message: "the voice is damaged")], log: log,
            mirror: mirror)
        var random = SplitMix(state: seed &* 0x9E37_79B9_7F4A_7C15)
        await rig.controller.launch()
        for _ in 0..<20 {
            // Some sessions read with an engine in whose place another one has to read.
            await step(rig, fails: seed % 4 == 0, &random)
            // A file is rotated only when its content is written.
            if limit < 8 << 20 { await log.flush() }
        }
        await rig.controller.shutDown()
        await log.close()
        let older = (try? Data(contentsOf: URL(fileURLWithPath: path + ".1"))) ?? Data()
        return [older, (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()]
            .flatMap { $0.split(separator: UInt8(ascii: "\n")).map(Array.init) }
    }

    private func step(_ rig: Rig, fails: Bool, _ random: inout SplitMix) async {
        let controller = rig.controller
        rig.output.hear(Int64.random(in: 0..<100_000, using: &random))
        let viewer = OwnerID("clip-viewer-1")
        switch Int.random(in: 0..<18, using: &random) {
        case 0: try? await controller.play(Rig.request("book.m4b"))
        case 1:
            var request = Rig.request("article.txt")
            if fails { request.engine = EngineID("neural") }
            try? await controller.play(request)
        case 2: try? await controller.play(Rig.request("missing.m4b"))
        case 3:
            var request = Rig.request("book.m4b", start: .beginning)
            request.owner = viewer
            request.engine = EngineID("clip")
            request.clip = ClipRange(start: .seconds(1), end: .seconds(2), loops: false, name: "1,2")
            request.handsBack = true
            try? await controller.play(request)
        case 4: await controller.pause()
        case 5: try? await controller.resume()
        case 6: try? await controller.toggle()
        case 7: await controller.stop()
        case 8: try? await controller.seek(.seconds(Double.random(in: 0..<90, using: &random)))
        case 9: try? await controller.seek(.seconds(5), owner: .main)
        case 10: try? await controller.skip(forward: Bool.random(using: &random))
        case 11: try? await controller.setRate([0.5, 1, 1.5, 3].randomElement(using: &random) ?? 1)
        case 12: try? await controller.setVolume(Double.random(in: 0...1, using: &random))
        case 13: try? await controller.switchEngine(to: EngineID(Bool.random(using: &random) ? "ffmpeg" : "espeak"))
        case 14: try? await controller.claim(viewer)
        case 15: try? await controller.release(viewer)
        case 16: rig.output.report.yield(.interruption(began: Bool.random(using: &random)))
        default: rig.output.report.yield(.routeLost(Route(output: "fake", device: nil)))
        }
    }

    private func replay(_ lines: some Sequence<[UInt8]>) throws -> TransitionReplay {
        var replay = TransitionReplay()
        for line in lines { try replay.take(line) }
        try replay.finish()
        return replay
    }

    @Test func `replays without divergence, a thousand times`() async throws {
        let folder = try TemporaryFolder()
        // Two at a time, as sessions wait for nothing but the processor.
        let events = try await withThrowingTaskGroup(of: Int.self) { group in
            for half in 0..<2 {
                group.addTask { try await replays(of: stride(from: half, to: 1_000, by: 2), in: folder) }
            }
            return try await group.reduce(0, +)
        }
        #expect(events > 20_000, "\(events)")
    }

    /// Returns the number of events of sessions that replay.
    private func replays(of seeds: StrideTo<Int>, in folder: TemporaryFolder) async throws -> Int {
        var events = 0
        for seed in seeds {
            let lines = await record(seed: UInt64(seed), in: folder)
            let replay = try replay(lines)
            #expect(replay.snapshots == 1)
            events += replay.events
        }
        return events
    }

    @Test func `replays across files, each of which begins with a snapshot`() async throws {
        let folder = try TemporaryFolder()
        let lines = await record(seed: 7, in: folder, limit: 8_000)
        let replay = try replay(lines)
        #expect(replay.snapshots > 1)
    }

    @Test func `replays from any snapshot, and if it is cut short anywhere`() async throws {
        let folder = try TemporaryFolder()
        let lines = await record(seed: 3, in: folder)
        for count in stride(from: 1, through: lines.count, by: 7) {
            #expect(try replay(lines.prefix(count)).hasBegun)
            // A kill cut the file short; what the next process writes begins with a snapshot.
            let torn = Array(lines[count - 1].dropLast(lines[count - 1].count / 2))
            #expect(try replay(lines.prefix(count - 1) + [torn] + lines).hasBegun)
        }
    }

    @Test func `replays behind a process that was killed between a decision and its record`() async throws {
        let folder = try TemporaryFolder()
        let lines = await record(seed: 3, in: folder).map { String(decoding: $0, as: UTF8.self) }
        let saving = lines.indices.filter { lines[$0].contains(#""savePlace""#) && lines[$0].contains(#""input""#) }
        #expect(saving.count > 5)
        for index in saving {
            // The next process continues the numbers.
            let next = lines.enumerated().map { offset, line in
                line.replacingOccurrences(of: "\"seq\":\(offset + 1),", with: "\"seq\":\(index + offset + 2),")
            }
            #expect(next.first?.contains("\"seq\":\(index + 2),") == true)
            let replay = try replay((lines[...index] + next).map { Array($0.utf8) })
            #expect(replay.snapshots == 2)
        }
    }

    @Test func `does not diverge on the consequences of a lost event if a snapshot reports the loss`() async throws {
        let folder = try TemporaryFolder()
        let lines = await record(seed: 3, in: folder).map { String(decoding: $0, as: UTF8.self) }
        let event = try #require(lines.lastIndex { $0.contains(#""output":[{"seek""#) })
        // The event is lost, what follows from it is not, and the next event comes behind a snapshot.
        let consequences = lines[(event + 1)...].prefix { !$0.contains(#""input""#) }
        #expect(!consequences.isEmpty)
        let before = lines[..<event].map { Array($0.utf8) }
        let after = consequences.map { Array($0.utf8) }
        #expect(throws: TransitionReplay.Failure.self) { try replay(before + after) }
        let state = try #require(try replay(before).state)
        let told = try String(decoding: JSONEncoder().encode(state), as: UTF8.self)
        let snapshot =
            "{\"v\":1,\"seq\":\(event + after.count + 2),\"kind\":\"snapshot\",\"schema\":\(PlaybackSchema.current),"
            + "\"lost\":1,\"state\":\(told)}"
        #expect(try replay(before + after + [Array(snapshot.utf8)]).snapshots == 2)
    }

    @Test func `diverges at the line with an altered decision`() async throws {
        let folder = try TemporaryFolder()
        let lines = await record(seed: 5, in: folder)
        let index = try #require(
            lines.lastIndex { String(decoding: $0, as: UTF8.self).contains(#""output":[{"seek""#) })
        var altered = lines
        altered[index] = Array(
            String(decoding: lines[index], as: UTF8.self)
                .replacing(
                    #/"output":\[\{"seek":\{"_1":\{"track":0,"units":\d+/#,
                    with: #""output":[{"seek":{"_1":{"track":0,"units":1"#
                )
                .utf8)
        #expect(altered[index] != lines[index])
        let failure = #expect(throws: TransitionReplay.Failure.self) { try replay(altered) }
        guard case .divergence(let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.hasPrefix("line \(index + 1) (seq"), "\(reason)")
    }

    @Test(arguments: [
        (#""kind":"event""#, #""decisions":["jumped("#, #""decisions":["leapt("#),
        (#""kind":"transition""#, #""to":"playing""#, #""to":"loading""#),
        (#""kind":"place""#, #""content":"audio""#, #""content":"text""#),
    ]) func `diverges at the line with an altered word`(_ kind: String, _ old: String, _ new: String) async throws {
        let folder = try TemporaryFolder()
        let lines = await record(seed: 5, in: folder)
        let index = try #require(
            lines.lastIndex {
                let text = String(decoding: $0, as: UTF8.self)
                return text.contains(kind) && text.contains(old)
            })
        var altered = lines
        altered[index] = Array(String(decoding: lines[index], as: UTF8.self).replacing(old, with: new).utf8)
        let failure = #expect(throws: TransitionReplay.Failure.self) { try replay(altered) }
        guard case .divergence(let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.hasPrefix("line \(index + 1) (seq"), "\(reason)")
    }

    @Test func `does not begin without a snapshot, and is refused if it is nonsense`() throws {
        let event = #"{"v":1,"seq":1,"kind":"event","input":{"routeLost":{}},"output":[]}"#
        #expect(try !replay([Array(event.utf8)]).hasBegun)
        for (lines, reason) in [
            (["nonsense", "more"], "line 1 is not a record of a transition log"),
            ([#"{"v":2,"seq":1,"kind":"snapshot"}"#], "line 1 has version 2 of the log; this program reads 1"),
            ([#"{"v":1,"seq":1,"kind":"snapshot"}"#], "the snapshot in line 1 has no state"),
        ] {
            #expect(throws: TransitionReplay.Failure.unreadable(reason)) { try replay(lines.map { Array($0.utf8) }) }
        }
    }
}
