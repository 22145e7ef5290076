// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback
import Synchronization
import Testing

@testable import EngineBridge

/// Tests with times of an arbitrary unit.
@Suite struct OutstandingRequestsTests {
    private typealias Kind = OutstandingRequests.Kind

    /// Adds requests of these kinds at time 0, number 1 first, each with 10 to go.
    private func requests(_ kinds: Kind...) -> OutstandingRequests {
        var requests = OutstandingRequests()
        for kind in kinds { _ = requests.add(kind, track: 7, at: 0, allowance: 10) { _ in } }
        return requests
    }

    /// Returns who waits for each answer in turn.
    private func askers(of numbers: [UInt32], in requests: OutstandingRequests) -> [String] {
        var requests = requests
        return numbers.map { number in
            switch requests.takeAsker(of: number) {
            case .waiting: "waiting"
            case .gone: "gone"
            case .nobody: "nobody"
            }
        }
    }

    @Test func `a request is answered once`() {
        #expect(askers(of: [2, 1, 2, 3], in: requests(.load, .cover)) == ["waiting", "waiting", "nobody", "nobody"])
    }

    @Test func `each caller gets the answer to its own request`() {
        let heard = Mutex<[UInt32]>([])  // The lock is needed because a completion may be called on any thread.
        var requests = OutstandingRequests()
        for number in UInt32(1)...3 {
            let added = requests.add(.other, at: 0, allowance: 10) { _ in heard.withLock { $0.append(number) } }
            #expect(added == number)
        }
        if case .waiting(let completion) = requests.takeAsker(of: 2) { completion(.success(.done)) }
        #expect(heard.withLock { $0 } == [2])
        for completion in requests.takeAll() { completion(.success(.done)) }
        #expect(heard.withLock { $0.sorted() } == [1, 2, 3])
        #expect(requests.takeAll().count == 0)
        #expect(requests.deadline == nil)
    }

    @Test(
        arguments: [
            (.load, true, false), (.measure, true, false), (.cover, true, false), (.other, true, false),
            (.describe, false, false), (.measureLater, false, true), (.cut, true, true), (.ping, false, false),
            (.voices, true, false),
        ] as [(OutstandingRequests.Kind, Bool, Bool)])
    func `sound waits for a caller's request, not for one in the background`(
        _ kind: OutstandingRequests.Kind, _ delays: Bool, _ measures: Bool
    ) {
        #expect(requests(kind).delaySound == delays)
        #expect(requests(kind).includeLongWork == measures)
    }

    @Test func `a late request ends the engine, unless it gives way to sound`() {
        for kind in [Kind.load, .measure, .cover, .ping, .other] {
            #expect(requests(.describe, kind).overdue(at: 9) == nil)
            #expect(requests(.describe, kind).overdue(at: 10) == kind)
        }
        #expect(requests(.describe, .measureLater).overdue(at: 1000) == nil)
    }

    @Test func `of two late requests, the one that was due first counts`() {
        var requests = OutstandingRequests()
        _ = requests.add(.load, at: 0, allowance: 20) { _ in }
        _ = requests.add(.ping, at: 0, allowance: 10) { _ in }
        #expect(requests.deadline == 10)
        #expect(requests.overdue(at: 30) == .ping)
    }

    @Test func `an answer to a request that was given up is ignored, once`() {
        var requests = requests(.describe, .load, .measureLater)
        #expect(requests.giveUp(at: 9).count == 0)
        #expect(requests.giveUp(at: 10).count == 2)
        #expect(requests.kind(of: 1) == nil && requests.kind(of: 2) == .load)
        #expect(askers(of: [1, 3, 1, 2], in: requests) == ["gone", "gone", "nobody", "waiting"])
    }

    @Test func `a track that is found out about restarts the time for describing, and for nothing else`() {
        var requests = requests(.describe, .load)
        requests.noteDescription(at: 5)
        #expect(requests.deadline == 10)
        #expect(requests.giveUp(at: 14).count == 0)
        #expect(requests.overdue(at: 14) == .load)
        #expect(requests.giveUp(at: 15).count == 1)
    }

    @Test func `parts of an index are joined, and belong to a measurement`() {
        var requests = requests(.measure, .measureLater, .load)
        for number in UInt32(1)...2 {
            #expect(requests.index(number) == nil)
            #expect(requests.addIndexPart(number, total: 3, [1, 2]) == true)
            #expect(requests.addIndexPart(number, total: 3, [3]) == true)
            #expect(requests.addIndexPart(number, total: 3, [4]) == false, "more than there is")
            #expect(requests.index(number)?.bytes == [1, 2, 3] && requests.index(number)?.track == 7)
        }
        for number in UInt32(3)...4 { #expect(requests.addIndexPart(number, total: 3, [1]) == false) }
        #expect(requests.addIndexPart(1, total: 3, []) == false)
        #expect(requests.addIndexPart(1, total: UInt32(Limits.index) + 1, [1]) == false)
        #expect(requests.expectMeasurement(1) && !requests.expectMeasurement(3) && !requests.expectMeasurement(4))
    }

    @Test func `voices are collected, and belong to a request for them`() {
        let some = (0..<Limits.voices / 2).map { WireVoice(name: "\($0)", language: "en", about: nil) }
        var requests = requests(.voices, .load)
        #expect(requests.voices(1) == [])
        #expect(requests.addVoices(1, some) && requests.addVoices(1, some))
        #expect(requests.voices(1) == some + some)
        #expect(requests.addVoices(1, Array(some.prefix(1))) == false, "too many")
        for number in UInt32(2)...3 { #expect(requests.addVoices(number, some) == false) }
    }

    @Test(arguments: [
        ("no memory", "no memory"), ("a\u{9B}2J\u{1B}[2J\r\n", "a 2J [2J  "), ("a\u{202E}b\u{2028}", "a b "),
    ])
    func `the words of an engine about a failure command no terminal`(_ message: String, _ expected: String) {
        #expect(EngineError(WireFailure(code: -1, message: message)).message == expected)
    }

    @Test func `an index that comes too late is no fault, and is not kept`() {
        var requests = requests(.measureLater)
        _ = requests.giveUp(at: 10)
        #expect(requests.addIndexPart(1, total: 3, [1, 2]) == true)
        #expect(requests.addIndexPart(1, total: 3, [1, 2, 3, 4]) == false)
        #expect(requests.expectMeasurement(1) && requests.index(1) == nil)
    }

    @Test func `a picture is there once all its bytes are, and a track without one has none`() {
        var requests = requests(.cover, .cover, .load)
        #expect(requests.picture(1, isThere: false) == [] && requests.picture(1, isThere: true) == nil)
        #expect(requests.addPicturePart(1, total: 3, [1, 2]) == true)
        #expect(requests.picture(1, isThere: true) == nil)
        #expect(requests.addPicturePart(1, total: 4, [3]) == false, "the total has changed")
        #expect(requests.addPicturePart(1, total: 3, [3]) == true)
        #expect(requests.picture(1, isThere: true) == [1, 2, 3] && requests.picture(1, isThere: false) == nil)
        #expect(requests.addPicturePart(2, total: UInt32(Limits.cover) + 1, [1]) == false)
        #expect(requests.addPicturePart(3, total: 1, [1]) == false)
        #expect(requests.picture(3, isThere: false) == nil)
    }
}
