// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback
import PlaybackCore
import Testing

@testable import EngineBridge

/// Tests with times of an arbitrary unit.
@Suite struct EngineLifeTests {
    private let id = EngineID("tone")
    private let fault = EngineError(number: EngineNumber.misbehaved, message: "the engine tone lies")

    @Test func `an engine that quits because it was asked to has no reason to give`() {
        var life = EngineLife(id: id)
        #expect(life.isRunning && life.deadline == nil)
        #expect(life.leave(by: 10) {} == true)
        #expect(!life.isRunning && life.deadline == 10)
        #expect(life.leave(by: 20) {} == false, "it is asked once")
        #expect(life.deadline == 10)
        #expect(life.reason("exited with status 0", lastWords: "bye") == nil)
        #expect(life.finish().count == 2)
        #expect(life.isFinished && life.deadline == nil)
    }

    @Test(arguments: [(false, EngineNumber.neverReady), (true, EngineNumber.crashed)])
    func `the reason for an engine's end includes its last words`(_ isReady: Bool, _ code: Int32) {
        var life = EngineLife(id: id)
        if isReady { _ = life.noteReady() }
        let reason = life.reason("exited with status 3", lastWords: "no voice")
        #expect(reason == EngineError(number: code, message: "the engine tone exited with status 3: no voice"))
        #expect(life.reason("is gone", lastWords: nil)?.message == "the engine tone is gone")
    }

    @Test func `an engine is ready once`() {
        var life = EngineLife(id: id)
        #expect(life.noteReady() == true)
        #expect(life.noteReady() == false)
    }

    @Test func `the first fault is the reason, and what is asked afterwards is refused with it`() {
        var life = EngineLife(id: id)
        #expect(life.refusal.message == "the engine tone is gone")
        #expect(life.condemn(fault) == true)
        #expect(life.condemn(EngineError(number: EngineNumber.timedOut, message: "late")) == false)
        #expect(life.refusal == fault && life.reason("was killed by signal 9", lastWords: nil) == fault)
    }

    @Test func `an engine that has ended is not condemned`() {
        var life = EngineLife(id: id)
        _ = life.finish()
        #expect(life.condemn(fault) == false)
        #expect(life.cause == nil)
    }

    @Test func `an engine that does not leave is killed, and left behind if it stays even then`() {
        var life = EngineLife(id: id)
        _ = life.leave(by: 10) {}
        #expect(life.step(at: 9) == nil)
        #expect(life.step(at: 10) == .kill)
        #expect(life.cause == nil, "it was asked to quit")
        life.noteKill(endsBy: 20)
        #expect(life.step(at: 19) == nil && life.deadline == 20)
        #expect(life.step(at: 20) == .leaveBehind)
        _ = life.finish()
        #expect(life.step(at: 1000) == nil)
    }

    @Test func `an engine that closes its socket has to exit`() {
        var life = EngineLife(id: id)
        life.noteSocketEnd(exitBy: 10)
        #expect(!life.isRunning)
        #expect(life.step(at: 9) == nil)
        #expect(life.step(at: 10) == .kill)
        #expect(life.cause?.message == "the engine tone closed its socket")
    }

    @Test func `the end of the socket does not delay an engine that is leaving`() {
        var life = EngineLife(id: id)
        _ = life.leave(by: 10) {}
        life.noteSocketEnd(exitBy: 30)
        #expect(life.deadline == 10)
    }
}
