// SPDX-License-Identifier: Apache-2.0

import TaskChains
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A chain of tasks` {
    /// An owner of a chain, which notes what its tasks do.
    private actor Owner {
        var chain = TaskChain()
        var notes: [String] = []

        func note(_ note: String) { notes.append(note) }

        func append(_ name: String, after gate: Gate? = nil) -> Task<Void, Never> {
            chain.append(on: self) { owner in
                await gate?.pass(name)
                owner.note(name)
            }
        }

        func join(_ name: String, after gate: Gate) {
            chain.join(
                Task {
                    await gate.pass(name)
                    note(name)
                })
        }

        func restart(_ name: String) {
            chain.restart(
                with: Task { note(name) })
        }

        func abandon() { chain.abandon() }
        var last: Task<Void, Never>? { chain.last }
    }

    @Test func `begins a task behind one that joined, which runs at once`() async {
        let owner = Owner()
        let gate = Gate()
        gate.close("first")
        gate.close("joined")
        _ = await owner.append("first", after: gate)
        await owner.join("joined", after: gate)
        let last = await owner.append("last")
        await gate.isReached("joined")
        gate.open("joined")
        await gate.isReached("first")
        gate.open("first")
        await last.value
        let notes = await owner.notes
        #expect(notes.last == "last" && notes.count == 3)
    }

    @Test func `runs one after the other, in order`() async {
        let owner = Owner()
        let gate = Gate()
        gate.close("first")
        _ = await owner.append("first", after: gate)
        _ = await owner.append("second")
        let third = await owner.append("third")
        await gate.isReached("first")
        #expect(await owner.notes.isEmpty)
        gate.open("first")
        await third.value
        #expect(await owner.notes == ["first", "second", "third"])
    }

    @Test func `a restart waits for nobody, and those after it only for it`() async {
        let owner = Owner()
        let gate = Gate()
        gate.close("first")
        let first = await owner.append("first", after: gate)
        await gate.isReached("first")
        await owner.restart("load")
        await owner.append("second").value
        #expect(await owner.notes == ["load", "second"])
        gate.open("first")
        await first.value
        #expect(await owner.notes == ["load", "second", "first"])
    }

    @Test func `an abandoned chain begins anew at once`() async {
        let owner = Owner()
        let gate = Gate()
        gate.close("first")
        let first = await owner.append("first", after: gate)
        await gate.isReached("first")
        await owner.abandon()
        #expect(await owner.last == nil)
        await owner.append("second").value
        #expect(await owner.notes == ["second"])
        gate.open("first")
        await first.value
    }
}
