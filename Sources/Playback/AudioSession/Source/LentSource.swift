// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A source that is lent to an output and can be taken back.
///
/// A source has one reader. An output that was given up may continue at any time on its own thread. From then on it
/// finds nothing here, and the source can have another reader.
final class LentSource: PCMSource {
    /// The bits of `state`.
    private static let isUsed: UInt8 = 1
    private static let isTakenBack: UInt8 = 2

    private let source: any PCMSource
    private let state = Atomic<UInt8>(0)

    init(_ source: any PCMSource) { self.source = source }

    /// Takes the source back.
    ///
    /// It waits for a call that is inside the source, which takes no longer than a few nanoseconds, but not for one
    /// that does not return.
    func takeBack() {
        _ = state.bitwiseOr(Self.isTakenBack, ordering: .acquiringAndReleasing)
        for _ in 0..<100_000 where state.load(ordering: .acquiring) & Self.isUsed != 0 {}
    }

    private func use<Result>(else nothing: Result, _ body: () -> Result) -> Result {
        let begun = state.compareExchange(expected: 0, desired: Self.isUsed, ordering: .acquiringAndReleasing)
        guard begun.exchanged else { return nothing }
        defer { _ = state.bitwiseAnd(~Self.isUsed, ordering: .acquiringAndReleasing) }
        return body()
    }

    func next() -> PCMBlock? { use(else: nil) { source.next() } }
    func advance(by frames: Int) { use(else: ()) { source.advance(by: frames) } }
    func rewind(to index: Int64) -> Bool { use(else: false) { source.rewind(to: index) } }
    func release(before index: Int64) { use(else: ()) { source.release(before: index) } }
    func discard(before generation: UInt32) { use(else: ()) { source.discard(before: generation) } }
    var readiness: Int32 { use(else: -1) { source.readiness } }
    func arm() -> Bool { use(else: false) { source.arm() } }
    func acknowledge() { use(else: ()) { source.acknowledge() } }
}
