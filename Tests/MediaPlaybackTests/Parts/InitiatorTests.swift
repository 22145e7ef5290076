// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

@Suite struct `The initiator of an event` {
    private let place = MediaPosition(track: 0, units: 5)

    @Test func `is the command of the running task, even if others came since`() {
        var initiators = Initiators()
        let first = initiators.begin(command: 1, .user)
        _ = initiators.begin(command: 2, .remote)
        Initiator.run(as: first) {
            #expect(initiators.present.command == "c1")
            #expect(initiators.initiator(of: .heard(generation: 9, place)).command == "c1")
        }
        #expect(initiators.present.command == "c2")
    }

    @Test func `is inherited by the tasks that a command starts, and by no others`() async {
        var initiators = Initiators()
        let command = initiators.begin(command: 1, .user)
        await Initiator.run(as: command) {
            await #expect(Task { Initiator.current?.command }.value == "c1")
            await Initiator.run(as: nil) { await #expect(Task { Initiator.current }.value == nil) }
        }
        #expect(Initiator.current == nil)
    }

    @Test func `is the command that began the generation of a result`() {
        var initiators = Initiators()
        for id: UInt64 in 1...3 {
            Initiator.run(as: initiators.begin(command: id, .user)) { initiators.note(generation: UInt32(id)) }
        }
        let told = { initiators.initiator(of: $0).command }
        #expect(told(.started(generation: 2)) == "c2")
        #expect(told(.silenced(generation: 1, heard: place)) == "c1")
        #expect(told(.heard(generation: 99, place)) == "c3", "the newest, if the generation is not known")
        #expect(told(.clock(id: 1, heard: nil)) == "c3")
    }

    @Test(arguments: [PlaybackEvent.routeLost, .routeReturned, .interruption(began: true)])
    func `is nobody if it comes from outside`(_ event: PlaybackEvent) {
        var initiators = Initiators()
        _ = initiators.begin(command: 1, .user)
        #expect(initiators.initiator(of: event) == .nobody)
    }

    @Test func `is forgotten for generations long past`() {
        var initiators = Initiators()
        for id: UInt64 in 1...40 {
            Initiator.run(as: initiators.begin(command: id, .user)) { initiators.note(generation: UInt32(id)) }
        }
        #expect(initiators.initiator(of: .started(generation: 1)).command == "c40")
        #expect(initiators.initiator(of: .started(generation: 30)).command == "c30")
    }

    @Test func `errors come through typed`() async {
        let failure = PlaybackError(.noInput, message: "gone")
        #expect(throws: failure) {
            try Initiator.run(as: nil) { () throws(PlaybackError) in throw failure }
        }
        await #expect(throws: failure) {
            try await Initiator.run(as: nil) { () async throws(PlaybackError) in throw failure }
        }
    }
}
