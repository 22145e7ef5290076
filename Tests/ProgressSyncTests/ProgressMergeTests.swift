// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import ProgressTestSupport
import Testing

@Suite struct `A place here and one on the server` {
    private static let now: Int64 = 1_700_000_000_000
    private static let length: Int64 = 36_000_000

    private static func record(_ minutes: Int64, _ age: Int64, isFinished: Bool = false) -> ProgressRecord {
        ProgressRecord(
            milliseconds: minutes * 60_000, isFinished: isFinished, updatedAt: now - age, provenance: .heard)
    }

    /// Returns the decision in a word.
    private static func word(_ decision: ProgressDecision) -> String {
        switch decision {
        case .nothing: "-"
        case .agree: "agree"
        case .takeRemote: "take"
        case .pushLocal: "push"
        case .keepBoth(_, _, .local): "push*"
        case .keepBoth(_, _, .remote): "take*"
        case .keepBoth(_, _, .undecided): "hold*"
        }
    }

    /// A row of the table: the decision of each policy, and that while the item plays here.
    private static func row(_ name: String, _ state: ProgressState) -> String {
        let words = ProgressPolicy.allCases.map {
            word(ProgressSync(policy: $0).merge(state, isPlaying: false, at: now))
        }
        let playing = word(ProgressSync().merge(state, isPlaying: true, at: now))
        return ([name] + words + [playing]).enumerated().map { index, cell in
            cell.padded(to: index == 0 ? 46 : 9)
        }.joined().trimmed
    }

    private static func state(
        _ base: ProgressRecord?, _ local: ProgressRecord?, _ remote: RemoteProgress, isPending: Bool = false
    ) -> ProgressState {
        var state = ProgressState(length: length)
        state.base = base
        state.local = local
        state.remote = remote
        state.pending = isPending ? local : nil
        return state
    }

    /// `*` stands for: the other place is in the history, and the listener is told if it is far.
    @Test func `are decided on by this table`() {
        let base = Self.record(200, 9_000_000)
        let heard = Self.record(220, 1_000_000)
        let rewound = Self.record(100, 1_000_000)
        func remote(_ minutes: Int64, _ age: Int64, isFinished: Bool = false) -> RemoteProgress {
            .record(Self.record(minutes, age, isFinished: isFinished))
        }
        var held = Self.state(base, base, remote(12, 500_000))
        held.aside = ProgressState.Aside(record: Self.record(12, 500_000), since: Self.now - 400_000, isKept: true)
        var listened = held
        listened.aside?.isListenedTo = true
        let rows: [(String, ProgressState)] = [
            ("no answer, nothing here", Self.state(nil, nil, .unknown)),
            ("no answer, heard here", Self.state(base, heard, .unknown, isPending: true)),
            ("no record, nothing here", Self.state(nil, nil, .absent)),
            ("no record, heard here", Self.state(nil, heard, .absent, isPending: true)),
            ("the record was deleted", Self.state(base, base, .absent)),
            ("nothing here", Self.state(nil, nil, remote(200, 0))),
            ("the same", Self.state(base, base, .record(base))),
            ("the same for the first time", Self.state(nil, heard, .record(heard), isPending: true)),
            ("heard here", Self.state(base, heard, .record(base), isPending: true)),
            ("rewound here", Self.state(base, rewound, .record(base), isPending: true)),
            ("heard elsewhere, a little", Self.state(base, base, remote(203, 0))),
            ("heard elsewhere, a lot", Self.state(base, base, remote(300, 0))),
            ("moved back elsewhere, a little", Self.state(base, base, remote(198, 0))),
            ("moved back elsewhere, far", Self.state(base, base, remote(12, 0))),
            ("moved back elsewhere, far, long ago", held),
            ("moved back elsewhere, far, and listened to", listened),
            ("moved back elsewhere, far, with an old stamp", Self.state(base, base, remote(12, 9_999_999))),
            ("finished elsewhere", Self.state(base, base, remote(200, 0, isFinished: true))),
            (
                "finished here, begun again elsewhere",
                Self.state(
                    Self.record(600, 5, isFinished: true), Self.record(600, 5, isFinished: true), remote(1, 0))
            ),
            ("both, elsewhere later and ahead", Self.state(base, heard, remote(300, 0), isPending: true)),
            ("both, elsewhere earlier and ahead", Self.state(base, heard, remote(300, 2_000_000), isPending: true)),
            ("both, elsewhere later and a little behind", Self.state(base, heard, remote(217, 0), isPending: true)),
            ("both, elsewhere later and far behind", Self.state(base, heard, remote(12, 0), isPending: true)),
            ("both, rewound here, elsewhere later", Self.state(base, rewound, remote(205, 0), isPending: true)),
            (
                "both, rewound here, elsewhere earlier",
                Self.state(base, rewound, remote(205, 2_000_000), isPending: true)
            ),
        ]
        let table = rows.map { Self.row($0.0, $0.1) }.joined(separator: "\n")
        #expect(
            table == """
                no answer, nothing here                       -        -        -        -        -
                no answer, heard here                         -        -        -        -        -
                no record, nothing here                       -        -        -        -        -
                no record, heard here                         push     push     push     push     push
                the record was deleted                        -        -        -        -        -
                nothing here                                  take     take     take     take     take
                the same                                      -        -        -        -        -
                the same for the first time                   agree    agree    agree    agree    agree
                heard here                                    push     push     push     push     push
                rewound here                                  push     push     push     push     push
                heard elsewhere, a little                     take     take     take     take     -
                heard elsewhere, a lot                        take*    take*    take*    hold*    push*
                moved back elsewhere, a little                take     push*    take     take     -
                moved back elsewhere, far                     hold*    push*    take*    hold*    push*
                moved back elsewhere, far, long ago           push*    push*    take*    hold*    push*
                moved back elsewhere, far, and listened to    take*    push*    take*    hold*    push*
                moved back elsewhere, far, with an old stamp  hold*    push*    push*    hold*    push*
                finished elsewhere                            take     take     take     take     -
                finished here, begun again elsewhere          take*    push*    take*    hold*    push*
                both, elsewhere later and ahead               take*    take*    take*    hold*    push*
                both, elsewhere earlier and ahead             push*    take*    push*    hold*    push*
                both, elsewhere later and a little behind     take*    push*    take*    take*    push*
                both, elsewhere later and far behind          push*    push*    take*    hold*    push*
                both, rewound here, elsewhere later           take*    take*    take*    hold*    push*
                both, rewound here, elsewhere earlier         push*    take*    push*    hold*    push*
                """, "\(table)")
    }

    private static let minutes: [Int64] = [0, 12, 198, 200, 300, 600]

    /// Every record, and none.
    private static let records: [ProgressRecord?] =
        [nil]
        + minutes.flatMap { minutes in
            [false, true].flatMap { isFinished in
                [0, 5_000_000].map { record(minutes, $0, isFinished: isFinished) }
            }
        }

    /// Calls `body` with every combination of base, local and remote record.
    private static func forEveryState(_ body: (ProgressState) -> Void) {
        for base in records {
            for local in records {
                for remote in [RemoteProgress.unknown] + records.map({ $0.map(RemoteProgress.record) ?? .absent }) {
                    body(state(base, local, remote))
                    if local?.isHonest == true { body(state(base, local, remote, isPending: true)) }
                }
            }
        }
    }

    @Test(arguments: ProgressPolicy.allCases)
    func `lose nothing by any decision`(_ policy: ProgressPolicy) {
        let sync = ProgressSync(policy: policy)
        Self.forEveryState { before in
            var state = before
            let step = state.settle(by: sync, isPlaying: false, at: Self.now)
            #expect(state.local != nil || before.local == nil)
            if let place = step.place, let local = before.local, local.isHonest,
                place.milliseconds != local.milliseconds
            {
                #expect(step.jump?.from == local && step.jump?.to == place)
            }
            // A record of the server that is overwritten although it is news can be found again.
            if let push = step.push, let remote = before.remote.record, before.base?.says(remote) != true,
                push.writes.contains(where: { if case .place = $0 { true } else { false } }),
                remote.milliseconds != before.local?.milliseconds
            {
                #expect(step.jump?.from == remote)
            }
        }
    }

    @Test(arguments: ProgressPolicy.allCases)
    func `never move what plays here`(_ policy: ProgressPolicy) {
        let sync = ProgressSync(policy: policy)
        Self.forEveryState { before in
            guard before.local != nil else { return }
            var state = before
            let step = state.settle(by: sync, isPlaying: true, at: Self.now)
            #expect(step.place == nil)
            #expect(state.local?.milliseconds == before.local?.milliseconds)
        }
    }

    @Test(arguments: ProgressPolicy.allCases)
    func `send nothing that is not new here, unless it puts the server right`(_ policy: ProgressPolicy) {
        let sync = ProgressSync(policy: policy)
        Self.forEveryState { before in
            var state = before
            let step = state.settle(by: sync, isPlaying: false, at: Self.now)
            guard step.push != nil else { return }
            #expect(before.pending != nil || step.jump != nil || policy == .newest || policy == .furthest)
            #expect(before.remote != .unknown)
        }
    }

    /// After its writes, the server has what was to be sent, whatever it had before.
    @Test func `are the same after the writes of a push`() {
        for wanted in Self.records {
            guard let wanted else { continue }
            for row in Self.records {
                var server = ServerModel()
                if let row {
                    for write in ProgressPush(row, over: nil, length: Self.length, now: Self.now).writes {
                        server.patch(write, at: Self.now)
                    }
                }
                let before = server.record
                let push = ProgressPush(wanted, over: before, length: Self.length, now: Self.now)
                for (write, step) in zip(push.writes, push.steps) {
                    server.patch(write, at: Self.now)
                    #expect(server.record?.says(step) == true)
                }
                let after = server.record
                #expect(after?.milliseconds == wanted.milliseconds)
                #expect(after?.isFinished == wanted.isFinished || wanted.milliseconds == Self.length)
                #expect(push.writes.count <= 2)
                #expect(push.steps.allSatisfy { $0.updatedAt <= Self.now })
            }
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self + " "
    }

    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
