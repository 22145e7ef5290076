// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import MediaPlayback
import PlaybackCore
import Testing
import TransitionRecords

/// The transition log states who did what.
@Suite(.timeLimit(.minutes(1)))
struct PlaybackLogTests {
    /// Returns the name and the command of each event with one of these names, in order.
    private func commands(_ rig: Rig, _ names: Set<String>) -> [String] {
        rig.log.entries.filter { $0.kind == .event }.compactMap { entry in
            guard case .string(let name)? = entry.fields["event"], names.contains(name) else { return nil }
            return "\(name) \(entry.command ?? "-")"
        }
    }

    private func record(_ rig: Rig, _ action: String) async throws -> TransitionEntry {
        await rig.until { rig.log.entries.contains { $0.fields["action"] == .string(action) } }
        return try #require(rig.log.entries.last { $0.fields["action"] == .string(action) })
    }

    private func sounding(_ rig: Rig, _ generation: UInt32) async throws {
        await rig.until {
            let state = await rig.controller.snapshot().state
            return state.generation == generation && state.stream == .sounding
        }
    }

    @Test func `the consequences of a command have its id, even if another command arrived meanwhile`() async throws {
        let rig = Rig()
        rig.gate.close("load")
        async let playing: Void = rig.controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("load")
        try await rig.controller.setVolume(0.5)
        rig.gate.open("load")
        try await playing
        try await sounding(rig, 1)
        #expect(
            commands(rig, ["play", "volume", "loaded", "started"]) == [
                "play c1", "volume c2", "loaded c1", "started c1",
            ])
        let (activate, load) = (try await record(rig, "activate"), try await record(rig, "load"))
        #expect(activate.command == "c1" && load.command == "c1")
    }

    @Test func `playback by other programs is logged when it is queried, and not repeated later`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.report.yield(.routeChanged(Route(output: "fake", device: "ear", otherAudioPlaying: true)))
        #expect(try await record(rig, "routeChanged").fields["otherAudioPlaying"] == true)
        await rig.controller.pause()
        func pause() -> TransitionEntry? {
            rig.log.entries.last { $0.kind == .session && $0.fields["action"] == "pause" }
        }
        await rig.until { pause() != nil }
        #expect(pause()?.fields["otherAudioPlaying"] == .null)
    }

    @Test func `a request to the device has the cause that led to it`() async throws {
        let rig = Rig()
        func causes(_ count: Int) async throws -> [String] {
            func asked() -> [String] {
                rig.log.entries.compactMap { entry in
                    guard entry.kind == .session, case .string(let action)? = entry.fields["action"],
                        ["activate", "pause", "resume"].contains(action)
                    else { return nil }
                    return "\(action) \(entry.cause) \(entry.command ?? "-")"
                }
            }
            await rig.until { asked().count >= count }
            return asked()
        }
        try await rig.controller.play(Rig.request("book.m4b"))
        try await sounding(rig, 1)
        rig.output.report.yield(.interruption(began: true, by: nil))
        _ = try await causes(2)
        rig.output.report.yield(.interruption(began: false, by: nil))
        _ = try await causes(3)
        rig.output.report.yield(.routeLost(Route(output: "fake", device: nil)))
        #expect(
            try await causes(4) == [
                "activate user c1", "pause interruption -", "resume interruption -", "pause route -",
            ])
    }

    @Test func `a command that had to wait has its own id when it is carried out`() async throws {
        let rig = Rig()
        rig.gate.close("resolve")
        async let playing: Void = rig.controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        try await rig.controller.setVolume(0.5)
        rig.gate.open("resolve")
        try await playing
        #expect(commands(rig, ["lookUp", "play", "setLookUp"]) == ["lookUp c1", "setLookUp c2", "play c1"])
    }

    @Test func `a seek that overtakes another seek is distinguished from it`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await sounding(rig, 1)
        try await rig.controller.seek(.seconds(10))
        try await rig.controller.seek(.seconds(20))
        try await rig.controller.setVolume(0.5)
        try await sounding(rig, 3)
        let told = commands(rig, ["seek", "started", "volume"])
        #expect(told.filter { $0.hasPrefix("seek") } == ["seek c2", "seek c3"])
        // The first seek may be overtaken before it is audible; if its start is logged, then as its own.
        #expect(told.filter { $0.hasPrefix("started") }.last == "started c3", "\(told)")
        #expect(!told.contains("started c4"))
    }

    @Test func `an external event belongs to no command`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await sounding(rig, 1)
        rig.output.report.yield(
            .interruption(began: true, by: OtherSound(role: "phone", program: "Caller"), othersPlay: true))
        await rig.tape.wait(for: "output: pause")
        #expect(commands(rig, ["interruption"]) == ["interruption -"])
        let pause = try await record(rig, "pause")
        #expect(pause.command == nil)
        let began = try await record(rig, "interruptionBegan")
        #expect(began.fields["reason"] == "phone" && began.fields["program"] == "Caller" && began.command == nil)
        #expect(began.fields["otherAudioPlaying"] == true)
        #expect(began.fields["secondaryAudioShouldBeSilencedHint"] == true)
        rig.output.report.yield(.interruption(began: false, othersPlay: false))
        let ended = try await record(rig, "interruptionEnded")
        #expect(ended.fields["otherAudioPlaying"] == false)
        #expect(ended.fields["secondaryAudioShouldBeSilencedHint"] == false)
    }

    @Test func `a stream is logged with the options that it is opened with`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(try await record(rig, "activate").fields["options"] == .array([]))
        let other = Rig()
        try await other.controller.setSound { $0.isMono = true }
        var request = Rig.request("book.m4b")
        request.rate = 1.5
        request.until = .seconds(60)
        try await other.controller.play(request)
        #expect(
            try await record(other, "activate").fields["options"]
                == .array([.string("limited"), .string("rate=1.5"), .string("mono")]))
    }

    @Test func `a record has the stream's options at the time`() async throws {
        let rig = Rig()
        var request = Rig.request("book.m4b")
        request.rate = 1.5
        request.until = .seconds(60)
        try await rig.controller.play(request)
        try await sounding(rig, 1)
        try await rig.controller.setRate(1)
        try await rig.controller.setSound { $0.isMono = true }
        await rig.controller.pause()
        func options(_ action: String) async -> JSONValue? {
            func told() -> TransitionEntry? {
                rig.log.entries.last { $0.kind == .session && $0.fields["action"] == .string(action) }
            }
            await rig.until { told() != nil }
            return told()?.fields["options"]
        }
        let paused = await options("pause")
        #expect(paused == .array([.string("corked"), .string("limited"), .string("mono")]))
        try await rig.controller.setSound { $0.isMono = false }
        try await rig.controller.resume()
        let resumed = await options("resume")
        #expect(resumed == .array([.string("limited")]))
    }

    @Test func `an address in an engine's log contains no secrets`() async throws {
        let rig = Rig()
        let address = "https://host.example/get.php?book=3&token=hunter2"
        try await rig.controller.play(Rig.request(address))
        for message in [
            "opening \(address) now", "GET /get.php?book=3&token=hunter2 HTTP/1.1", "query is book=3&token=hunter2",
            "moved to https://me:hunter2@other.example/a.mp3?sig=hunter2#t=1", "“http://hunter2@h/a?b”",
        ] {
            rig.engines.report(.log(level: "info", message: message))
        }
        rig.engines.report(
            .failed(generation: 1, EngineError(.badContent, message: "cannot read \(address)"), leavesSound: false))
        _ = try await record(rig, "failed")
        #expect(
            rig.log.entries.filter { $0.fields["action"] == "log" }.map { $0.fields["message"] } == [
                "opening https://host.example/get.php now", "GET /get.php?… HTTP/1.1", "query is …",
                "moved to https://other.example/a.mp3", "“http://h/a”",
            ])
        func isTold(_ entry: TransitionEntry) -> Bool {
            entry.fields["action"] == "log" || entry.fields["action"] == "failed"
        }
        #expect(!rig.log.entries.contains { isTold($0) && "\($0.fields)".contains("hunter2") })
        #expect(await rig.controller.snapshot().state.error?.message == "cannot read https://host.example/get.php")
    }

    @Test func `a route change is logged with the previous route`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.report.yield(.routeChanged(Route(output: "fake", device: "headphones"), .moved))
        let changed = try await record(rig, "routeChanged")
        #expect(changed.fields["previousRouteOutputs"] == .array(["fake:ear"]))
        #expect(changed.fields["routeOutputs"] == .array(["fake:headphones"]))
        #expect(changed.fields["reason"] == "moved")
        rig.output.report.yield(.routeLost(Route(output: "fake", device: "loudspeaker"), .portUnplugged))
        let lost = try await record(rig, "routeLost")
        #expect(lost.fields["previousRouteOutputs"] == .array(["fake:headphones"]))
        #expect(lost.fields["reason"] == "portUnplugged" && lost.cause == .route && lost.command == nil)
        rig.output.report.yield(
            .failed(OutputError(.deviceGone, source: "test", message: "gone"), heard: nil))
        let gone = try await record(rig, "lost")
        #expect(gone.fields["previousRouteOutputs"] == .array(["fake:loudspeaker"]))
        #expect(gone.fields["reason"] == "sinkRemoved")
    }

    @Test(arguments: [true, false])
    func `a pause by remote just before the route is lost is attributed to the route`(_ isRescued: Bool) async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await sounding(rig, 1)
        await rig.controller.pause(origin: .remote)
        await rig.tape.wait(for: "output: pause")
        rig.output.report.yield(
            isRescued
                ? .routeLost(Route(output: "fake", device: "loudspeaker"), .sinkRemoved)
                : .failed(OutputError(.deviceGone, source: "test", message: "gone"), heard: nil))
        _ = try await record(rig, isRescued ? "routeLost" : "lost")
        await rig.until { rig.log.entries.contains { $0.kind == .remote } }
        let told = try #require(rig.log.entries.last { $0.kind == .remote })
        #expect(told.cause == .route && told.command == "c2" && told.fields["action"] == "pause")
        #expect(await rig.controller.snapshot().state.status == .paused)
    }

    @Test func `a pause by the user stays theirs, whatever disappears afterwards`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await sounding(rig, 1)
        await rig.controller.pause()
        rig.output.report.yield(.routeLost(Route(output: "fake", device: "loudspeaker"), .sinkRemoved))
        _ = try await record(rig, "routeLost")
        try await rig.controller.setVolume(0.5)
        #expect(!rig.log.entries.contains { $0.kind == .remote })
    }

    @Test func `the only key of a headset that is taken off does not resume on the loudspeaker`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await sounding(rig, 1)
        rig.output.report.yield(.routeLost(Route(output: "fake", device: "loudspeaker"), .sinkRemoved))
        await rig.until { await rig.controller.snapshot().state.suppression == .routeLost }
        try await rig.controller.toggle(origin: .remote)
        #expect(await rig.controller.snapshot().state.status == .paused)
        #expect(!rig.tape.lines.contains("output: resume"))
        let pauses = rig.log.entries.filter { $0.fields["event"] == "pause" }
        #expect(pauses.map(\.cause) == [.route])
        // The user's own command is carried out.
        try await rig.controller.toggle()
        await rig.tape.wait(for: "output: resume")
    }
}
