// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SoftwareOutputs

@Suite(.timeLimit(.minutes(1))) struct OutputAlarmTests {
    private let rings: AsyncStream<Int64>
    private let ring: AsyncStream<Int64>.Continuation

    init() { (rings, ring) = AsyncStream.makeStream() }

    @Test func `an alarm rings with its time and is taken once`() async {
        var alarm = OutputAlarm { _ in }
        alarm.set(5) { [ring] in ring.yield($0) }
        #expect(await rings.first { _ in true } == 5)
        #expect(alarm.isSet(to: 5))
        let taken = [alarm.take(5), alarm.take(5)]
        #expect(taken == [true, false])
        #expect(alarm.isSet(to: nil))
    }

    @Test func `an alarm that was set to another time, or stopped, is not taken`() {
        var alarm = OutputAlarm { _ in }
        alarm.set(5) { _ in }
        alarm.set(7) { _ in }
        var taken = [alarm.take(5), alarm.isSet(to: 7)]
        #expect(taken == [false, true])
        alarm.stop()
        taken = [alarm.take(7), alarm.isSet(to: nil)]
        #expect(taken == [false, true])
    }

    @Test func `an alarm that is set again does not ring for the earlier time`() async {
        let (starts, started) = AsyncStream.makeStream(of: Int64.self)
        let nothing = AsyncStream.makeStream(of: Int64.self)
        let (ends, ended) = AsyncStream.makeStream(of: Int64.self)
        var alarm = OutputAlarm { due in
            started.yield(due)
            guard due == 5 else { return }
            // It waits until it is cancelled, because nothing comes.
            for await _ in nothing.stream {}
            ended.yield(due)
            try Task.checkCancellation()
        }
        alarm.set(5) { [ring] in ring.yield($0) }
        _ = await starts.first { $0 == 5 }
        alarm.set(7) { [ring] in ring.yield($0) }
        #expect(await ends.first { _ in true } == 5)
        #expect(await rings.first { _ in true } == 7)
    }
}
