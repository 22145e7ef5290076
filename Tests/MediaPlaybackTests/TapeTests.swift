// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite(.timeLimit(.minutes(1))) struct `A wait that exceeds its time limit` {
    private func told(_ words: String, _ wait: @escaping @Sendable () async -> Void) async {
        await withKnownIssue {
            let waiting = Task { await wait() }
            waiting.cancel()
            await waiting.value
        } matching: { issue in
            issue.comments.contains { $0.rawValue == words }
        }
    }

    @Test func `reports the calls that came instead`() async {
        let rig = Rig()
        rig.tape.add("one")
        rig.tape.add("two")
        await told("“three” did not come; came:\none\ntwo") { await rig.tape.wait(for: "three") }
        await told("what is waited for did not come; came:\none\ntwo") { await rig.until { false } }
    }

    @Test func `reports the calls that reached the gate`() async {
        let gate = Gate()
        gate.close("load")
        async let passing: Void = gate.pass("load")
        await gate.isReached("load")
        await told("“describe” to the gate did not come; came:\nload") { await gate.isReached("describe") }
        gate.open("load")
        await passing
    }
}
