// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Synchronization
import Testing

@testable import AudioSession

@Suite struct SessionLogTests {
    private final class Tape: Sendable {
        /// Locked for one access.
        private let state = Mutex<[SessionRecord]>([])
        var records: [SessionRecord] { state.withLock(\.self) }
        func add(_ record: SessionRecord) { state.withLock { $0.append(record) } }
    }

    private let tape = Tape()

    private func log() -> SessionLog { SessionLog { [tape] in tape.add($0) } }

    @Test func `a record has the stream's mode and settings at the time`() {
        var log = log()
        let view = SessionView(state: .active, route: Route(output: "pulse", device: nil))
        func states() -> [String] {
            log.note(.resume, from: .activating, to: view)
            return tape.records.last?.options ?? ["no record"]
        }
        #expect(states() == [])
        var request = StreamRequest.test(FakeSource())
        request.settings.set(.rate(1.5))
        log.begin(request)
        #expect(states() == ["rate=1.5"])
        log.isPaused = true
        log.set(.sound(SoundOptions(isMono: true)))
        #expect(states() == ["corked", "rate=1.5", "mono"])
        log.isPaused = false
        log.set(.rate(1))
        #expect(states() == ["mono"])
        log.begin(.test(FakeSource()))
        #expect(states() == [])
        #expect(tape.records.map(\.mode) == [nil] + Array(repeating: request.mode, count: 4))
    }

    @Test func `a record has both states, the route, and the fields of its kind of change`() {
        let before = Route(output: "pulse", device: "speakers")
        let after = Route(output: "pulse", device: "headphones")
        log().note(.routeChanged, from: .activating, to: SessionView(state: .active, route: after)) { record in
            record.previousRoute = before
            record.reason = .moved
        }
        let record = tape.records.first
        #expect(record?.from == .activating && record?.to == .active)
        #expect(record?.route == after && record?.previousRoute == before && record?.reason == .moved)
    }
}
